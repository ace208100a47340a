export const HOUR_MS = 3_600_000;

/** Delays from the start of a review until an operator is reminded, and until it is escalated. */
export const REVIEW_WAITS = { reminderMs: 24 * HOUR_MS, escalationMs: 72 * HOUR_MS };
