import '../parts/work.css';
import type { Run } from './runEvents.ts';

const WORDS: Record<Run['status'], [text: string, look: string]> = {
  queued: ['Queued', ''],
  in_progress: ['Running', 'text-good'],
  requires_action: ['Waits for you', 'text-warn'],
  cancelling: ['Cancelling', ''],
  completed: ['Completed', 'text-good'],
  limit_reached: ['Limit reached', 'text-warn'],
  cancelled: ['Cancelled', ''],
  failed: ['Failed', 'text-bad'],
};

export const RUN_STATUSES = Object.keys(WORDS);

/** The state of a run in words; its colour is only an addition. */
export function RunStatus({ status }: { status: Run['status'] }) {
  const [text, look] = WORDS[status] ?? [status, ''];
  return <span className={`status nowrap ${look}`}>{text}</span>;
}

export const isOver = (status: Run['status']): boolean =>
  ['completed', 'limit_reached', 'cancelled', 'failed'].includes(status);
