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

const SPENT_BY_PROJECT = `
select coalesce(sum(j.spent_nanos), 0) from project_days j where j.project_id = w.project_id and j.day >= w.start and j.day < w.until`;
const SPENT_BY_KEYS = `
select coalesce(sum(d.spent_nanos), 0) from key_days d where d.day >= w.start and d.day < w.until and d.key_id = any (array(
  select k.id from api_keys k where k.workspace_id = w.workspace_id
    and (w.key_id is null or k.id = w.key_id or (k.in_tree and k.parent_id is not null and k.ancestors @> array[w.key_id]))))`;

/**
 * SQL: each alert with what it watches, now. `start`: of its period (UTC, by the workspace's clock), `spent` and `level` of a budget; `runway`
 * in days and `available` of a balance, null while nothing is spent. A short runway ends only when it is a fifth longer than the alert's
 * days: a balance that moves around them causes one event. `where` is a condition on `alerts a`. `ofLast`: of the period before.
 *
 * Alerts that watch the same share a sum, and `offset 0` keeps it from being repeated for each of its uses: it reads a row for each key and day.
 */
export const stateSql = (where: string, { available = AVAILABLE, ofLast = false } = {}): string => `
select a.*, g.start, g.spent, v.available, v.runway,
  case when a.kind = 'spend' then coalesce((select max(p) from unnest(a.percentages) p where g.spent * 100 >= a.amount_nanos * p), 0)
    when v.runway < a.days or (a.told_level = 1 and v.runway < a.days * 1.2) then 1 else 0 end as level
from (
  select w.*, case when w.project_id is not null then (${SPENT_BY_PROJECT}) else (${SPENT_BY_KEYS}) end::bigint as spent
  from (
    select a.workspace_id, a.key_id, a.project_id, c.now, p.start, p.until, array_agg(a.id) as ids
    from alerts a
    cross join lateral (select ${NOW} as now) c
    cross join lateral (select coalesce(${begunSql('a.period', 'c.now')}, c.now::date - ${MEAN_DAYS}) as begun) n
    cross join lateral (select ${boundsSql('a.period', 'n.begun', { ofLast })}) p
    where ${where} group by 1, 2, 3, 4, 5, 6) w
  offset 0) g
join alerts a on a.id = any (g.ids)
cross join lateral (
  select m.available, case when a.kind = 'runway' and g.spent > 0
    then greatest(m.available, 0) * (${MEAN_DAYS} + extract(epoch from g.now - g.now::date) / 86400) / g.spent end as runway
  from (select ${available} as available) m) v`;

/** A runway of this SQL in days: to one decimal, never more than there is. */
export const runwayDaysOf = (runway: string): number => Math.floor(Number(runway) * 10) / 10;
