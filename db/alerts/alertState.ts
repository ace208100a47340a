import { begunSql, boundsSql } from '../periodSql.ts';

/** The whole days before today that the pace of spending is taken from. */
const MEAN_DAYS = 7;

/** SQL: what a workspace has that nothing holds. Slices that no running call needs are not held. Only for readers of every workspace's rows. */
const AVAILABLE = `
(select (t.posted_nanos - coalesce((select sum(h.amount_nanos) from holds h where h.account_id = t.id and h.state = 'open'), 0)
  + coalesce((select sum(i.idle_nanos) from ledger_idle(t.id) i), 0))::bigint
from accounts t where t.workspace_id = a.workspace_id and t.kind = 'customer')`;

const NOW = `(ledger_now(a.workspace_id) at time zone 'utc')`;

/** SQL: when the present period (UTC, by the workspace's clock) of an alert `a` on a budget began. */
export const BEGUN = `(${begunSql('a.period', NOW)})`;

/**
 * SQL: each alert with what it watches, now. `start`: of its period (UTC, by the workspace's clock), `spent` and `level` of a budget; `runway`
 * in days and `available` of a balance, null while nothing is spent. A short runway ends only when it is a fifth longer than the alert's
 * days: a balance that moves around them causes one event. `where` is a condition on `alerts a`. `ofLast`: of the period before.
 */
export const stateSql = (where: string, { available = AVAILABLE, ofLast = false } = {}): string => `
select a.*, v.start, v.spent, v.available, v.runway,
  case when a.kind = 'spend' then coalesce((select max(p) from unnest(a.percentages) p where v.spent * 100 >= a.amount_nanos * p), 0)
    when v.runway < a.days or (a.told_level = 1 and v.runway < a.days * 1.2) then 1 else 0 end as level
from alerts a
cross join lateral (select ${NOW} as now) c
cross join lateral (select coalesce(${begunSql('a.period', 'c.now')}, c.now::date - ${MEAN_DAYS}) as begun) n
cross join lateral (select ${boundsSql('a.period', 'n.begun', { ofLast })}) p
cross join lateral (select p.start, case when a.project_id is not null then (
  select coalesce(sum(j.spent_nanos), 0) from project_days j where j.project_id = a.project_id and j.day >= p.start and j.day < p.until)
  else (select coalesce(sum(d.spent_nanos), 0) from key_days d
  where d.day >= p.start and d.day < p.until and d.key_id = any (array(
    select k.id from api_keys k where k.workspace_id = a.workspace_id
      and (a.key_id is null or k.id = a.key_id or (k.in_tree and k.parent_id is not null and k.ancestors @> array[a.key_id]))))) end::bigint as spent) s
cross join lateral (
  select s.start, s.spent, m.available, case when a.kind = 'runway' and s.spent > 0
    then greatest(m.available, 0) * (${MEAN_DAYS} + extract(epoch from c.now - c.now::date) / 86400) / s.spent end as runway
  from (select ${available} as available) m) v
where ${where}`;

/** A runway of this SQL in days: to one decimal, never more than there is. */
export const runwayDaysOf = (runway: string): number => Math.floor(Number(runway) * 10) / 10;
