import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { inWorkspace, type Entities, type EntityManager } from '../postgres/tenant.ts';

/** A key, and what was spent with it in the current UTC day and month by the database's clock. Amounts in nano-USD. */
export interface KeyUsage {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  rpmLimit: number | null;
  concurrencyLimit: number | null;
  spendLimitNanos: bigint | null;
  /** When the ceiling is reset; null without a ceiling, and for one that never is. */
  spendLimitPeriod: 'daily' | 'monthly' | null;
  dailyNanos: bigint;
  monthlyNanos: bigint;
  totalNanos: bigint;
}

/** All keys that the workspace ever had, newest first. */
export function listKeyUsage(orm: LazyOrm, workspaceId: string): Promise<KeyUsage[]> {
  return inWorkspace(orm, workspaceId, (em, entities) => readUsage(em, entities, { workspaceId }));
}

/** One that is neither revoked nor expired, or undefined. */
export async function findKeyUsage(orm: LazyOrm, workspaceId: string, id: string): Promise<KeyUsage | undefined> {
  const [usage] = await inWorkspace(orm, workspaceId, (em, entities) =>
    readUsage(em, entities, { workspaceId, id, ...isUsable(entities) }),
  );
  return usage;
}

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

const isUsable = ({ unexpired }: Entities) => ({ revokedAt: null, ...unexpired() });

async function readUsage(
  em: EntityManager,
  { ApiKey }: Entities,
  which: FilterQuery<InferEntity<typeof ApiKey>>,
): Promise<KeyUsage[]> {
  const keys = await em.find(ApiKey, which, { orderBy: { createdAt: 'desc', id: 'desc' } });
  const spending = await readSpending(
    em,
    keys.map(({ id }) => id),
  );
  return keys.map((key) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt ?? null,
    expiresAt: key.expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    rpmLimit: key.rpmLimit ?? null,
    concurrencyLimit: key.concurrencyLimit ?? null,
    spendLimitNanos: key.spendLimitNanos ?? null,
    spendLimitPeriod: (key.spendLimitPeriod ?? null) as KeyUsage['spendLimitPeriod'],
    ...(spending.get(key.id) ?? ZERO_SPENDING),
  }));
}

type Spending = Pick<KeyUsage, 'dailyNanos' | 'monthlyNanos' | 'totalNanos'>;

const ZERO_SPENDING: Spending = { dailyNanos: 0n, monthlyNanos: 0n, totalNanos: 0n };

async function readSpending(em: EntityManager, keyIds: string[]): Promise<Map<string, Spending>> {
  if (keyIds.length === 0) return new Map();
  const rows = await em.execute<{ key_id: string; daily: string; monthly: string; total: string }[]>(SPENDING, [
    keyIds,
  ]);
  const entries = rows.map((row): [string, Spending] => [
    row.key_id,
    { dailyNanos: BigInt(row.daily), monthlyNanos: BigInt(row.monthly), totalNanos: BigInt(row.total) },
  ]);
  return new Map(entries);
}

const SPENDING = `
select d.key_id, sum(d.spent_nanos) as total, coalesce(sum(d.spent_nanos) filter (where d.day = today), 0) as daily,
  coalesce(sum(d.spent_nanos) filter (where d.day >= date_trunc('month', today)), 0) as monthly
from key_days d, (select (now() at time zone 'utc')::date as today) t where d.key_id in (?) group by d.key_id`;
