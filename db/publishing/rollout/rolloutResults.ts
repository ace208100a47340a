import { QUALITY_DAYS } from '../../../base/limits.ts';
import type { AnyTransaction } from '../../postgres/rows.ts';
import { JUDGED_RUN } from '../../agents/deployments.ts';
import type { StepResults } from '../../entities/agent.ts';

/** The results of a version's counted runs since a time. Cancelled runs, and failures that it did not cause, are left out. */
export interface VersionResults {
  runs: number;
  completed: number;
  /** Of completed runs; null without any. */
  medianCostNanos: bigint | null;
}

/** Reads the results of a version: at most those of the last `QUALITY_DAYS`. */
export async function readResults(
  { client }: AnyTransaction,
  { agentId, versionId, since }: { agentId: string; versionId: string; since: Date | null },
): Promise<VersionResults> {
  const { rows } = await client.query(RESULTS, [agentId, versionId, since]);
  const { medianCostNanos, ...counts } = rows[0];
  return { ...counts, medianCostNanos: medianCostNanos === null ? null : BigInt(medianCostNanos) };
}

const RESULTS = `
select count(*)::int as runs, count(*) filter (where status = 'completed')::int as completed,
  percentile_disc(0.5) within group (order by total_nanos) filter (where status = 'completed') as "medianCostNanos"
from runs r where r.agent_id = $1 and r.version_id = $2 and r.visibility = 'public' and ${JUDGED_RUN} and r.status <> 'cancelled'
  and r.settled_at > greatest(now() - interval '${QUALITY_DAYS} days', $3::timestamptz) and coalesce(r.fault, 'agent') = 'agent'`;

/** The share of completed runs; null without runs. */
export const completionRateOf = ({ runs, completed }: VersionResults): number | null =>
  runs === 0 ? null : completed / runs;

/** Results as a step keeps them. */
export const keptResults = (results: VersionResults): StepResults => ({
  runs: results.runs,
  completionRate: completionRateOf(results),
  medianCostNanos: results.medianCostNanos === null ? null : Number(results.medianCostNanos),
});
