import { usdTextOf } from '../money.ts';
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
  spentNanos: string;
  level: 1 | 2;
}

// A limit for all time adds a row for each day of the key's use: one statement for all keys would reach its time limit.
const KEYS_AT_ONCE = 500;

/**
 * Records an event for each key when its spending of this period has reached 80 % of its limit, or the limit: each once in a period,
 * unless the limit changes. Returns how many.
 */
export async function noteKeyLimits(everywhere: Rows<undefined>): Promise<number> {
  let noted = 0;
  for (let afterId = ''; ;) {
    const { rows } = await everywhere.statement(({ client }) =>
      client.query<{ id: string }>(LIMITED, [afterId, KEYS_AT_ONCE]),
    );
    const ids = rows.map(({ id }) => id);
    noted += await noteLimitsOf(everywhere, ids);
    if (ids.length < KEYS_AT_ONCE) return noted;
    afterId = ids.at(-1)!;
  }
}

function noteLimitsOf(everywhere: Rows<undefined>, ids: string[]): Promise<number> {
  return everywhere.transaction(async (tx) => {
    const { rows } = await tx.client.query<Change>(NOTE, [THRESHOLD_PERCENT, REST_PARTS, REST_NANOS, ids]);
    for (const { id, workspaceId, name, prefix, limitNanos, period, spentNanos, level } of rows) {
      const data = {
        id,
        name,
        prefix,
        spend_limit_usd: usdTextOf(BigInt(limitNanos)),
        spend_limit_period: period,
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

// Raw: compares the spending of limited keys with the recorded marks. On a conflict it waits for the other check, and then finds
// nothing to change.
const NOTE = `
with limited as (
  select k.id, k.workspace_id, k.name, k.prefix, k.spend_limit_nanos, k.spend_limit_period, p.start, s.spent,
    case when s.spent + least(k.spend_limit_nanos / $2, $3) >= k.spend_limit_nanos then 2
      when s.spent * 100 >= k.spend_limit_nanos * $1::bigint then 1 else 0 end as level
  from api_keys k
  cross join lateral (select case k.spend_limit_period when 'daily' then (ledger_now(k.workspace_id) at time zone 'utc')::date
    when 'monthly' then date_trunc('month', ledger_now(k.workspace_id) at time zone 'utc')::date else '-infinity'::date end as start) p
  cross join lateral (select coalesce(sum(d.spent_nanos), 0)::bigint as spent from key_days d
    where d.key_id = any (array(select k.id union all select t.id from api_keys t where k.in_tree and t.parent_id is not null and t.ancestors @> array[k.id]))
      and d.day >= p.start) s
  where k.id = any ($4) and ${IS_LIMITED}),
seen as (
  select l.*, coalesce(n.level, 0) as before from limited l
  left join key_notices n on n.key_id = l.id and n.period_start = l.start
  where l.level <> coalesce(n.level, 0)),
noted as (
  insert into key_notices as n (key_id, period_start, level) select id, start, level from seen
  on conflict (key_id) do update set period_start = excluded.period_start, level = excluded.level
  where (n.period_start, n.level) is distinct from (excluded.period_start, excluded.level)
  returning key_id)
select s.id, s.workspace_id as "workspaceId", s.name, s.prefix, s.spend_limit_nanos as "limitNanos", s.spend_limit_period as period,
  s.spent as "spentNanos", s.level
from seen s join noted on noted.key_id = s.id where s.level > s.before`;
