// Takes the place of workflows/review/waits.ts in the bundle of a test.
export const reviewWaits = { reminderMs: 1_500, escalationMs: 3_000 };
