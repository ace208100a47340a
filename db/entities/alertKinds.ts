export const ALERT_KINDS = ['spend', 'runway'] as const;

/** What an alert watches. Every table by kind is complete. */
export type AlertKind = (typeof ALERT_KINDS)[number];
