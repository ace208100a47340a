import type { Pool } from 'pg';
import { SILENT_SECONDS } from '../../base/limits.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';

// Longer than the time between two renewals of a running request; after it, a retry takes over. The claim of a dead process ends before.
const LEASE_SECONDS = 30;

/** How long a key is remembered. */
export const KEY_HOURS = 24;

/** A use of an `Idempotency-Key`: the user, the route (method and path), and a hash of the input. */
export interface IdempotentUse {
  workspaceId: string;
  route: string;
  key: string;
  fingerprint: Buffer;
}

/** A use whose claim a process has, under this id. Another process has taken it over where the row has another one. */
export interface ClaimedUse extends IdempotentUse {
  processId: string;
}

/** An answer that is sent again unchanged. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/**
 * The state of a key: claimed by this request, in use by another request, used for a different request, or answered. `isSilent`: the
 * process that runs the other request may be dead; if it is, the claim ends within seconds.
 */
export type Claim =
  | { outcome: 'claimed'; resourceId: string; isFirst: boolean; use: ClaimedUse }
  | { outcome: 'running'; isSilent: boolean }
  | { outcome: 'conflict' }
  | { outcome: 'answered'; answer: StoredAnswer };

/**
 * Claims a key for a process, once for each use. `newResourceId` becomes the id of the created resource; a retry after a crash gets the
 * same id. A key older than a day is free again. States: free -> claimed -> answered -> free (after a day); claimed -> released (its
 * request ended without an answer, or its process is dead) -> claimed; claimed -> free (nothing was created).
 */
export async function claimKey(
  pool: Pool,
  use: IdempotentUse,
  { newResourceId, processId }: { newResourceId: string; processId: string },
): Promise<Claim> {
  const identity = [use.workspaceId, use.route, use.key];
  const { rows: claimed } = await pool.query({
    name: 'idempotency_claim',
    text: CLAIM,
    values: [...identity, use.fingerprint, newResourceId, LEASE_SECONDS, processId],
  });
  if (claimed[0]) {
    const resourceId = claimed[0].resource_id as string;
    return { outcome: 'claimed', resourceId, isFirst: resourceId === newResourceId, use: { ...use, processId } };
  }
  const { rows } = await pool.query({ name: 'idempotency_read', text: READ, values: identity });
  const row = rows[0];
  if (!row) return { outcome: 'running', isSilent: false };
  if (!use.fingerprint.equals(row.fingerprint)) return { outcome: 'conflict' };
  if (row.status === null) return { outcome: 'running', isSilent: row.is_silent };
  return { outcome: 'answered', answer: { status: row.status, headers: row.headers, body: row.body } };
}

/** Renews the claim while its request runs, under the process's current id: it gets another one after a pause beyond its lease. */
export async function renewClaim(pool: Pool, use: ClaimedUse, processId: string): Promise<void> {
  const values = [...heldBy(use), LEASE_SECONDS, processId];
  const { rowCount } = await pool.query({ name: 'idempotency_lease', text: LEASE, values });
  if (rowCount === 1) use.processId = processId;
}

/** Releases a claim without an answer: the next request with this key continues at once, with the same resource id. */
export async function releaseClaim(pool: Pool, use: ClaimedUse): Promise<void> {
  await pool.query({ name: 'idempotency_lease', text: LEASE, values: [...heldBy(use), 0, use.processId] });
}

/** Deletes a claim that created nothing: the key is free for any request. */
export async function dropClaim(pool: Pool, use: ClaimedUse): Promise<void> {
  await pool.query({ name: 'idempotency_drop', text: DROP, values: heldBy(use) });
}

/** Stores the answer for a day. */
export async function storeAnswer(pool: Pool, use: ClaimedUse, answer: StoredAnswer): Promise<void> {
  const { status, headers, body } = answer;
  await pool.query({
    name: 'idempotency_store',
    text: STORE,
    values: [...heldBy(use), status, JSON.stringify(headers), body],
  });
}

const heldBy = ({ workspaceId, route, key, processId }: ClaimedUse) => [workspaceId, route, key, processId];

/** Deletes keys older than a day. Returns how many. */
export const pruneKeys = (client: Queryable): Promise<number> =>
  deleteInPortions(client, 'idempotency_keys', `created_at < now() - interval '${KEY_HOURS} hours'`);

const processIs = (state: string) => `exists (select from processes p where p.id = old.process_id and ${state})`;

// Raw: prepared statements in the path of every request with a key; one of them decides between new, taken over and refused.
const CLAIM = `
insert into idempotency_keys as old (workspace_id, route, key, fingerprint, resource_id, running_until, process_id)
values ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 second', $7)
on conflict (workspace_id, route, key) do update set
  fingerprint = excluded.fingerprint, running_until = excluded.running_until, process_id = excluded.process_id,
  status = null, headers = null, body = null,
  resource_id = case when old.created_at < now() - interval '${KEY_HOURS} hours' then excluded.resource_id else old.resource_id end,
  created_at = case when old.created_at < now() - interval '${KEY_HOURS} hours' then now() else old.created_at end
where old.created_at < now() - interval '${KEY_HOURS} hours'
  or (old.status is null and old.fingerprint = excluded.fingerprint
    and (old.running_until <= clock_timestamp() or ${processIs('p.reaped_at is not null')}))
returning resource_id`;
const READ = `
select fingerprint, status, headers, body,
  status is null and ${processIs(`p.renewed_at < clock_timestamp() - interval '${SILENT_SECONDS} seconds'`)} as is_silent
from idempotency_keys old where workspace_id = $1 and route = $2 and key = $3`;
// A request that was paused beyond its claim changes nothing of the one that took it over.
const HELD = 'workspace_id = $1 and route = $2 and key = $3 and process_id = $4 and status is null';
const LEASE = `
update idempotency_keys set running_until = clock_timestamp() + $5 * interval '1 second', process_id = $6
where ${HELD}`;
const DROP = `delete from idempotency_keys where ${HELD}`;
const STORE = `update idempotency_keys set status = $5, headers = $6, body = $7 where ${HELD}`;
