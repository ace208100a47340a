import type { InferEntity } from '@mikro-orm/core';
import type { ApiKey } from '../entities/workspace.ts';
import { newId } from '../ids.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { sendNotice } from '../postgres/notices.ts';
import type { AnyRows, AnyTransaction, RowsOfAll, Transaction } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { modeOf } from '../workspaces/mode.ts';
import { hashKeySecret, newKeySecret, prefixOf } from './keySecret.ts';
import type { Queryable } from '../postgres/queryable.ts';

export type KeyRow = InferEntity<typeof ApiKey>;

/** The rights and limits of a new key. Amounts in nano-USD; null limits mean the default tier, a null ceiling none. */
export type NewKey = Pick<KeyRow, 'workspaceId' | 'name' | 'scopes'> &
  Partial<
    Limits &
      Lineage &
      Pick<
        KeyRow,
        'id' | 'projectId' | 'createdBy' | 'origin' | 'ownerUserId' | 'memberUserId' | 'logDays' | 'noRetention'
      >
  > & {
    /** A configured secret, instead of a random one. */
    secret?: string;
  };

/** The limits of a key, each null for none or the default tier. */
export type Limits = Pick<
  KeyRow,
  | 'spendLimitNanos'
  | 'spendLimitPeriod'
  | 'rpmLimit'
  | 'concurrencyLimit'
  | 'expiresAt'
  | 'allowedIps'
  | 'allowedAgents'
>;

/** What a derived key has beyond its limits. */
export type Lineage = Pick<KeyRow, 'parentId' | 'ancestors' | 'inTree'>;

/** The hash of a secret as stored in its column. */
export const hashOf = (secret: string) => Buffer.from(hashKeySecret(secret), 'hex');

/** Creates a key. `secret` is only available here: only its hash is stored. */
export function createKey(
  rows: AnyRows,
  { id = newId('key'), workspaceId, secret = newKeySecret(modeOf(workspaceId)), ...key }: NewKey,
): Promise<{ id: string; secret: string }> {
  return rows.transaction(async (tx) => {
    const { em, Account, ApiKey } = tx;
    const account = await em.findOne(Account, { workspaceId });
    if (!account) throw new Error(`no such workspace: ${workspaceId}`);
    const hash = hashOf(secret);
    await em.insert(ApiKey, { id, workspaceId, accountId: account.id, hash, prefix: prefixOf(secret), ...key });
    await recordKeyEvent(tx, id, 'key.created');
    return { id, secret };
  });
}

/**
 * Revokes a key with all of its secrets, and all its descendants, everywhere within a second, audited. A notice cancels its runs, except
 * running ones with `keepsRuns`, and the sweep those that miss it. False: it does not exist, or was revoked before.
 */
export function revokeKey(
  { everywhere }: Pick<RowsOfAll, 'everywhere'>,
  keyId: string,
  { keepsRuns = false, by = { keyId: null, requestId: '' } }: { keepsRuns?: boolean; by?: Actor } = {},
): Promise<boolean> {
  return everywhere.transaction(async (tx) => {
    if (!(await revokeWithin(tx, keyId, keepsRuns))) return false;
    const { workspaceId } = await tx.em.findOneOrFail(tx.ApiKey, { id: keyId });
    await audit(tx, by, { workspaceId, action: 'revoke_key', subjectType: 'api_key', subjectId: keyId });
    return true;
  });
}

/** The same in a transaction, wherever a key ends; finds only the keys of the transaction's workspace. */
export async function revokeWithin(tx: AnyTransaction, keyId: string, keepsRuns = false): Promise<boolean> {
  const revoked: { id: string; workspaceId: string }[] = [];
  // A key of the tree may make another until its own row is locked: the next look finds that one.
  for (let found = 1; found > 0;) {
    const given = [keyId, keepsRuns, tx.workspaceId ?? null];
    const { rows } = await tx.client.query<(typeof revoked)[number]>(REVOKE_TREE, given);
    revoked.push(...rows);
    found = rows.length;
  }
  for (const { id, workspaceId } of revoked) {
    await announceChange(tx, id);
    await sendNotice(tx.client, { kind: 'revoked', workspaceId });
    await recordKeyEvent(tx, id, 'key.revoked');
  }
  return revoked.some(({ id }) => id === keyId);
}

// Raw: locks the keys in the ledger's order.
const REVOKE_TREE = `
with tree as (
  select id from api_keys
  where (id = $1 or (parent_id is not null and ancestors @> array[$1::text])) and revoked_at is null
    and ($3::text is null or workspace_id = $3)
  order by id collate "C" for update)
update api_keys set revoked_at = now(), keeps_runs = $2 where id in (select id from tree) returning id, workspace_id as "workspaceId"`;

/** Members' keys have no secret, and come and go with their memberships. */
async function recordKeyEvent(tx: AnyTransaction, id: string, type: 'key.created' | 'key.revoked'): Promise<void> {
  const { workspaceId, name, prefix, memberUserId } = await tx.em.findOneOrFail(tx.ApiKey, { id });
  if (memberUserId !== null) return;
  await recordEvent(tx, workspaceId, { type, resourceType: 'api_key', resourceId: id, data: { id, name, prefix } });
}

/** Makes every process read a key again, once the transaction commits. */
export async function announceChange(
  { em, client, sql, ApiKey, RotatedSecret }: AnyTransaction,
  keyId: string,
): Promise<void> {
  const key = await em.findOneOrFail(ApiKey, { id: keyId });
  const earlier = await em.find(RotatedSecret, { keyId, expiresAt: { $gt: sql.now() } });
  for (const { hash } of [key, ...earlier])
    await sendNotice(client, { kind: 'key', hash: Buffer.from(hash).toString('hex') });
}

/**
 * Whether a key may spend by another one's rights: by its own, by those of the keys below it, and by all if nothing limits it. A key that
 * another one made, or that has a spend limit or a list of agents, could pass its limits that way.
 */
export async function maySpendBy({ pool }: { pool: Queryable }, keyId: string, payerId: string): Promise<boolean> {
  return keyId === payerId || (await pool.query(SPENDS_BY, [keyId, payerId])).rows.length > 0;
}

const SPENDS_BY = `
select from api_keys where id = $1 and parent_id is null and spend_limit_nanos is null and allowed_agents is null
union all select from api_keys where id = $2 and parent_id is not null and ancestors @> array[$1::text]`;

/** Whether a change of a key or a project is one of its ceiling. */
export const changesLimit = (change: Partial<Pick<KeyRow, 'spendLimitNanos' | 'spendLimitPeriod'>>): boolean =>
  change.spendLimitNanos !== undefined || change.spendLimitPeriod !== undefined;

/** Makes every process return what it has taken to spend, once the transaction commits: a changed ceiling binds the next call. */
export async function freeSlices({ em, client, Account, workspaceId }: Transaction): Promise<void> {
  const { id: accountId } = await em.findOneOrFail(Account, { workspaceId });
  await sendNotice(client, { kind: 'scarce', accountId });
}

/** Whether a key ever had this secret: revoked and rotated ones count. */
export function isKnownSecret(rows: AnyRows, secret: string): Promise<boolean> {
  return rows.transaction(async ({ em, ApiKey, RotatedSecret }) => {
    const hash = hashOf(secret);
    return (await em.count(ApiKey, { hash })) + (await em.count(RotatedSecret, { hash })) > 0;
  });
}

/** The person who made a key, or undefined for a key of the command line. */
export async function findKeyOwner(rows: AnyRows, id: string): Promise<string | undefined> {
  const key = await rows.statement(({ em, ApiKey }) => em.findOne(ApiKey, { id }));
  return key?.ownerUserId ?? undefined;
}

/** The key with that id, otherwise all keys whose displayed part begins with it: it is not unique. */
export const findKeysNamed = (rows: AnyRows, idOrPrefix: string): Promise<KeyRow[]> =>
  rows.statement(({ em, ApiKey, sql }) =>
    em.find(
      ApiKey,
      { $or: [{ id: idOrPrefix }, { [sql`starts_with(prefix, ${idOrPrefix})`]: [] }] },
      { orderBy: { createdAt: 'asc', id: 'asc' } },
    ),
  );
