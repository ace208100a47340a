import { isDatabaseDown } from './databaseDown.ts';

// What a statement that took too long is ended with, while the database itself is well.
const CANCELED = '57014';

/** How long to wait before a database that was away is asked again. */
export const RETRY_DELAY_MS = 100;

/**
 * Whether a repetition can't mend an error: its SQLSTATE is of data, integrity or raised exceptions. Not one of names that are unknown or
 * forbidden: that is the schema's fault, not the statement's, and ends with it.
 */
export function isRefusedByData(error: unknown): boolean {
  return /^(22|23|P0)...$/.test((error as { code?: string }).code ?? '');
}

/** Whether the database answered, and could not carry out this one statement: others may well go through. */
export function isStatementsFault(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === CANCELED || (/^[0-9A-Z]{5}$/.test(code ?? '') && !isDatabaseDown(error));
}
