import { Link } from '@tanstack/react-router';
import { RunStatus } from '../runs/RunStatus.tsx';
import type { Firing } from './schedules.ts';

/** The outcome of a firing: the state of its run, or why there is none. */
export function FiringOutcome({ of: { outcome, run_id: runId, run_status: status, message } }: { of: Firing }) {
  if (outcome === 'missed') return <span className="status text-bad">No run: {message}</span>;
  if (!runId || !status) return <span className="status">Begins</span>;
  return (
    <Link to={`/runs/${runId}`}>
      <RunStatus status={status} />
    </Link>
  );
}
