import type { Pool } from 'pg';
import { OpenList, type Listed } from '../../base/openList.ts';
import type { Notices } from '../postgres/notices.ts';

const CHECK_MS = 30_000;

interface Watched extends Listed {
  keyId: string;
  onEnd: () => void;
}

/**
 * Watches the keys of long calls. A key's revocation or expiry, or the archiving of its project, is seen with the notice of its change, and within half a minute without a
 * notice.
 */
export function createKeyWatch({ pool, notices }: { pool: Pool; notices: Notices }) {
  const watched = new OpenList<Watched>();
  notices.listen((notice) => notice.kind === 'key' && void check());
  setInterval(() => void check(), CHECK_MS).unref();

  /** Calls back once, when the key has ended. Returns a function that stops watching. */
  function watch(keyId: string, onEnd: () => void): () => void {
    const call: Watched = { keyId, onEnd };
    watched.add(call);
    return () => void watched.delete(call);
  }

  async function check(): Promise<void> {
    if (watched.size === 0) return;
    const keyIds = [...new Set([...watched].map(({ keyId }) => keyId))];
    // While the database is down, running calls continue: the next check finds ended keys.
    const ended = await pool.query<{ id: string }>(ENDED_KEYS, [keyIds]).catch(() => ({ rows: [] }));
    for (const { id } of ended.rows) end(id);
  }

  function end(keyId: string): void {
    for (const call of watched) if (call.keyId === keyId && watched.delete(call)) call.onEnd();
  }

  return { watch };
}

// Raw: chat completions use it too, and do not wait for the ORM.
const ENDED_KEYS = `select id from api_keys where id = any($1) and (revoked_at is not null or expires_at <= ledger_now(workspace_id)
  or exists (select from projects p where p.id = project_id and p.archived_at is not null))`;
