import { queueText } from '../flow/flowText.ts';
import { countText } from '../parts/figures.tsx';
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

/** The state of a run as a dot and its word; of one that waits in a queue also its position. */
export function RunStatus({ status, queue = null }: Pick<Run, 'status'> & { queue?: Run['queue'] }) {
  const [word, tone] = STATES[status] ?? [status, 'quiet'];
  if (!queue) return <Status tone={tone} word={word} />;
  const place = queue.position === null ? '' : ` · ${countText(queue.position)}`;
  return <Status tone={tone} word={`${word}${place}`} title={queueText(queue)} />;
}

export const isOver = (status: Run['status']): boolean =>
  ['completed', 'limit_reached', 'cancelled', 'failed'].includes(status);
