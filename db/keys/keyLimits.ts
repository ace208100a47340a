import { usdTextOf } from '../money.ts';
import { begunSql, boundsSql, isToldLateSql } from '../periodSql.ts';
import { recordEvent } from '../events/platformEvents.ts';
import type { Rows } from '../postgres/rows.ts';

// The remainder is too small for any call: a hundredth of a cent, or less of a small limit.
const REST_NANOS = 100_000n;
const REST_PARTS = 100n;
const THRESHOLD_PERCENT = 80n;

interface Change {
  id: string;
  workspaceId: string;
  name: string;
  prefix: string;
  limitNanos: string;
  period: 'daily' | 'monthly' | null;
  periodStart: string | null;
  spentNanos: string;
  level: 1 | 2;
}

// A limit for all time adds a row for each day of the key's use: one statement for all keys would reach its time limit.
const KEYS_AT_ONCE = 500;

/**
 * Records an event for each key when its spending of a period has reached 80 % of its limit, or the limit: each once in a period, unless
 * the limit changes. What is spent late counts: in the last minute of a period, or by a run that was ordered in it and ended after it.
 * Returns how many.
 */
export async function noteKeyLimits(everywhere: Rows<undefined>): Promise<number> {
  let noted = 0;
  for (let afterId = ''; ;) {
    const { rows } = await everywhere.statement(({ client }) =>
      client.query<{ id: string }>(LIMITED, [afterId, KEYS_AT_ONCE]),
    );
    const ids = rows.map(({ id }) => id);
    // Each in a transaction of its own, which takes its keys in order: of two checks at a time, one waits and not both.
    for (const hasEnded of [true, false]) noted += await noteLimitsOf(everywhere, { ids, hasEnded });
    if (ids.length < KEYS_AT_ONCE) return noted;
    afterId = ids.at(-1)!;
  }
}

/** Of the present periods of these keys, or of those that have ended last. */
function noteLimitsOf(
  everywhere: Rows<undefined>,
  { ids, hasEnded }: { ids: string[]; hasEnded: boolean },
): Promise<number> {
  return everywhere.transaction(async (tx) => {
    const values = [THRESHOLD_PERCENT, REST_PARTS, REST_NANOS, ids];
    const { rows } = await tx.client.query<Change>(noteSql(hasEnded), values);
    for (const { id, workspaceId, name, prefix, limitNanos, period, periodStart, spentNanos, level } of rows) {
      const data = {
        id,
        name,
        prefix,
        spend_limit_usd: usdTextOf(BigInt(limitNanos)),
        spend_limit_period: period,
        period_start: periodStart,
        period_ended: hasEnded,
        spent_usd: usdTextOf(BigInt(spentNanos)),
      };
      const type = level === 2 ? 'key.limit_reached' : 'key.spend_threshold';
      await recordEvent(tx, workspaceId, { type, resourceType: 'api_key', resourceId: id, data });
    }
    return rows.length;
  });
}

const IS_LIMITED = 'k.spend_limit_nanos > 0 and k.revoked_at is null and k.member_user_id is null';

const LIMITED = `select k.id from api_keys k where k.id > $1 and ${IS_LIMITED} order by k.id limit $2`;

// Raw: compares the spending of limited keys with the recorded marks. Of two checks at a time, the second waits and then finds another mark
// than it read.
const noteSql = (hasEnded: boolean) => `
with limited as (
  select k.id, k.workspace_id, k.name, k.prefix, k.spend_limit_nanos, k.spend_limit_period, p.start, s.spent, n.period_start, n.level as told,
    case when s.spent + least(k.spend_limit_nanos / $2, $3) >= k.spend_limit_nanos then 2
      when s.spent * 100 >= k.spend_limit_nanos * $1::bigint then 1 else 0 end as level
  from api_keys k
  left join key_notices n on n.key_id = k.id
  cross join lateral (select ledger_now(k.workspace_id) at time zone 'utc' as now) c
  cross join lateral (select coalesce(${begunSql('k.spend_limit_period', 'c.now')}, '-infinity'::date) as begun) b
  cross join lateral (select ${boundsSql('k.spend_limit_period', 'b.begun', { ofLast: hasEnded })}) p
  cross join lateral (select coalesce(sum(d.spent_nanos), 0)::bigint as spent from key_days d
    where d.key_id = any (array(select k.id union all select t.id from api_keys t where k.in_tree and t.parent_id is not null and t.ancestors @> array[k.id]))
      and d.day >= p.start and d.day < p.until) s
  where k.id = any ($4) and ${IS_LIMITED}${hasEnded ? ` and ${HAS_ENDED}` : ''}),
seen as (
  select l.*, b.before from limited l
  cross join lateral (select case when l.period_start = l.start then l.told else 0 end as before) b
  where l.level ${hasEnded ? '>' : '<>'} b.before),
noted as (
  insert into key_notices as n (key_id, period_start, level) select id, start, level from seen order by id
  on conflict (key_id) do update set period_start = excluded.period_start, level = excluded.level
  where exists (select from seen s where s.id = n.key_id and s.period_start = n.period_start and s.told = n.level)
  returning key_id)
select s.id, s.workspace_id as "workspaceId", s.name, s.prefix, s.spend_limit_nanos as "limitNanos", s.spend_limit_period as period,
  to_char(nullif(s.start, '-infinity'), 'YYYY-MM-DD') as "periodStart", s.spent as "spentNanos", s.level
from seen s join noted on noted.key_id = s.id where s.level > s.before order by s.id`;

const HAS_ENDED = `k.spend_limit_period is not null
  and ${isToldLateSql({ since: 'coalesce(k.limit_changed_at, k.created_at)', told: 'n.period_start' })}`;
