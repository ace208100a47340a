import { Status, type Tone } from '../parts/Status.tsx';
import type { Run } from './runEvents.ts';

const STATES: Record<Run['status'], [word: string, tone: Tone]> = {
  queued: ['Queued', 'quiet'],
  in_progress: ['Running', 'busy'],
  requires_action: ['Waits for you', 'held'],
  cancelling: ['Cancelling', 'busy'],
  completed: ['Completed', 'good'],
  limit_reached: ['Limit reached', 'held'],
  cancelled: ['Cancelled', 'quiet'],
  failed: ['Failed', 'bad'],
};

export const RUN_STATUSES = Object.entries(STATES).map(([value, [label]]) => ({ value, label }));

/** The state of a run as a dot and its word. */
export function RunStatus({ status }: { status: Run['status'] }) {
  const [word, tone] = STATES[status] ?? [status, 'quiet'];
  return <Status tone={tone} word={word} />;
}

export const isOver = (status: Run['status']): boolean =>
  ['completed', 'limit_reached', 'cancelled', 'failed'].includes(status);
