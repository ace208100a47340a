import type { FilterQuery } from '@mikro-orm/core';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyRows, Bound, Rows } from '../postgres/rows.ts';
import type { KeyRow } from './keyStore.ts';

/** A key and its spending in the current UTC day and month by the database's clock. Amounts in nano-USD. */
export type KeyUsage = KeyRow & Spending & { previousExpiresAt: Date | null; ofTree: Spending };

interface Spending {
  dailyNanos: bigint;
  monthlyNanos: bigint;
  totalNanos: bigint;
}

/** A key and its own spending in these periods, without that of its descendants. */
export type KeyWithSpending = KeyRow & Pick<Spending, 'dailyNanos' | 'monthlyNanos'>;

/** All keys that the workspace ever had, newest first, except members' keys, which have no secret. */
export const listKeyUsage = (rows: Rows): Promise<KeyWithSpending[]> =>
  rows.transaction(async ({ em, client, ApiKey, workspaceId }) => {
    const keys = await em.find(ApiKey, { memberUserId: null }, { orderBy: { createdAt: 'desc', id: 'desc' } });
    const values = [workspaceId, keys.map(({ id }) => id)];
    const spent = (await client.query<{ id: string; daily: string; monthly: string }>(SPENT_LATELY, values)).rows;
    const byKey = new Map(spent.map((row) => [row.id, row]));
    return keys.map((key) => {
      const { daily, monthly } = byKey.get(key.id) ?? { daily: 0, monthly: 0 };
      return { ...key, dailyNanos: BigInt(daily), monthlyNanos: BigInt(monthly) };
    });
  });

// Raw: sums by key. Keys of years have many days before this month, which the index leaves out.
const SPENT_LATELY = `
with today as materialized (select (ledger_now($1) at time zone 'utc')::date as day)
select d.key_id as id, coalesce(sum(d.spent_nanos) filter (where d.day = (select t.day from today t)), 0)::text as daily,
  sum(d.spent_nanos)::text as monthly
from key_days d where d.key_id = any ($2) and d.day >= (select date_trunc('month', t.day)::date from today t) group by 1`;

/** Filters of a list of keys. */
export interface KeyFilter {
  /** A part of the name or prefix, or a whole id. */
  words?: string | undefined;
  status?: 'live' | 'expired' | 'revoked' | undefined;
  scope?: string | undefined;
  /** Null: the default one. */
  projectId?: string | null | undefined;
  ownerUserId?: string | undefined;
}

/** A page of the same keys, filtered. */
export function readKeysUsage(
  rows: AnyRows,
  { after, limit, ...filter }: KeyFilter & PageQuery,
): Promise<{ rows: KeyUsage[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    const page = await readPage(tx, tx.ApiKey, whereOf(tx, filter), { after, limit });
    return { ...page, rows: await withSpending(tx, page.rows) };
  });
}

function whereOf({ sql, unexpired }: Bound<unknown>, filter: KeyFilter): FilterQuery<KeyRow> {
  const { words, status, scope, projectId, ownerUserId } = filter;
  const states = {
    live: { revokedAt: null, ...unexpired() },
    expired: { revokedAt: null, expiresAt: { $lte: sql.now() } },
    revoked: { revokedAt: { $ne: null } },
  };
  return {
    $and: [
      { memberUserId: null },
      status ? states[status] : {},
      scope === undefined ? {} : { scopes: { $contains: [scope] } },
      projectId === undefined ? {} : { projectId },
      ownerUserId === undefined ? {} : { ownerUserId },
      words === undefined
        ? {}
        : { $or: [{ id: words }, { [sql`strpos(lower(name || ' ' || prefix), lower(${words}))`]: { $gt: 0 } }] },
    ],
  };
}

/** A key that is neither revoked nor expired, or undefined. */
export const findKeyUsage = (rows: AnyRows, id: string): Promise<KeyUsage | undefined> =>
  rows.transaction(async (tx) => {
    const { em, ApiKey, unexpired } = tx;
    const [usage] = await withSpending(tx, await em.find(ApiKey, { id, revokedAt: null, ...unexpired() }));
    return usage;
  });

/** A key of the workspace in any state, or undefined. */
export const readKeyUsage = (rows: AnyRows, id: string): Promise<KeyUsage | undefined> =>
  rows.transaction(async (tx) => (await withSpending(tx, await tx.em.find(tx.ApiKey, { id })))[0]);

/** The remainder of a key's own ceiling in its current period, including the spending of all its descendants; null without a ceiling. */
export function limitRemainingNanosOf(key: KeyUsage): bigint | null {
  if (key.spendLimitNanos === null) return null;
  const leftNanos = key.spendLimitNanos - spentInPeriodNanosOf(key);
  return leftNanos > 0n ? leftNanos : 0n;
}

function spentInPeriodNanosOf({
  spendLimitPeriod,
  ofTree: { dailyNanos, monthlyNanos, totalNanos },
}: KeyUsage): bigint {
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

async function withSpending(tx: Bound<unknown>, keys: KeyRow[]): Promise<KeyUsage[]> {
  if (keys.length === 0) return [];
  const { em, RotatedSecret, sql } = tx;
  const keyIds = keys.map(({ id }) => id);
  const spent = (await tx.client.query<SpentRow>(SPENT, [keyIds])).rows;
  const byKey = new Map(spent.map(({ id, own, tree }) => [id, { ...spendingOf(own), ofTree: spendingOf(tree) }]));
  const live = { keyId: { $in: keyIds }, expiresAt: { $gt: sql.now() } };
  const earlier = await em.find(RotatedSecret, live, { orderBy: { expiresAt: 'asc' } });
  const lastEnds = new Map(earlier.map(({ keyId, expiresAt }) => [keyId, expiresAt]));
  return keys.map((key) => ({
    ...key,
    ...(byKey.get(key.id) ?? { ...ZERO_SPENDING, ofTree: ZERO_SPENDING }),
    previousExpiresAt: lastEnds.get(key.id) ?? null,
  }));
}

type Texts = { daily: string; monthly: string; total: string };
type SpentRow = { id: string; own: Texts; tree: Texts };

const spendingOf = ({ daily, monthly, total }: Texts): Spending => ({
  dailyNanos: BigInt(daily),
  monthlyNanos: BigInt(monthly),
  totalNanos: BigInt(total),
});

const sumsOf = (isCounted: string): string => `
json_build_object('total', coalesce(sum(s.total) ${isCounted}, 0)::text, 'daily', coalesce(sum(s.daily) ${isCounted}, 0)::text,
  'monthly', coalesce(sum(s.monthly) ${isCounted}, 0)::text)`;

// Raw: sums over the descendants of a key. Each day is read once and the clock once a workspace, however many keys are asked for.
const SPENT = `
with asked as materialized (select id, workspace_id, in_tree from api_keys where id = any ($1)),
  today as materialized (
    select workspace_id, (ledger_now(workspace_id) at time zone 'utc')::date as day
    from (select distinct workspace_id from asked) w),
  members as materialized (
    select id as root, id from asked
    union all
    select a.id, c.id from api_keys c cross join unnest(c.ancestors) as a (id)
    where exists (select from asked where in_tree) and c.parent_id is not null
      and c.ancestors && array(select id from asked where in_tree) and a.id = any ($1)),
  spent as materialized (
    select d.key_id, sum(d.spent_nanos) as total, sum(d.spent_nanos) filter (where d.day = t.day) as daily,
      sum(d.spent_nanos) filter (where d.day >= date_trunc('month', t.day)) as monthly
    from key_days d join today t using (workspace_id)
    where d.key_id in (select id from members) group by d.key_id)
select m.root as id, ${sumsOf('filter (where s.key_id = m.root)')} as own, ${sumsOf('')} as tree
from members m join spent s on s.key_id = m.id group by m.root`;
