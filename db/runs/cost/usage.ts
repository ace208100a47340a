import type { Rows } from '../../postgres/rows.ts';

/** Sums of settled runs: amounts in nano-USD as text. */
interface Sums {
  spentNanos: string;
  tasks: number;
  completed: number;
  failed: number;
  /** The value of failed runs' usage, which was not billed. */
  failedCostNanos: string;
  /** Of the newest completed runs; null when there are fewer than five. */
  medianCostNanos: string | null;
}

export interface UsageTotals extends Sums {
  limitReached: number;
  medianDurationSeconds: number | null;
  /** How many completed runs the medians cover. */
  sampleSize: number;
}

export interface AgentUsage extends Sums {
  agentId: string;
  agentName: string;
}

/** Results of a workspace's runs that settled on certain whole days. A part without runs is null. */
export interface Usage {
  start: string;
  /** The end of today: days are whole. */
  end: string;
  days: number;
  totals: UsageTotals | null;
  /** The same for as many days before. */
  prior: UsageTotals | null;
  /** Every day of the range. `date` is `2026-11-21`, UTC. */
  daily: { date: string; spentNanos: string; completed: number; failed: number; cancelled: number }[];
  agents: AgentUsage[] | null;
  /** Days of the range on which an agent's runs settled, counted from 0. */
  agentDays: { agentId: string; day: number; spentNanos: string }[] | null;
  sources: { source: string; spentNanos: string; tasks: number }[] | null;
  meters: { meter: string; unit: string; quantityThousandths: string; costNanos: string }[] | null;
}

/** The usage of the last `days` days in UTC by the database's clock, today included. */
export async function readUsage(rows: Rows, days: number): Promise<Usage> {
  const found = await rows.statement(({ client, workspaceId }) => client.query<Usage>(USAGE, [days, workspaceId]));
  return found.rows[0]!;
}

// Medians cover only the newest runs: one number is not worth reading a million of them.
const SAMPLE_MAX = 1_000;

const SAMPLE_MIN = 5;

const COMPLETED = `status = 'completed'`;

const MEDIAN_COST = 'round(percentile_cont(0.5) within group (order by total_nanos))::bigint';
const MEDIAN_DURATION = 'round((percentile_cont(0.5) within group (order by duration))::numeric, 3)';

const runsOf = (condition: string) => `coalesce(sum(runs) filter (where ${condition}), 0)::int`;
const ifEnoughRuns = (value: string) => `case when ${runsOf(COMPLETED)} >= ${SAMPLE_MIN} then ${value} end`;

// Looked up for each sum: joined, they would be found again for each cell.
const ofPeriod = (median: string) => `(select m.${median} from medians m where m.is_prior = c.is_prior)`;
const COST_OF_AGENT = '(select m.cost from agent_medians m where m.agent_id = c.agent_id)';

const SUMS = `sum(total_nanos)::text as "spentNanos", sum(runs)::int as tasks,
  ${runsOf(COMPLETED)} as completed, ${runsOf(`status = 'failed'`)} as failed,
  coalesce(sum(absorbed_nanos) filter (where status = 'failed'), 0)::text as "failedCostNanos"`;

/**
 * A workspace's settled runs of the last days and of as many days before, summed in one statement, so that all sums are of one moment:
 * raw, because that takes a statement of many parts. All parts but the medians are sums of `cells`. Parameters: days, workspace. Days are
 * UTC by the database's clock.
 */
const USAGE = `
with bounds as (
  select today - n + 1 as first, (today - 2 * n + 1)::timestamp at time zone 'utc' as prior_start,
    (today - n + 1)::timestamp at time zone 'utc' as start, (today + 1)::timestamp at time zone 'utc' as "end", n
  from (select (ledger_now($2) at time zone 'utc')::date as today, $1::int as n) t),
settled as materialized (
  select r.id, r.agent_id, r.agent_name, r.source, r.status, r.total_nanos, r.network_fee_nanos, r.absorbed_nanos, r.settled_at, r.settled_at < b.start as is_prior,
    (r.settled_at at time zone 'utc')::date - b.first as day, extract(epoch from r.completed_at - r.started_at) as duration
  from runs r, bounds b where r.workspace_id = $2 and r.settled_at >= b.prior_start and r.settled_at < b.end),
cells as materialized (
  select is_prior, day, agent_id, agent_name, source, status, count(*) as runs, sum(total_nanos) as total_nanos, sum(absorbed_nanos) as absorbed_nanos,
    sum(network_fee_nanos) filter (where network_fee_nanos > 0) as fee_nanos, count(*) filter (where network_fee_nanos > 0) as fees,
    max(settled_at) as settled_at
  from settled group by 1, 2, 3, 4, 5, 6),
current as (select * from cells where not is_prior),
medians as materialized (
  select p.is_prior, ${MEDIAN_COST} as cost, ${MEDIAN_DURATION} as duration
  from (values (true), (false)) p(is_prior) cross join lateral (
    select total_nanos, duration from settled s where s.is_prior = p.is_prior and ${COMPLETED} order by settled_at desc, id limit ${SAMPLE_MAX}) s
  group by 1),
agent_medians as materialized (
  select agent_id, ${MEDIAN_COST} as cost from (
    select agent_id, total_nanos, row_number() over (partition by agent_id order by settled_at desc, id) as newest
    from settled where not is_prior and ${COMPLETED}) s
  where newest <= ${SAMPLE_MAX} group by agent_id),
totals as (
  select c.is_prior, ${SUMS}, ${runsOf(`status = 'limit_reached'`)} as "limitReached", least(${runsOf(COMPLETED)}, ${SAMPLE_MAX}) as "sampleSize",
    ${ifEnoughRuns(ofPeriod('cost'))}::text as "medianCostNanos", ${ifEnoughRuns(ofPeriod('duration'))} as "medianDurationSeconds"
  from cells c group by c.is_prior),
daily as (
  select to_char(b.first + d, 'YYYY-MM-DD') as date, coalesce(sum(total_nanos), 0)::text as "spentNanos",
    ${runsOf(COMPLETED)} as completed, ${runsOf(`status = 'failed'`)} as failed, ${runsOf(`status = 'cancelled'`)} as cancelled
  from bounds b, generate_series(0, b.n - 1) d left join current c on c.day = d group by b.first, d order by d),
agents as (
  select c.agent_id as "agentId", (array_agg(agent_name order by settled_at desc))[1] as "agentName", ${SUMS},
    ${ifEnoughRuns(COST_OF_AGENT)}::text as "medianCostNanos"
  from current c group by c.agent_id order by sum(total_nanos) desc, c.agent_id),
agent_days as (select agent_id as "agentId", day, sum(total_nanos)::text as "spentNanos" from current group by agent_id, day),
sources as (
  select source, sum(total_nanos)::text as "spentNanos", sum(runs)::int as tasks from current
  group by source order by sum(total_nanos) desc, source),
consumed as (
  select u.meter, u.unit, sum(u.quantity_thousandths) as quantity, sum(u.cost_nanos) as cost
  from run_usage u, bounds b where u.workspace_id = $2 and u.settled_at >= b.start and u.settled_at < b.end group by u.meter, u.unit
  union all
  select 'network_fee', 'run', sum(fees) * 1000, sum(fee_nanos) from current having sum(fees) > 0),
meters as (
  select meter, unit, quantity::text as "quantityThousandths", cost::text as "costNanos" from consumed order by cost desc, meter)
select b.start, b.end, b.n as days,
  (select row_to_json(t) from totals t where not is_prior) as totals, (select row_to_json(t) from totals t where is_prior) as prior,
  (select json_agg(t) from daily t) as daily, (select json_agg(t) from agents t) as agents,
  (select json_agg(t) from agent_days t) as "agentDays", (select json_agg(t) from sources t) as sources,
  (select json_agg(t) from meters t) as meters
from bounds b`;
