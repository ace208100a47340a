import type { components } from '../api/openapi.d.ts';

export type Batch = components['schemas']['Batch'];

const WORDS: Record<Batch['status'], [words: string, look: string]> = {
  validating: ['Checking the file', ''],
  in_progress: ['Running', 'text-good'],
  finalizing: ['Writing its files', 'text-good'],
  completed: ['Completed', 'text-good'],
  failed: ['The file has errors', 'text-bad'],
  expired: ['Ended after 24 hours', 'text-warn'],
  cancelling: ['Cancelling', ''],
  cancelled: ['Cancelled', ''],
};

/** The state of a batch in words, with its colour. */
export const stateOf = ({ status }: Batch): [words: string, look: string] => WORDS[status] ?? [status, ''];

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
