import { CALL_UNITS } from '../catalog/catalogFile.ts';
import { PLAN_WHOLE_TABLES } from '../postgres/planning.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';
import { OPEN_MINUTES } from './completedHours.ts';

const BUDGET_MS = 5_000;
const STATEMENT_MS = 120_000;

const dayOf = (time: string) => `(${time} at time zone 'utc')::date`;
const unitSums = CALL_UNITS.map((unit) => `'${unit}', sum((q.usage ->> '${unit}')::numeric)`).join(', ');

/**
 * SQL: what live workspaces were charged between two times, by day, product, model and upstream, read from the calls and runs themselves.
 * Amounts follow the ledger: a call counts at the time of its debit, and an entry that changed its bill later at its own time.
 */
export const chargesSql = ({ since, until, hasUnits }: { since: string; until: string; hasUnits: boolean }): string => `
select ${dayOf('q.settled_at')} as day, q.product, q.model, coalesce(q.upstream, '') as upstream, count(*) as calls,
  sum(q.cost_nanos) as charged_nanos, sum(q.written_off_nanos) as written_off_nanos,
  ${hasUnits ? `jsonb_strip_nulls(jsonb_build_object(${unitSums}))` : `'{}'::jsonb`} as units
from requests q where q.settled_at >= ${since} and q.settled_at < ${until} and ${isLiveSql('q.workspace_id')} group by 1, 2, 3, 4
union all
select ${dayOf('q.settled_at')}, q.product, q.model, coalesce(q.upstream, ''), 0, -sum(c.charged_nanos), -sum(c.written_off_nanos), '{}'
from (${CHANGES}) c join requests q on q.id = c.subject where q.settled_at >= ${since} and q.settled_at < ${until} group by 1, 2, 3, 4
union all
select ${dayOf('c.created_at')}, q.product, q.model, coalesce(q.upstream, ''), 0, sum(c.charged_nanos), sum(c.written_off_nanos), '{}'
from (${CHANGES}) c join requests q on q.id = c.subject where c.created_at >= ${since} and c.created_at < ${until} group by 1, 2, 3, 4
union all
select ${dayOf('r.settled_at')}, 'agents', r.agent, '', count(*), sum(r.total_nanos), 0, '{}'
from runs r where r.settled_at >= ${since} and r.settled_at < ${until} and ${isLiveSql('r.workspace_id')} group by 1, 3`;

// A corrected write-off moves between house accounts only, and is found by the bill that was replaced.
const CHANGES = `
select e.subject, e.created_at, -e.amount_nanos as charged_nanos, 0 as written_off_nanos from ledger_legs e
where e.kind in ('refund', 'correction') and e.workspace_id is not null and ${isLiveSql('e.workspace_id')}
union all
select e.subject, e.created_at, 0, e.amount_nanos from replaced_bills b
join ledger_legs e on e.subject = b.request_id and e.kind = 'write_off correction' where ${isLiveSql('b.workspace_id')}`;

/** Sums the days that are over, so that reports need not read their calls. Safe in several processes. Returns the number of days. */
export async function sumRevenue(everywhere: Rows<undefined>): Promise<number> {
  const deadlineMs = performance.now() + BUDGET_MS;
  for (let days = 0; ; days += 1)
    if (performance.now() > deadlineMs || !(await everywhere.transaction(sumDay))) return days;
}

/** False: nothing is left to sum, or another process is summing. */
async function sumDay({ client }: AnyTransaction): Promise<boolean> {
  const { rows } = await client.query<{ day: string; isOver: boolean }>(NEXT_DAY);
  if (rows.length === 0) return (await client.query(BEGIN)).rowCount === 1;
  const { day, isOver } = rows[0]!;
  if (!isOver) return false;
  await client.query(`set local statement_timeout = ${STATEMENT_MS}; ${PLAN_WHOLE_TABLES}`);
  const query = { text: SUM, values: [day], query_timeout: STATEMENT_MS };
  await client.query(query);
  await client.query('update revenue_rollups set summed_until = $1::date + 1', [day]);
  return true;
}

const NEXT_DAY = `
select summed_until::text as day, (summed_until + 1)::timestamp at time zone 'utc' < now() - interval '${OPEN_MINUTES} minutes' as "isOver"
from revenue_rollups for update skip locked`;

const BEGIN = `
insert into revenue_rollups (id, summed_until)
select 'all', ${dayOf(`least(now(), (select min(settled_at) from requests), (select min(settled_at) from runs))`)}
on conflict (id) do nothing`;

const SUM = `
insert into revenue_days (day, product, model, upstream, calls, charged_nanos, written_off_nanos, units)
select day, product, model, upstream, sum(calls), sum(charged_nanos), sum(written_off_nanos),
  (array_agg(units order by calls desc))[1]
from (${chargesSql({ since: `($1::date)::timestamp at time zone 'utc'`, until: `($1::date + 1)::timestamp at time zone 'utc'`, hasUnits: true })}) c
group by day, product, model, upstream`;
