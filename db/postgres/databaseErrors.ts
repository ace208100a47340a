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

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// Connection failures, lack of resources, shutdowns and time limits: PostgreSQL's classes 08, 53, 57 and 58.
const AWAY_STATES = /^(08|53|57|58)[0-9A-Z]{3}$/;
// What the driver says of a connection that it lost, or could not get in time, has no code.
const DRIVER_PHRASES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Whether a query failed because the database is away or can't keep up, and not because of what it was asked. */
export function isDatabaseDown(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || AWAY_STATES.test(code))) return true;
  return typeof message === 'string' && DRIVER_PHRASES.test(message);
}
