/** How long to wait before a database that was away is asked again. */
export const RETRY_DELAY_MS = 100;

/**
 * Whether a repetition can't mend an error: its SQLSTATE is of data, integrity or raised exceptions. Not one of names that are unknown or
 * forbidden: that is the schema's fault, not the statement's, and ends with it.
 */
export function isRefusedByData(error: unknown): boolean {
  return /^(22|23|P0)...$/.test((error as { code?: string }).code ?? '');
}
