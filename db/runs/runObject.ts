import { nanosOfUsd, usdOf } from '../money.ts';
import { eventIdOf } from '../events/appendEvents.ts';
import { costOf } from './cost/runCost.ts';
import { isAnswered, isTerminal, type RunRow } from './runRow.ts';
import { openActionsOf } from './waiting/actions.ts';

export type RunObject = ReturnType<typeof runObject>;

/** A run in its public form. Plain JSON, because the run's last event stores it. */
export function runObject(row: RunRow) {
  const questions = questionsOf(row);
  return {
    id: row.id,
    object: 'run' as const,
    agent: row.agent,
    agent_id: row.agent_id,
    version_id: row.version_id,
    version: row.version,
    session_id: row.session_id,
    status: isAnswered(row) ? ('in_progress' as const) : row.status,
    status_reason: row.status_reason,
    input: row.input,
    response_format: row.response_format,
    output: row.output,
    required_action: questions[0] ?? null,
    required_actions: questions,
    error: row.error,
    fault: row.fault,
    limit: row.limit,
    max_cost_usd: usdOf(BigInt(row.max_cost_nanos)),
    held_usd: usdOf(BigInt(row.settled_at === null ? row.held_nanos : 0)),
    usage: usageOf(row),
    rerun_of: row.rerun_of === null ? null : { run_id: row.rerun_of, from_step: row.rerun_from_step! },
    parent_run_id: row.parent_run_id,
    priority: row.priority,
    concurrency: row.flow?.concurrency ?? null,
    debounce: row.flow?.debounce ?? null,
    // Only a waiting run has it: `readQueues`.
    queue: null,
    source: row.source,
    metadata: row.metadata,
    user: row.end_user,
    created_at: timeOf(row.created_at)!,
    started_at: timeOf(row.started_at),
    completed_at: timeOf(row.completed_at),
    cancel_requested_at: timeOf(row.cancel_requested_at),
    duration_seconds: durationOf(row),
    last_event_id: row.last_sequence === 0 ? null : eventIdOf(row.id, row.last_sequence),
    links: {
      self: `/v1/runs/${row.id}`,
      events: `/v1/runs/${row.id}/events`,
      cancel: `/v1/runs/${row.id}/cancel`,
    },
  };
}

// The answers are only for the workflow, which reads them when it continues.
const questionsOf = (row: RunRow): object[] =>
  row.status !== 'requires_action' || isAnswered(row)
    ? []
    : openActionsOf(row).map(({ answer: _answer, taken: _taken, ...action }) => action);

/** The run's usage so far, priced by its own price list; its bill once it is settled. */
function usageOf(row: RunRow) {
  const settled = isTerminal(row.status);
  const { lines, subtotalNanos, networkFeeNanos, totalNanos, ...shares } = costOf(row, completedMinimumOf(row));
  const isFree = row.status === 'failed';
  return {
    meters: lines.map(({ meter, unit, quantityThousandths, priceUsd, platformCostUsd, costNanos }) => ({
      id: meter,
      unit,
      quantity: Number(quantityThousandths) / 1000,
      price_usd: priceUsd,
      platform_cost_usd: platformCostUsd,
      cost_usd: isFree ? 0 : usdOf(costNanos),
    })),
    subtotal_usd: usdOf(settled ? BigInt(row.subtotal_nanos) : subtotalNanos),
    platform_cost_usd: usdOf(settled ? BigInt(row.platform_cost_nanos) : shares.platformCostNanos),
    network_fee_usd: usdOf(settled ? BigInt(row.network_fee_nanos) : networkFeeNanos),
    total_usd: usdOf(settled ? BigInt(row.total_nanos) : totalNanos),
    children_usd: usdOf(BigInt(row.children_nanos)),
    settled,
  };
}

/** What a run and the runs that it started have cost, in nano-USD: what its caller pays for it. */
export const wholeCostNanosOf = ({ usage }: Pick<RunObject, 'usage'>): bigint =>
  nanosOfUsd(usage.total_usd) + nanosOfUsd(usage.children_usd);

/** What `run.usage.updated` says of costs. */
export interface CostSoFar {
  total_usd: number;
  /** Missing in events of earlier releases. */
  children_usd?: number;
}

/** The same for a run that is not over, in US dollars. */
export const costSoFarOf = ({ total_usd: own, children_usd: children = 0 }: CostSoFar): number =>
  usdOf(nanosOfUsd(own) + nanosOfUsd(children));

const completedMinimumOf = ({ status, minimum_cost_nanos }: RunRow) => ({
  minimumNanos: status === 'completed' ? BigInt(minimum_cost_nanos) : 0n,
});

function durationOf({ started_at: started, completed_at: completed }: RunRow): number | null {
  if (started === null || completed === null) return null;
  return Math.max(0, new Date(completed).getTime() - new Date(started).getTime()) / 1000;
}

function timeOf(time: Date | string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
