import { findToken, NO_TOKEN, type TokenTable } from './tokenTable.ts';

/** More than the bytes of any word: an entry of the heap is the pair's token times this, plus its position. */
const POSITIONS = 2 ** 30;
const NOTHING = -1;

/**
 * Merges the bytes of words to tokens. At first each byte is a part; then the two neighbours that make the token with the lowest number
 * become one, the leftmost first, until no two make a token. It keeps its arrays for the next word.
 */
export class PairMerger {
  readonly #table: TokenTable;
  /** By the position at which a part begins: where the next and the previous one begin. */
  #next = new Int32Array(0);
  #previous = new Int32Array(0);
  /** The token that a part makes with the next one, by the part's position: entries of the heap that differ from it are outdated. */
  #pairs = new Int32Array(0);
  /** The lowest entry is the first. */
  #heap = new Float64Array(0);
  #entries = 0;

  constructor(table: TokenTable) {
    this.#table = table;
  }

  /** The number of tokens of the first `length` bytes of a word. */
  count(word: Uint8Array, length: number): number {
    this.#begin(word, length);
    let parts = length;
    for (let entry = this.#take(); entry !== NOTHING; entry = this.#take()) {
      const at = entry % POSITIONS;
      if (this.#pairs[at] !== (entry - at) / POSITIONS) continue;
      const merged = this.#next[at]!;
      const next = this.#next[merged]!;
      this.#pairs[merged] = NO_TOKEN;
      this.#next[at] = next;
      if (next < length) this.#previous[next] = at;
      parts -= 1;
      this.#pair(word, at, length);
      if (at > 0) this.#pair(word, this.#previous[at]!, length);
    }
    return parts;
  }

  /** The tokens of the first `length` bytes of a word. */
  split(word: Uint8Array, length: number): number[] {
    this.count(word, length);
    const tokens: number[] = [];
    for (let at = 0; at < length; at = this.#next[at]!) tokens.push(findToken(this.#table, word, at, this.#next[at]!));
    return tokens;
  }

  #begin(word: Uint8Array, length: number): void {
    if (this.#next.length < length) {
      const room = 2 * length;
      this.#next = new Int32Array(room);
      this.#previous = new Int32Array(room);
      this.#pairs = new Int32Array(room);
      // Each merge adds two pairs at most.
      this.#heap = new Float64Array(3 * room);
    }
    this.#entries = 0;
    for (let at = 0; at < length; at += 1) {
      this.#next[at] = at + 1;
      this.#previous[at] = at - 1;
    }
    for (let at = 0; at < length; at += 1) this.#pair(word, at, length);
  }

  #pair(word: Uint8Array, at: number, length: number): void {
    const next = this.#next[at]!;
    const token = next < length ? findToken(this.#table, word, at, this.#next[next]!) : NO_TOKEN;
    this.#pairs[at] = token;
    if (token !== NO_TOKEN) this.#add(token * POSITIONS + at);
  }

  #add(entry: number): void {
    const heap = this.#heap;
    let at = this.#entries;
    this.#entries += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= entry) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  /** Takes the lowest entry. */
  #take(): number {
    if (this.#entries === 0) return NOTHING;
    const heap = this.#heap;
    const lowest = heap[0]!;
    this.#entries -= 1;
    const last = heap[this.#entries]!;
    let at = 0;
    for (let child = 1; child < this.#entries; child = 2 * at + 1) {
      if (child + 1 < this.#entries && heap[child + 1]! < heap[child]!) child += 1;
      if (heap[child]! >= last) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return lowest;
  }
}
