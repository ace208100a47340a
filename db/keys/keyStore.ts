import type { InferEntity } from '@mikro-orm/core';
import type { ApiKey } from '../entities/workspace.ts';
import { newId } from '../ids.ts';
import type { Notices } from '../postgres/notices.ts';
import type { AnyRows, Bound, RowsOfAll } from '../postgres/rows.ts';
import { hashKeySecret, newKeySecret, prefixOf } from './keySecret.ts';

export type KeyRow = InferEntity<typeof ApiKey>;

/** What a new key may do. Amounts in nano-USD; null limits mean the default tier, a null ceiling none. */
export type NewKey = Pick<KeyRow, 'workspaceId' | 'name' | 'scopes'> &
  Partial<Pick<KeyRow, 'spendLimitNanos' | 'spendLimitPeriod' | 'rpmLimit' | 'concurrencyLimit'>> & {
    /** A secret that was agreed elsewhere, instead of a new one. */
    secret?: string;
  };

const hashOf = (secret: string) => Buffer.from(hashKeySecret(secret), 'hex');

/** Makes a key. `secret` is shown this once: only its hash is stored. */
export function createKey(
  rows: AnyRows,
  { secret = newKeySecret(), workspaceId, ...key }: NewKey,
): Promise<{ id: string; secret: string }> {
  const id = newId('key');
  return rows.transaction(async ({ em, Account, ApiKey }) => {
    const account = await em.findOne(Account, { workspaceId });
    if (!account) throw new Error(`no such workspace: ${workspaceId}`);
    const hash = hashOf(secret);
    await em.insert(ApiKey, { id, workspaceId, accountId: account.id, hash, prefix: prefixOf(secret), ...key });
    return { id, secret };
  });
}

/**
 * Revokes a key, everywhere within a second; the sweep cancels its runs, but for those that work when `keepsRuns`. False: it does not exist,
 * or was revoked before.
 */
export function revokeKey(
  { everywhere, notices }: Pick<RowsOfAll, 'everywhere'> & { notices: Pick<Notices, 'send'> },
  keyId: string,
  { keepsRuns = false } = {},
): Promise<boolean> {
  return everywhere.transaction(async ({ client, em, ApiKey, sql }) => {
    const isActive = { id: keyId, revokedAt: null };
    if ((await em.nativeUpdate(ApiKey, isActive, { revokedAt: sql.now(), keepsRuns })) === 0) return false;
    const { hash } = await em.findOneOrFail(ApiKey, { id: keyId });
    // Sent at the commit.
    await notices.send(client, { kind: 'key', hash: Buffer.from(hash).toString('hex') });
    return true;
  });
}

/** Whether a key with this secret was ever made, revoked ones included. */
export async function isKnownSecret(rows: AnyRows, secret: string): Promise<boolean> {
  return (await rows.statement(({ em, ApiKey }) => em.count(ApiKey, { hash: hashOf(secret) }))) === 1;
}

/** The key with that id, else all keys whose shown part begins so: it is not unique. */
export const findKeysNamed = (rows: AnyRows, idOrPrefix: string): Promise<KeyRow[]> =>
  rows.statement(({ em, ApiKey, sql }) =>
    em.find(
      ApiKey,
      { $or: [{ id: idOrPrefix }, { [sql`starts_with(prefix, ${idOrPrefix})`]: [] }] },
      { orderBy: { createdAt: 'asc', id: 'asc' } },
    ),
  );

/** A key, and what was spent with it in the current UTC day and month by the database's clock. Amounts in nano-USD. */
export type KeyUsage = KeyRow & Spending;

interface Spending {
  dailyNanos: bigint;
  monthlyNanos: bigint;
  totalNanos: bigint;
}

/** All keys that the workspace ever had, newest first. */
export const listKeyUsage = (rows: AnyRows): Promise<KeyUsage[]> =>
  rows.transaction(async (tx) =>
    withSpending(tx, await tx.em.find(tx.ApiKey, {}, { orderBy: { createdAt: 'desc', id: 'desc' } })),
  );

/** One that is neither revoked nor expired, or undefined. */
export const findKeyUsage = (rows: AnyRows, id: string): Promise<KeyUsage | undefined> =>
  rows.transaction(async (tx) => {
    const { em, ApiKey, unexpired } = tx;
    const [usage] = await withSpending(tx, await em.find(ApiKey, { id, revokedAt: null, ...unexpired() }));
    return usage;
  });

/** What is left of a key's ceiling in its current period, at least 0; null without a ceiling. */
export function limitRemainingNanosOf(key: KeyUsage): bigint | null {
  if (key.spendLimitNanos === null) return null;
  const leftNanos = key.spendLimitNanos - spentInPeriodNanosOf(key);
  return leftNanos > 0n ? leftNanos : 0n;
}

function spentInPeriodNanosOf({ spendLimitPeriod, dailyNanos, monthlyNanos, totalNanos }: KeyUsage): bigint {
  switch (spendLimitPeriod) {
    case 'daily':
      return dailyNanos;
    case 'monthly':
      return monthlyNanos;
    case null:
      return totalNanos;
    default:
      return spendLimitPeriod satisfies never;
  }
}

const ZERO_SPENDING: Spending = { dailyNanos: 0n, monthlyNanos: 0n, totalNanos: 0n };

async function withSpending({ em, KeyDay, sql }: Bound<unknown>, keys: KeyRow[]): Promise<KeyUsage[]> {
  if (keys.length === 0) return [];
  const today = sql`(now() at time zone 'utc')::date`;
  const spent = await em
    .qb(KeyDay)
    .select([
      'keyId',
      sql`sum(spent_nanos)`.as('total'),
      sql`coalesce(sum(spent_nanos) filter (where day = ${today}), 0)`.as('daily'),
      sql`coalesce(sum(spent_nanos) filter (where day >= date_trunc('month', ${today})), 0)`.as('monthly'),
    ])
    .where({ keyId: { $in: keys.map(({ id }) => id) } })
    .groupBy('keyId')
    .execute<{ key_id: string; daily: string; monthly: string; total: string }[]>('all', false);
  const byKey = new Map(
    spent.map(({ key_id, daily, monthly, total }) => [
      key_id,
      { dailyNanos: BigInt(daily), monthlyNanos: BigInt(monthly), totalNanos: BigInt(total) },
    ]),
  );
  return keys.map((key) => ({ ...key, ...(byKey.get(key.id) ?? ZERO_SPENDING) }));
}
