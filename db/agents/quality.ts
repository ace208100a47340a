import type { Queryable } from '../postgres/queryable.ts';

/** How an agent has done in the last thirty days, from settled runs. Medians and rates are null without runs to take them from. */
export interface AgentQuality {
  runs: number;
  completed: number;
  /** Completed among those that were not cancelled, 0 to 1. */
  completionRate: number | null;
  medianCostNanos: bigint | null;
  medianDurationSeconds: number | null;
  /** Refunded among those that were billed, 0 to 1. */
  refundRate: number | null;
}

/** The quality card of an agent, over all of its versions. */
export async function readAgentQuality(pool: Queryable, agentId: string): Promise<AgentQuality> {
  const { rows } = await pool.query(QUALITY, [agentId]);
  const { medianCostNanos, ...row } = rows[0];
  return { ...row, medianCostNanos: medianCostNanos === null ? null : BigInt(medianCostNanos) };
}

const QUALITY = `
with settled as (
  select r.*, exists (select from ledger_entries e where e.kind = 'refund' and e.subject = r.id) as refunded
  from runs r where r.agent_id = $1 and r.settled_at > now() - interval '30 days')
select count(*)::int as runs, count(*) filter (where status = 'completed')::int as completed,
  (count(*) filter (where status = 'completed'))::float8 / nullif(count(*) filter (where status <> 'cancelled'), 0) as "completionRate",
  percentile_disc(0.5) within group (order by total_nanos) filter (where status = 'completed') as "medianCostNanos",
  percentile_cont(0.5) within group (order by extract(epoch from completed_at - started_at)::float8) filter (where status = 'completed')
    as "medianDurationSeconds",
  (count(*) filter (where refunded))::float8 / nullif(count(*) filter (where total_nanos > 0), 0) as "refundRate"
from settled`;
