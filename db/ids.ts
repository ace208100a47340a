import { hash, randomFillSync } from 'node:crypto';

const ALPHABET = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 'latin1');
const pool = Buffer.alloc(4096);
let letters = '';
let used = 0;
let timeMs = 0;
let timeText = '';

// They are in the row of each call and in its indexes, so they are shorter: of a hundred calls in each millisecond, all year, two would have the
// same id once, and the second is billed nothing.
const SHORT: ReadonlySet<string> = new Set(['req', 'ws', 'acct', 'key']);

/**
 * A new identifier: prefix, eight characters of time (so that index entries of one moment are adjacent), fourteen random ones, or eight.
 * Alphanumeric after the underscore, as the interface's patterns require. It is no secret.
 */
export function newId(prefix: string): string {
  const nowMs = Date.now();
  if (nowMs !== timeMs) {
    timeMs = nowMs;
    timeText = nowMs.toString(36).padStart(8, '0');
  }
  return `${prefix}_${timeText}${randomText(SHORT.has(prefix) ? 8 : 14)}`;
}

const OLDEST_ID_MS = Date.UTC(2020, 0, 1);
const SKEW_MS = 86_400_000;

/** When an id was made; null for one that `newId` did not make: an id derived from others has no time. */
export function timeOfId(id: string): Date | null {
  const [, text] = /^[a-z_]+_([0-9a-z]{8})[0-9A-Za-z]+$/.exec(id) ?? [];
  const atMs = text === undefined ? 0 : parseInt(text, 36);
  return atMs > OLDEST_ID_MS && atMs < Date.now() + SKEW_MS ? new Date(atMs) : null;
}

/** The id of a run that follows from others’ ids and numbers, so that every attempt creates the same run. */
export const derivedRunIdOf = (...from: (string | number)[]): string =>
  `run_${hash('sha256', from.join(' '), 'hex').slice(0, 22)}`;

/** Random base62 text of `length` characters (a few dozen at most) from the system's random source; every text is used once. */
export function randomText(length: number): string {
  if (used + length > letters.length) {
    letters = freshLetters();
    used = 0;
  }
  used += length;
  return letters.slice(used - length, used);
}

// Generates thousands of characters at once: a call needs several identifiers, and single characters would cost a microsecond each.
function freshLetters(): string {
  randomFillSync(pool);
  let count = 0;
  // 248 is the largest multiple of 62 in a byte: values above it would favour some characters.
  for (const byte of pool) if (byte < 248) pool[count++] = ALPHABET[byte % 62]!;
  return pool.toString('latin1', 0, count);
}
