import type { ClientBase } from 'pg';
import { limitObject } from './cost/limitObject.ts';
import type { LockedRun } from './lockRun.ts';
import { costOf, worthNanosOf } from './cost/rowCost.ts';
import type { CostLine } from './cost/runCost.ts';
import type { RunEnding } from './runEnding.ts';

/** A run's row as it is once it has ended so, and the lines of its bill. A failed run is not billed: the platform bears what it is worth. */
export async function endedRow(
  client: ClientBase,
  run: LockedRun,
  ending: RunEnding,
): Promise<{ ended: LockedRun; lines: CostLine[] }> {
  const failed = ending.status === 'failed';
  const { lines, subtotalNanos, networkFeeNanos, totalNanos, ...shares } = costOf(run, minimumOf(run, ending));
  const ended: LockedRun = {
    ...run,
    status: ending.status,
    status_reason: reasonOf(run, ending),
    limit: ending.status === 'limit_reached' ? await limitObject(client, run, ending) : null,
    error: failed ? errorOf(ending) : null,
    fault: failed ? ending.fault : null,
    subtotal_nanos: `${failed ? 0n : subtotalNanos}`,
    network_fee_nanos: `${failed ? 0n : networkFeeNanos}`,
    total_nanos: `${failed ? 0n : totalNanos}`,
    platform_cost_nanos: `${failed ? 0n : shares.platformCostNanos}`,
    subsidy_nanos: `${failed ? 0n : shares.subsidyNanos}`,
    absorbed_nanos: `${failed ? worthNanosOf(run) : 0n}`,
    required_action: null,
    waiting: false,
    completed_at: run.at,
    settled_at: run.at,
  };
  return { ended, lines: failed ? lines.map((line) => ({ ...line, costNanos: 0n })) : lines };
}

const minimumOf = (run: LockedRun, { status }: RunEnding) =>
  status === 'completed' ? { minimumNanos: BigInt(run.minimum_cost_nanos) } : {};

function reasonOf(run: LockedRun, ending: RunEnding): string | null {
  switch (ending.status) {
    case 'completed':
      return null;
    case 'cancelled':
      return run.cancel_reason;
    case 'limit_reached':
      return ending.limit;
    case 'failed':
      return ending.code;
    default:
      return ending satisfies never;
  }
}

function errorOf({ fault, code, message }: RunEnding & { status: 'failed' }) {
  return { message, type: fault === 'caller' ? 'invalid_request_error' : 'api_error', param: null, code };
}
