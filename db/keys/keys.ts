import type { Pool } from 'pg';
import { scopesOf, type Role } from './roles.ts';
import { hashKeySecret, isMistypedKey } from './keySecret.ts';
import { createKeyWatch } from './keyWatch.ts';
import { createRightsWatch } from './rightsWatch.ts';
import type { Spender } from '../ledger/hold.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';
import { isTestWorkspace } from '../workspaces/mode.ts';
import type { Notices } from '../postgres/notices.ts';
import type { Queryable } from '../postgres/queryable.ts';

// A revocation is announced at once. A process that missed the notice finds it within this time.
const FRESH_MS = 1_000;
// A key in steady use is refreshed in the background, so that its requests do not wait. Others in use are refreshed with it, unless they
// were read just now: a hundred keys cost one statement.
const REFRESH_MS = 500;
const JOIN_MS = 250;
const TOGETHER_MAX = 100;
// While the database is down, keys that were valid a minute ago are still accepted; the ledger decides which calls run.
const STALE_MS = 60_000;
const UNKNOWN_MS = 5_000;
const CACHE_MAX = 20_000;
// More waiting lookups count as a flood: invented keys must not slow the ledger down.
const WAITING_MAX = 500;

/** A key above another one, with the limits that were set on it. */
export interface LimitingKey {
  keyId: string;
  rpmLimit: number | null;
  concurrencyLimit: number | null;
}

/** A live key as the guards need it. It is also the spender in the ledger. */
export interface Key extends Spender {
  /** Of a test workspace: its calls reach no upstream of the catalogue, and are paid with test money. */
  isTest: boolean;
  prefix: string;
  name: string;
  scopes: ReadonlySet<string>;
  rpmLimit: number | null;
  concurrencyLimit: number | null;
  /** The keys that it comes from whose rate or concurrency is limited: its requests count there too. Undefined without any. */
  limitedBy?: readonly LimitingKey[] | undefined;
  /** Addresses and ranges from which it is accepted; null: from everywhere. */
  allowedIps: readonly string[] | null;
  /** The agents it may run, as `<namespace>/<slug>`; null: all. */
  allowedAgents: readonly string[] | null;
  /** For how many days the contents of its calls are kept; 0: they are not. */
  logDays: number;
  /** Whether it, a key that it comes from, or its workspace demands upstreams that keep nothing of its calls. */
  noRetention: boolean;
  /** Its project; null: the default one. */
  projectId: string | null;
  /** Whether its workspace has projects beside that. */
  hasProjects: boolean;
  /** Whether its project is archived: then the key is not accepted. */
  isArchived: boolean;
  /** The projects that its requests see: a key of a project sees that one. Null: the whole workspace. */
  seesProjects: readonly string[] | null;
}

interface Cached {
  key: Key | null;
  readAtMs: number;
  reading: Promise<Key | null> | undefined;
  /** Whether the last attempt to read it failed. */
  isLost: boolean;
  /** Whether a request has used it since it was read. */
  isUsed: boolean;
}

type Stale = [hash: string, cached: Cached | undefined];

export type Keys = ReturnType<typeof createKeys>;

/** Looks keys up by their hash and caches each for a second; watches the keys of long calls. */
export function createKeys({
  pool,
  notices,
  onUse,
}: {
  pool: Pool;
  notices: Notices;
  /** Called for each key in use, at most once a second. */
  onUse: (keyId: string) => void;
}) {
  const cache = new Map<string, Cached>();
  notices.listen((notice) => notice.kind === 'key' && cache.delete(notice.hash));

  /** The key, or null when it is unknown, revoked or expired. Throws `LedgerUnavailable` when that cannot be determined. */
  function find(secret: string): Key | null | Promise<Key | null> {
    const hash = hashKeySecret(secret);
    const cached = cache.get(hash);
    if (cached && isFresh(cached)) {
      cached.isUsed = true;
      // A request does not wait for a refresh.
      if (isDue(cached, REFRESH_MS)) void refresh(hash, cached);
      return cached.key;
    }
    if (!cached && isMistypedKey(secret)) return null;
    const reading = cached?.reading ?? read([[hash, cached]]);
    // Nor for a database that has just failed.
    return cached?.isLost && isKnown(cached) ? cached.key : reading;
  }

  /** Reads a key, and with it the others in use that would be due soon. */
  function refresh(hash: string, cached: Cached): Promise<Key | null> {
    const stale: Stale[] = [[hash, cached]];
    for (const [other, one] of cache) {
      if (stale.length >= TOGETHER_MAX) break;
      if (one !== cached && one.isUsed && isFresh(one) && isDue(one, JOIN_MS)) stale.push([other, one]);
    }
    return read(stale);
  }

  /** Resolves with the first of them. */
  function read(stale: Stale[]): Promise<Key | null> {
    const sentAtMs = performance.now();
    const found = query(stale.map(([hash]) => hash));
    const readings = stale.map(([hash, cached]) => {
      const { key = null, readAtMs = -Infinity, isLost = false } = cached ?? {};
      const entry: Cached = { key, readAtMs, reading: undefined, isLost, isUsed: false };
      entry.reading = found
        .then((keys) => remember(hash, { key: keys.get(hash) ?? null, sentAtMs }, entry))
        .catch((error) => lastKnown(hash, entry, error));
      // A refresh in the background has no reader.
      entry.reading.catch(() => {});
      cache.set(hash, entry);
      return entry.reading;
    });
    return readings[0]!;
  }

  async function query(hashes: string[]): Promise<Map<string, Key>> {
    if (pool.waitingCount > WAITING_MAX) throw new Error('too many queries wait for a connection');
    const values = [hashes.map((hash) => Buffer.from(hash, 'hex'))];
    const { rows } = await pool.query<KeyRow & { hash: Buffer }>({ name: 'find_keys', text: FIND_KEYS, values });
    return new Map(rows.map((row) => [row.hash.toString('hex'), keyOf(row)]));
  }

  function remember(hash: string, { key, sentAtMs }: { key: Key | null; sentAtMs: number }, entry: Cached): Key | null {
    if (key) onUse(key.keyId);
    // A notice removed the entry during the query: the row that was read may be older than the change.
    if (cache.get(hash) !== entry) return key;
    if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value!);
    // Valid as of when the query was sent: the row may have changed before the answer arrived.
    cache.set(hash, { key, readAtMs: sentAtMs, reading: undefined, isLost: false, isUsed: false });
    return key;
  }

  function lastKnown(hash: string, entry: Cached, error: unknown): Key | null {
    entry.reading = undefined;
    entry.isLost = true;
    if (isKnown(entry)) return entry.key;
    cache.delete(hash);
    throw new LedgerUnavailable('keys cannot be looked up', error);
  }

  return {
    find,
    watch: createKeyWatch({ pool, notices }).watch,
    watchRights: createRightsWatch({ pool, notices }),
  };
}

function isKnown({ key, readAtMs }: Cached): boolean {
  return key !== null && performance.now() - readAtMs < STALE_MS;
}

function isFresh(cached: Cached): boolean {
  return performance.now() - cached.readAtMs < (cached.key ? FRESH_MS : UNKNOWN_MS);
}

function isDue({ key, readAtMs, reading }: Cached, ageMs: number): boolean {
  return key !== null && reading === undefined && performance.now() - readAtMs >= ageMs;
}

// Raw: every request waits for it, even in the first second of a process, before the ORM is loaded.
const LIVE_KEY = `select id, workspace_id, account_id, prefix, name, scopes, rpm_limit, concurrency_limit, allowed_ips, allowed_agents, log_days, project_id,
  no_retention or exists (select from workspaces w where w.id = api_keys.workspace_id and w.no_retention)
    or (parent_id is not null and exists (select from api_keys a where a.id = any (api_keys.ancestors) and a.no_retention)) as no_retention,
  case when parent_id is not null then (select json_agg(json_build_object('keyId', a.id, 'rpmLimit', a.rpm_limit,
      'concurrencyLimit', a.concurrency_limit) order by cardinality(a.ancestors) desc) from api_keys a
    where a.id = any (api_keys.ancestors) and (a.rpm_limit is not null or a.concurrency_limit is not null)) end as limited_by,
  exists (select from projects p where p.workspace_id = api_keys.workspace_id) as has_projects,
  project_id is not null and exists (select from projects p where p.id = project_id and p.archived_at is not null) as is_archived from api_keys
  where revoked_at is null and (expires_at is null or expires_at > ledger_now(workspace_id))`;
const FIND_KEYS = `select asked.hash, k.* from unnest($1::bytea[]) asked(hash) cross join lateral (${LIVE_KEY}
  and id = coalesce((select id from api_keys where hash = asked.hash),
    (select key_id from rotated_secrets where hash = asked.hash and expires_at > now()))) k`;

// A member's own key has the current rights of their role; none without a role.
const OWN_KEY_ROLE = `select k.*, m.role, case when m.workspace_id = k.workspace_id and m.role in ('developer', 'publisher') then m.project_ids end as project_ids, own.member_user_id is not null as is_own
  from (${LIVE_KEY} and id = $1) k join api_keys own on own.id = k.id left join members m on m.user_id = own.member_user_id
    and m.workspace_id = coalesce((select w.live_workspace_id from workspaces w where w.id = k.workspace_id), k.workspace_id)`;

/** The key with that id, or null when it is revoked or expired, its project is archived, or it belongs to a person who is no longer a member. */
export async function readLiveKey(pool: Pool, keyId: string): Promise<Key | null> {
  const { rows } = await pool.query<KeyRow & { role: Role | null; project_ids: string[] | null; is_own: boolean }>({
    name: 'live_key',
    text: OWN_KEY_ROLE,
    values: [keyId],
  });
  const [row] = rows;
  if (!row || row.is_archived) return null;
  if (!row.is_own) return keyOf({ ...row, project_ids: undefined });
  return row.role && keyOf({ ...row, scopes: scopesOf(row.role, false) });
}

/** Whether a key is live, but refused because its project is archived. */
export async function isOfArchivedProject(pool: Pool, keyId: string): Promise<boolean> {
  const { rows } = await pool.query<{ is_archived: boolean }>(`${LIVE_KEY} and id = $1`, [keyId]);
  return rows[0]?.is_archived ?? false;
}

/** The agents that a key may run, even if it has ended; null: all. */
export async function readAllowedAgents(pool: Queryable, keyId: string): Promise<string[] | null> {
  const { rows } = await pool.query<{ allowed: string[] | null }>(ALLOWED_AGENTS, [keyId]);
  return rows[0]?.allowed ?? null;
}

const ALLOWED_AGENTS = 'select allowed_agents as allowed from api_keys where id = $1';

interface KeyRow {
  id: string;
  workspace_id: string;
  account_id: string;
  prefix: string;
  name: string;
  scopes: string[];
  rpm_limit: number | null;
  concurrency_limit: number | null;
  limited_by?: LimitingKey[] | null;
  allowed_ips: string[] | null;
  allowed_agents: string[] | null;
  log_days: number;
  no_retention: boolean;
  project_id: string | null;
  has_projects: boolean;
  is_archived: boolean;
  /** Of a member's own key: the projects that the member is limited to. */
  project_ids?: string[] | null | undefined;
}

/** A live key of its row. */
export function keyOf(row: KeyRow): Key {
  return {
    keyId: row.id,
    workspaceId: row.workspace_id,
    accountId: row.account_id,
    isTest: isTestWorkspace(row.workspace_id),
    prefix: row.prefix,
    name: row.name,
    scopes: new Set(row.scopes),
    rpmLimit: row.rpm_limit,
    concurrencyLimit: row.concurrency_limit,
    limitedBy: row.limited_by ?? undefined,
    allowedIps: row.allowed_ips,
    allowedAgents: row.allowed_agents,
    logDays: row.log_days,
    noRetention: row.no_retention,
    projectId: row.project_id,
    hasProjects: row.has_projects,
    isArchived: row.is_archived,
    seesProjects: row.project_ids === undefined ? ownProjectOf(row) : row.project_ids,
  };
}

const ownProjectOf = ({ project_id: id }: KeyRow): string[] | null => (id === null ? null : [id]);
