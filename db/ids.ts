import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pool = Buffer.alloc(4096);
let used = pool.length;

/**
 * A new identifier: prefix, eight characters of time (so that index entries of one moment lie together), fourteen of chance.
 * Alphanumeric after the underscore, as the interface's patterns ask.
 */
export function newId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36).padStart(8, '0')}${randomText(14)}`;
}

/** Text of `length` base62 characters from the system's random source. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = nextByte();
    // 248 is the largest multiple of 62 in a byte: values above it would favour some characters.
    if (byte < 248) text += ALPHABET[byte % 62];
  }
  return text;
}

function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++]!;
}
