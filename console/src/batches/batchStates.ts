import type { components } from '../api/openapi.d.ts';
import type { Tone } from '../parts/Status.tsx';

export type Batch = components['schemas']['Batch'];

const STATES: Record<Batch['status'], [tone: Tone, word: string]> = {
  validating: ['busy', 'Validating'],
  in_progress: ['busy', 'Running'],
  finalizing: ['busy', 'Finalizing'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'File has errors'],
  expired: ['held', 'Expired after 24 hours'],
  cancelling: ['busy', 'Cancelling'],
  cancelled: ['quiet', 'Cancelled'],
};

/** The state of a batch as a dot and a word. */
export const stateOf = ({ status }: Batch): { tone: Tone; word: string } => {
  const [tone, word] = STATES[status] ?? ['quiet', status];
  return { tone, word };
};

export const isOver = ({ status }: Batch): boolean => ['completed', 'failed', 'expired', 'cancelled'].includes(status);

/** States that can still be cancelled. */
export const isCancellable = (batch: Batch): boolean => !isOver(batch) && batch.status !== 'cancelling';

/** Seconds since 1970, converted to the other pages' times. */
export const timeOf = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1_000).toISOString();

/** Calls that were answered or failed, out of all. */
export function doneOf({ request_counts: { total, completed, failed } }: Batch): { done: number; share: number } {
  const done = completed + failed;
  return { done, share: total === 0 ? 0 : (done / total) * 100 };
}
