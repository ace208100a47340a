import type { Pool } from 'pg';
import { OpenList, type Listed } from '../../base/openList.ts';
import type { Notices } from '../postgres/notices.ts';

const CHECK_MS = 30_000;

/** What a key may do at the moment; null addresses: from everywhere. */
interface Rights {
  keyId: string;
  scopes: ReadonlySet<string>;
  projectId: string | null;
  allowedIps: readonly string[] | null;
}

/** Whether the session of a member, in whose place the key is, still opens what it did. */
export type IsHeld = () => Promise<boolean>;

interface Watched extends Listed {
  rights: Rights;
  onChange: () => void;
  isHeld: IsHeld | undefined;
  isAsked: boolean;
}

/**
 * Watches the rights of keys whose calls have no end: scopes, project and addresses. The guard has checked them at the beginning alone. A
 * change is seen with its notice, and within half a minute without one. Of a member's own key, whose scopes are those of the role, the
 * project and their session are watched.
 */
export function createRightsWatch({ pool, notices }: { pool: Pool; notices: Notices }) {
  const watched = new OpenList<Watched>();
  notices.listen((notice) => notice.kind === 'key' && void check());
  setInterval(() => void check(), CHECK_MS).unref();

  /** Calls back once, when the key has other rights than these, or is not held any more. Returns a function that stops watching. */
  function watchRights(rights: Rights, onChange: () => void, isHeld?: IsHeld): () => void {
    const call: Watched = { rights, onChange, isHeld, isAsked: false };
    watched.add(call);
    // A change since the guard has read the key.
    void check();
    return () => void watched.delete(call);
  }

  async function check(): Promise<void> {
    if (watched.size === 0) return;
    const calls = [...watched];
    const values = [
      calls.map(({ rights: { keyId } }) => keyId),
      calls.map(({ rights: { scopes } }) => [...scopes].join(' ')),
      calls.map(({ rights: { projectId } }) => projectId ?? ''),
      calls.map(({ rights: { allowedIps } }) => (allowedIps ?? []).join(' ')),
    ];
    // While the database is down, running calls continue: the next check finds the change.
    const changed = await pool.query<{ at: number }>(CHANGED, values).catch(() => ({ rows: [] }));
    for (const { at } of changed.rows) end(calls[at - 1]!);
    await Promise.all(calls.map(ask));
  }

  /** One question at a time, however many keys change. */
  async function ask(call: Watched): Promise<void> {
    if (!call.isHeld || call.isAsked) return;
    call.isAsked = true;
    const isHeld = await call.isHeld().catch(() => true);
    call.isAsked = false;
    if (!isHeld) end(call);
  }

  function end(call: Watched): void {
    if (watched.delete(call)) call.onChange();
  }

  return watchRights;
}

const CHANGED = `
select w.at::int from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality w(id, scopes, project_id, ips, at)
  join api_keys k on k.id = w.id
where coalesce(k.project_id, '') <> w.project_id or (k.member_user_id is null
  and (array_to_string(k.scopes, ' ') <> w.scopes or coalesce(array_to_string(k.allowed_ips, ' '), '') <> w.ips))`;
