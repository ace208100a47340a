import { randomFillSync } from 'node:crypto';

const ALPHABET = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 'latin1');
const pool = Buffer.alloc(4096);
let letters = '';
let used = 0;
let timeMs = 0;
let timeText = '';

/**
 * A new identifier: prefix, eight characters of time (so that index entries of one moment lie together), fourteen of chance.
 * Alphanumeric after the underscore, as the interface's patterns ask.
 */
export function newId(prefix: string): string {
  const nowMs = Date.now();
  if (nowMs !== timeMs) {
    timeMs = nowMs;
    timeText = nowMs.toString(36).padStart(8, '0');
  }
  return `${prefix}_${timeText}${randomText(14)}`;
}

/** Text of `length` base62 characters (a few dozen at most) from the system's random source, of which each is given once. */
export function randomText(length: number): string {
  if (used + length > letters.length) {
    letters = freshLetters();
    used = 0;
  }
  used += length;
  return letters.slice(used - length, used);
}

// Thousands at once, in one text: a call makes several identifiers, and letter by letter each would cost a microsecond.
function freshLetters(): string {
  randomFillSync(pool);
  let count = 0;
  // 248 is the largest multiple of 62 in a byte: values above it would favour some characters.
  for (const byte of pool) if (byte < 248) pool[count++] = ALPHABET[byte % 62]!;
  return pool.toString('latin1', 0, count);
}
