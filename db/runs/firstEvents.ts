import type { NewEvent } from '../events/appendEvents.ts';
import { usdOf } from '../money.ts';
import type { RunRow } from './runRow.ts';

/** The events of a run's creation. */
export function firstEvents(row: RunRow): NewEvent[] {
  const { agent, version, session_id, status } = row;
  const max_cost_usd = usdOf(BigInt(row.max_cost_nanos));
  const held_usd = usdOf(BigInt(row.held_nanos));
  return [
    {
      type: 'run.created',
      data: { agent, version, session_id, status, max_cost_usd, held_usd, ...rerunOf(row), ...parentOf(row) },
    },
    { type: 'run.queued', data: { status, waiting: row.waiting, start_at: new Date(row.start_at).toISOString() } },
  ];
}

/** The repeated run, for the rerun's first event. */
export const rerunOf = ({ rerun_of: run_id, rerun_from_step: from_step }: RunRow): object =>
  run_id === null ? {} : { rerun_of: { run_id, from_step } };

/** The parent run, for the child's first event. */
export const parentOf = ({ parent_run_id: parentId }: RunRow): object =>
  parentId === null ? {} : { parent_run_id: parentId };
