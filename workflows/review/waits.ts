const HOUR_MS = 3_600_000;

/** How long a review waits for an operator before they are reminded, and before it is escalated, counted from the beginning. */
export const REVIEW_WAITS = { reminderMs: 24 * HOUR_MS, escalationMs: 72 * HOUR_MS };
