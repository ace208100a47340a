import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * The tokens of an encoding, to be found by their bytes. It is made of arrays of numbers alone: 5 MB where maps of strings take 50 to 140,
 * and nothing for the garbage collector to mark.
 */
export interface TokenTable {
  /** The bytes of all tokens, one after the other. */
  bytes: Uint8Array;
  /** Where each token begins in `bytes`, and the end of the last. */
  starts: Uint32Array;
  /** A hash table with open addressing: upper bits of the hash and the token's number plus one, 0 where nothing is. */
  slots: Uint32Array;
}

/** The answer for bytes that are no token; greater than each token's number. */
export const NO_TOKEN = 0x7fff_ffff;

const TOKEN_BITS = 18;
const TOKEN_MASK = 2 ** TOKEN_BITS - 1;
/** Over half of them stay empty: most bytes that are looked up are no token, and soon meet an empty one. */
const SLOTS = 2 * 2 ** TOKEN_BITS;
const TOKENS_PER_TURN = 5_000;
const LIST_START = '! 0 ';

/** `list`: tokens in base64, with spaces between them, as js-tiktoken has them. The event loop gets a turn every few milliseconds. */
export async function createTokenTable(list: string): Promise<TokenTable> {
  if (!list.startsWith(LIST_START)) throw new Error('the list of tokens does not begin with number 0');
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(list, 'base64'));
  const starts = new Uint32Array(TOKEN_MASK);
  const slots = new Uint32Array(SLOTS);
  let token = 0;
  for (let at = LIST_START.length; at < list.length; token += 1) {
    if (token === TOKEN_MASK - 1) throw new Error(`the list has more than ${TOKEN_MASK - 1} tokens`);
    if (token % TOKENS_PER_TURN === 0) await nextTurn();
    const space = list.indexOf(' ', at);
    const end = space === -1 ? list.length : space;
    const start = starts[token]!;
    starts[token + 1] = start + bytes.write(list.slice(at, end), start, 'base64');
    const hash = hashOf(bytes, start, starts[token + 1]!);
    let slot = hash % SLOTS;
    while (slots[slot] !== 0) slot = (slot + 1) % SLOTS;
    slots[slot] = ((hash >>> TOKEN_BITS) << TOKEN_BITS) | (token + 1);
    at = end + 1;
  }
  return { bytes, starts, slots };
}

/** The token of the bytes from `start` to `end`, or `NO_TOKEN`. */
export function findToken(table: TokenTable, word: Uint8Array, start: number, end: number): number {
  const { slots } = table;
  const hash = hashOf(word, start, end);
  for (let at = hash % SLOTS; ; at = (at + 1) % SLOTS) {
    const slot = slots[at]!;
    if (slot === 0) return NO_TOKEN;
    const token = (slot & TOKEN_MASK) - 1;
    if ((slot ^ hash) >>> TOKEN_BITS === 0 && isToken(table, token, word, start, end)) return token;
  }
}

/** The bytes of a token; a number that is no token has none. */
export function bytesOfToken({ bytes, starts }: TokenTable, token: number): Uint8Array {
  return bytes.subarray(starts[token] ?? bytes.length, starts[token + 1]);
}

function isToken({ bytes, starts }: TokenTable, token: number, word: Uint8Array, start: number, end: number): boolean {
  const from = starts[token]!;
  if (starts[token + 1]! - from !== end - start) return false;
  for (let at = start; at < end; at += 1) if (bytes[from + at - start] !== word[at]) return false;
  return true;
}

/** FNV-1a, 32 bits. */
function hashOf(word: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ word[at]!, 0x01000193);
  return hash >>> 0;
}
