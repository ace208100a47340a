import type { TiktokenBPE } from 'js-tiktoken/lite';
import { PairMerger } from './bytePairs.ts';
import { bytesOfToken, createTokenTable, findToken, NO_TOKEN, type TokenTable } from './tokenTable.ts';

/** Bytes that a UTF-16 unit has at most in UTF-8. */
const BYTES_PER_UNIT_MAX = 3;
const ASCII_MAX = 0x7f;

/**
 * From js-tiktoken's data of an encoding. Its own encoder holds 140 MB, stops the process for half a second at its start, and takes quadratic
 * time within a word.
 */
export async function createEncoding({ bpe_ranks, pat_str }: TiktokenBPE): Promise<Encoding> {
  return new Encoding(await createTokenTable(bpe_ranks), new RegExp(pat_str, 'gu'));
}

/** Counts and encodes texts as OpenAI's `tiktoken` does; names of special tokens are plain text. Its methods are synchronous. */
export class Encoding {
  readonly #table: TokenTable;
  readonly #merger: PairMerger;
  readonly #encoder = new TextEncoder();
  readonly #wordPattern: RegExp;
  #word = new Uint8Array(256);

  constructor(table: TokenTable, wordPattern: RegExp) {
    this.#table = table;
    this.#wordPattern = wordPattern;
    this.#merger = new PairMerger(table);
  }

  /** The number of tokens of a text. */
  count(text: string): number {
    let tokens = 0;
    for (const [word] of text.matchAll(this.#wordPattern)) {
      const length = this.#load(word);
      tokens += findToken(this.#table, this.#word, 0, length) === NO_TOKEN ? this.#merger.count(this.#word, length) : 1;
    }
    return tokens;
  }

  /** The tokens of a text. */
  encode(text: string): number[] {
    const tokens: number[] = [];
    for (const [word] of text.matchAll(this.#wordPattern)) {
      const length = this.#load(word);
      const token = findToken(this.#table, this.#word, 0, length);
      if (token !== NO_TOKEN) tokens.push(token);
      else for (const part of this.#merger.split(this.#word, length)) tokens.push(part);
    }
    return tokens;
  }

  /** The texts of tokens that follow each other. A character that spans several is the text of the last of them. */
  textsOf(tokens: readonly number[]): string[] {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return tokens.map((token) => decoder.decode(bytesOfToken(this.#table, token), { stream: true }));
  }

  /** Puts the UTF-8 of a word into `#word`, and returns its length in bytes. */
  #load(word: string): number {
    if (this.#word.length < word.length * BYTES_PER_UNIT_MAX)
      this.#word = new Uint8Array(word.length * BYTES_PER_UNIT_MAX);
    const bytes = this.#word;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      if (unit > ASCII_MAX) return this.#encoder.encodeInto(word, bytes).written;
      bytes[at] = unit;
    }
    return word.length;
  }
}
