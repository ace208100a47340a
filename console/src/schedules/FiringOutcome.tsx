import { Status } from '../parts/Status.tsx';
import { RunStatus } from '../runs/RunStatus.tsx';
import type { Firing } from './schedules.ts';

/** The outcome of a firing: the state of its run, or why there is none. */
export function FiringOutcome({ of: { outcome, run_id: runId, run_status: status, message } }: { of: Firing }) {
  if (outcome === 'missed') return <Status tone="bad" word={`No run: ${message}`} />;
  if (!runId || !status) return <Status tone="busy" word="Starting" />;
  return <RunStatus status={status} />;
}
