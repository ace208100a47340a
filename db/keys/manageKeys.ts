import { auditOf, type Actor } from '../workspaces/audit.ts';
import { usdTextOf } from '../money.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { modeOf } from '../workspaces/mode.ts';
import { narrowDescendants, type DefaultLimits } from './deriveKey.ts';
import { newKeySecret, prefixOf } from './keySecret.ts';
import { readKeyUsage, type KeyUsage } from './keyUsage.ts';
import { checkProject, type ProjectRefusal } from './placeKey.ts';
import { projectIdOf } from '../workspaces/defaultProject.ts';
import {
  announceChange,
  createKey,
  changesLimit,
  freeSlices,
  hashOf,
  revokeWithin,
  type KeyRow,
  type Limits,
  type NewKey,
} from './keyStore.ts';

const auditKey = auditOf('api_key');

/** A key manager, and the scopes they may give: keys with other scopes are out of reach. */
export interface Manager extends Actor {
  grantable: ReadonlySet<string>;
}

/** The changes to a key. Omitted members stay. */
export type KeyChange = Partial<Limits & Pick<KeyRow, 'name' | 'scopes' | 'projectId' | 'logDays' | 'noRetention'>>;

/** Why a key was not changed. */
export type KeyRefusal =
  'not_found' | 'revoked' | 'not_grantable' | 'period_without_limit' | 'derived' | ProjectRefusal;

/**
 * Creates a key of the workspace, audited. The caller chooses `id`: the secret is null when the key already exists. Reads it in the same
 * transaction: an error after the commit would lose the secret, and the caller would make another key.
 */
export function makeKey(
  rows: Rows,
  { id, by, ...key }: Omit<NewKey, 'workspaceId' | 'secret'> & { id: string; by: Actor },
): Promise<{ secret: string | null; key: KeyUsage } | ProjectRefusal> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const existing = await readKeyUsage(tx, id);
    if (existing) return { secret: null, key: existing };
    const refusal = await checkProject(tx, key.projectId ?? null);
    if (refusal) return refusal;
    const { secret } = await createKey(tx, { id, workspaceId, ...key });
    const { name, scopes, ownerUserId: _owner, ...limits } = key;
    const detail = { after: shown({ name, scopes, ...limits }) };
    await auditKey(tx, by, { action: 'create_key', id, detail });
    return { secret, key: (await readKeyUsage(tx, id))! };
  });
}

/**
 * Changes a key, in every process within a second, audited with the previous values. Removing a ceiling removes its period. The key's
 * descendants are narrowed with it, and move with it to another project: what they have spent stays where it was. Of a derived key only the
 * name can be changed. Returns it as it is then.
 */
export function updateKey(
  rows: Rows,
  keyId: string,
  { change, by, defaults }: { change: KeyChange; by: Manager; defaults: DefaultLimits },
): Promise<KeyUsage | KeyRefusal> {
  return rows.transaction(async (tx) => {
    const key = await lockKey(tx, keyId, by);
    if (typeof key === 'string') return key;
    const wanted = change.spendLimitNanos === null ? { spendLimitPeriod: null, ...change } : change;
    const after: KeyRow = { ...key, ...wanted };
    if (after.spendLimitPeriod !== null && after.spendLimitNanos === null) return 'period_without_limit';
    if (Object.keys(wanted).length === 0) return (await readKeyUsage(tx, keyId))!;
    if (key.parentId !== null && Object.keys(wanted).some((member) => member !== 'name')) return 'derived';
    const refusal = wanted.projectId === undefined ? undefined : await checkProject(tx, wanted.projectId);
    if (refusal) return refusal;
    const limited = changesLimit(wanted) ? { limitChangedAt: tx.sql`ledger_now(${tx.workspaceId})` } : {};
    await tx.em.nativeUpdate(tx.ApiKey, { id: keyId }, { ...wanted, ...limited });
    if (wanted.projectId !== undefined) await moveDescendants(tx, after);
    if (changesLimit(wanted)) await freeSlices(tx);
    for (const id of [keyId, ...(await narrowDescendants(tx, after, defaults))]) await announceChange(tx, id);
    const before = Object.fromEntries(Object.keys(wanted).map((name) => [name, key[name as keyof KeyChange]]));
    await auditKey(tx, by, {
      action: 'change_key',
      id: keyId,
      detail: { before: shown(before), after: shown(wanted) },
    });
    return (await readKeyUsage(tx, keyId))!;
  });
}

async function moveDescendants(tx: Transaction, { id: keyId, projectId }: KeyRow): Promise<void> {
  const { rows } = await tx.client.query<{ id: string }>(MOVE_TREE, [keyId, projectId, tx.workspaceId]);
  for (const { id } of rows) await announceChange(tx, id);
}

// Raw: the index of ancestors finds them.
const MOVE_TREE =
  'update api_keys set project_id = $2 where parent_id is not null and ancestors @> array[$1::text] and workspace_id = $3 returning id';

/**
 * Gives a key a new secret. Earlier secrets work for at most `graceSeconds` more; the id stays, and with it the ceiling, limits, usage
 * and runs. Audited. Returns the new secret and when the earlier ones end, with the key as it is then.
 */
export function replaceSecret(
  rows: Rows,
  keyId: string,
  { graceSeconds, by }: { graceSeconds: number; by: Manager },
): Promise<{ secret: string; previousExpiresAt: Date; key: KeyUsage } | KeyRefusal> {
  return rows.transaction(async (tx) => {
    const key = await lockKey(tx, keyId, by);
    if (typeof key === 'string') return key;
    const { em, sql, ApiKey, RotatedSecret } = tx;
    // Announced before they end, while they can still be found: processes read all of them again.
    await announceChange(tx, keyId);
    const end = sql`now() + make_interval(secs => ${graceSeconds})`;
    await em.nativeUpdate(RotatedSecret, { keyId, expiresAt: { $gt: end } }, { expiresAt: end });
    const { workspaceId } = rows;
    await em.insert(RotatedSecret, { hash: Buffer.from(key.hash), workspaceId, keyId, expiresAt: end });
    const secret = newKeySecret(modeOf(workspaceId));
    const prefix = prefixOf(secret);
    await em.nativeUpdate(ApiKey, { id: keyId }, { hash: hashOf(secret), prefix });
    const { expiresAt } = await em.findOneOrFail(RotatedSecret, { hash: Buffer.from(key.hash) });
    const detail = { before: { prefix: key.prefix }, after: { prefix }, grace_seconds: graceSeconds };
    await auditKey(tx, by, { action: 'rotate_key', id: keyId, detail });
    return { secret, previousExpiresAt: expiresAt, key: (await readKeyUsage(tx, keyId))! };
  });
}

/** Revokes a key of the workspace, audited; an already revoked key is unchanged. False: no such key. */
export function revokeOwnKey(rows: Rows, keyId: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    if (!(await tx.em.findOne(tx.ApiKey, { id: keyId, memberUserId: null }))) return false;
    if (await revokeWithin(tx, keyId)) await auditKey(tx, by, { action: 'revoke_key', id: keyId });
    return true;
  });
}

/** The effect of a revocation: requests of the last 24 hours, and open runs. Undefined: no such key. */
export async function findKeyImpact(rows: Rows, keyId: string) {
  return rows.transaction(async ({ em, client, ApiKey, workspaceId }) => {
    const key = await em.findOne(ApiKey, { id: keyId, memberUserId: null });
    if (!key) return undefined;
    const found = await client.query<{ requests: number; runs: number }>(IMPACT, [workspaceId, keyId]);
    const { requests, runs } = found.rows[0]!;
    return { requestsLastDay: requests, runsOpen: runs, lastUsedAt: key.lastUsedAt };
  });
}

const IMPACT = `
select (select count(*)::int from requests where workspace_id = $1 and key_id = $2 and settled_at > ledger_now($1) - interval '1 day') as requests,
  (select count(*)::int from runs where workspace_id = $1 and key_id = $2 and settled_at is null) as runs`;

/** Locks and returns a key that the manager may change; otherwise they could gain its scopes. A member's own key cannot be managed. */
async function lockKey(tx: Transaction, id: string, { grantable }: Manager): Promise<KeyRow | KeyRefusal> {
  const { em, ApiKey, LockMode } = tx;
  const key = await em.findOne(ApiKey, { id, memberUserId: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!key) return 'not_found';
  if (key.revokedAt !== null) return 'revoked';
  return key.scopes.every((scope) => grantable.has(scope)) ? key : 'not_grantable';
}

/** A change as the audit shows it: never a secret, names as in the API. */
function shown({ name, scopes, spendLimitNanos, spendLimitPeriod, rpmLimit, concurrencyLimit, ...rest }: KeyChange) {
  const members = {
    name,
    scopes,
    spend_limit_usd: typeof spendLimitNanos === 'bigint' ? usdTextOf(spendLimitNanos) : spendLimitNanos,
    spend_limit_period: spendLimitPeriod,
    rpm_limit: rpmLimit,
    concurrency_limit: concurrencyLimit,
    expires_at: rest.expiresAt,
    allowed_ips: rest.allowedIps,
    allowed_agents: rest.allowedAgents,
    log_days: rest.logDays,
    no_retention: rest.noRetention,
    project_id: rest.projectId === undefined ? undefined : projectIdOf(rest.projectId),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
