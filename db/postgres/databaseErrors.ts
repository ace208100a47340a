import { LedgerUnavailable } from './ledgerUnavailable.ts';
import { isStalePlan } from './stalePlans.ts';

// The code of a statement timeout, while the database itself works.
const CANCELED = '57014';
const UNIQUE_VIOLATION = '23505';

/** Pause before the next attempt after the database was unreachable. */
export const RETRY_DELAY_MS = 100;

/**
 * Whether a retry cannot succeed: the error's SQLSTATE is of data, integrity or raised exceptions. Unknown or forbidden names do not
 * count: the schema causes those, and a migration can fix it.
 */
export function isRefusedByData(error: unknown): boolean {
  return /^(22|23|P0)...$/.test((error as { code?: string }).code ?? '');
}

/** Whether a row has the same unique values as another. */
export const isDuplicate = (error: unknown): boolean => (error as { code?: string }).code === UNIQUE_VIOLATION;

// Deadlock, serialization failure, a lock that was not free in time, and a statement that took too long: behind locks, or on a slow disk.
const BUSY_STATES = new Set(['40P01', '40001', '55P03', CANCELED]);

/** Whether a statement failed for what others did at the same time: the same one can succeed later. */
export const isDatabaseBusy = (error: unknown): boolean =>
  BUSY_STATES.has((error as { code?: string } | null)?.code ?? '');

/** Whether the database answered and only this statement failed: others may succeed. */
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
// Connection failures, lack of resources, shutdowns and time limits: PostgreSQL's classes 08, 53, 57 and 58, that of idle transactions, and
// that of a server which may only be read, as one that has not been promoted yet.
const AWAY_STATES = /^((08|53|57|58)[0-9A-Z]{3}|25P03|25006)$/;
// The driver's errors for lost connections and connection timeouts have no code.
const DRIVER_PHRASES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Whether a query failed because the database is down, overloaded or just migrated, not because of the query itself. */
export function isDatabaseDown(error: unknown): boolean {
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown };
  // Without its server a socket is a file that is not there (ENOENT); a cut network has codes of its own.
  if (syscall === 'connect') return true;
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || AWAY_STATES.test(code))) return true;
  return isStalePlan(error) || (typeof message === 'string' && DRIVER_PHRASES.test(message));
}

/** Whether the same work can succeed later, because the database or the ledger could not take it now. */
export const isPassing = (error: unknown): boolean =>
  error instanceof LedgerUnavailable || isDatabaseDown(error) || isDatabaseBusy(error);

// PostgreSQL refuses the login or its password (28), or has no such database (3D).
const REFUSED_LOGIN = /^28/;
const REFUSED = /^(28|3D)/;

/**
 * The error of a process that cannot open its database at the start, with the variable, the host and what to do, and without the password.
 * Other errors name their variable themselves, and are returned as they are.
 */
export function withAddress(
  error: Error & { code?: string },
  { url, directUrl }: { url: string; directUrl?: string | undefined },
): Error {
  if (!isUnusable(error)) return error;
  const variables = directUrl === undefined ? 'DATABASE_URL' : 'DATABASE_URL, DATABASE_DIRECT_URL';
  const advice = REFUSED_LOGIN.test(error.code ?? '') ? '. Its new password is set by npm run migrate' : '';
  return new Error(unusableText(error, { variables, url }) + advice, { cause: error });
}

/** Whether a database is away, or refuses its login or its name. */
export const isUnusable = (error: { code?: string }): boolean =>
  isDatabaseDown(error) || REFUSED.test(error.code ?? '');

/** Why a database cannot be used, with the variables of its address and its host, and without the password. */
export const unusableText = (
  { code, message }: { code?: string; message: string },
  { variables, url }: { variables: string; url: string },
): string => `${variables}: the database at ${new URL(url).host} cannot be used: ${message || code}`;
