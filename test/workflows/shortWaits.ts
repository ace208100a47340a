import { workflowInfo } from '@temporalio/workflow';

export const HOUR_MS = 3_600_000;
const endsIn = (...ends: string[]): boolean => ends.some((end) => workflowInfo().workflowId.includes(end));

/** Replaces workflows/review/waits.ts in the bundle of a test: a review has only the waits that its id names. */
export const REVIEW_WAITS = {
  get reminderMs() {
    return endsIn('reminder', 'escalation') ? 500 : HOUR_MS;
  },
  get escalationMs() {
    return endsIn('escalation') ? 1_000 : 2 * HOUR_MS;
  },
};
