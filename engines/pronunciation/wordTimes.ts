import { spelledOut } from './spelledOut.ts';
import type { SpeechMarks, SpokenSpan } from '../../providers/speech.ts';
import type { Phone } from '../flite/phones.ts';

/** A word of the text, without punctuation around it. */
export interface Word {
  text: string;
  /** Its position in the piece, in code units. */
  at: number;
}

/** The words of a piece of text, in order: the texts between spaces. */
export function wordsOf(piece: string): Word[] {
  return [...piece.matchAll(/\S+/g)].map((match) => ({ text: match[0], at: match.index }));
}

/**
 * The time of each word, given the sounds of the sentence with their times and the sounds of each word alone. In a sentence words sound a
 * little different, so the two rows are aligned with the fewest changes. A word without its own sound takes no time, at the end of the
 * word before it.
 */
export function wordTimes(words: Word[], sounds: string[][], phones: Phone[]): SpokenSpan[] {
  const alone = sounds.flatMap((word, at) => word.map((name) => ({ name, word: at })));
  const matches = align(
    alone.map(({ name }) => name),
    phones.map(({ name }) => name),
  );
  const spans = words.map(({ text }) => ({ text, startMs: Infinity, endMs: -Infinity }));
  for (const [from, to] of matches) {
    const span = spans[alone[from]!.word]!;
    span.startMs = Math.min(span.startMs, phones[to]!.startMs);
    span.endMs = Math.max(span.endMs, phones[to]!.endMs);
  }
  return placedInOrder(spans, phones[0]?.startMs ?? 0);
}

/** Gives words without times (without end) the moment at which the word before ends. */
export function placedInOrder(spans: SpokenSpan[], startMs: number): SpokenSpan[] {
  let lastEndMs = startMs;
  return spans.map((span) => {
    const isHeard = Number.isFinite(span.startMs);
    const placed = isHeard ? span : { ...span, startMs: lastEndMs, endMs: lastEndMs };
    lastEndMs = placed.endMs;
    return placed;
  });
}

/** Matching index pairs (first row, second row) when one row becomes the other with the fewest changes. */
function align(from: string[], to: string[]): [number, number][] {
  const costs = costTable(from, to);
  const width = to.length + 1;
  const pairs: [number, number][] = [];
  let at = from.length;
  let other = to.length;
  while (at > 0 && other > 0) {
    const here = costs[at * width + other]!;
    const isPair = here === costs[(at - 1) * width + other - 1]! + (from[at - 1] === to[other - 1] ? 0 : 1);
    if (isPair) pairs.push([--at, --other]);
    else if (here === costs[(at - 1) * width + other]! + 1) at -= 1;
    else other -= 1;
  }
  return pairs.toReversed();
}

function costTable(from: string[], to: string[]): Uint32Array {
  const width = to.length + 1;
  const costs = new Uint32Array((from.length + 1) * width);
  for (let at = 0; at <= from.length; at++) {
    for (let other = 0; other <= to.length; other++) {
      const place = at * width + other;
      if (at === 0 || other === 0) {
        costs[place] = at + other;
        continue;
      }
      const pair = costs[place - width - 1]! + (from[at - 1] === to[other - 1] ? 0 : 1);
      costs[place] = Math.min(pair, costs[place - width]! + 1, costs[place - 1]! + 1);
    }
  }
  return costs;
}

/** The times of a piece: of its words, its characters, and the characters of its text as spoken. */
export function marksOfPiece(piece: string, words: Word[], times: SpokenSpan[], endMs: number): SpeechMarks {
  const characters = characterTimes(piece, words, times, endMs);
  const read = asRead(piece, words);
  const normalized = read.text === piece ? characters : characterTimes(read.text, read.words, times, endMs);
  return { words: times, characters, normalized };
}

/** A piece with each word as spoken: `$100` as `one hundred dollars`. */
function asRead(piece: string, words: Word[]): { text: string; words: Word[] } {
  let text = '';
  let from = 0;
  const read = words.map((word, at) => {
    text += piece.slice(from, word.at);
    from = word.at + word.text.length;
    const said = joined(
      spelledOut(word.text, { previous: words[at - 1]?.text ?? '', next: words[at + 1]?.text ?? '' }),
    );
    const place = text.length;
    // A word read as written keeps its quotes and brackets.
    const isSame = said === '' || lettersOf(said) === lettersOf(word.text);
    text += isSame ? word.text : said;
    return { text: text.slice(place), at: place };
  });
  return { text: text + piece.slice(from), words: read };
}

const joined = (tokens: string[]): string => tokens.join(' ').replaceAll(/ (?=[;:,.!?…])/g, '');

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Times of the piece's single characters: those of a word share its time evenly, a space lies between its neighbours. */
function characterTimes(piece: string, words: Word[], times: SpokenSpan[], endMs: number): SpokenSpan[] {
  const spans: SpokenSpan[] = [];
  let at = 0;
  let lastEndMs = times[0]?.startMs ?? 0;
  for (const [index, word] of words.entries()) {
    const { startMs, endMs: wordEndMs } = times[index]!;
    spans.push(...evenly(piece.slice(at, word.at), lastEndMs, startMs));
    spans.push(...evenly(word.text, startMs, wordEndMs));
    at = word.at + word.text.length;
    lastEndMs = wordEndMs;
  }
  return [...spans, ...evenly(piece.slice(at), lastEndMs, endMs)];
}

function evenly(text: string, startMs: number, endMs: number): SpokenSpan[] {
  const characters = Array.from(text);
  const stepMs = (endMs - startMs) / characters.length;
  return characters.map((character, at) => ({
    text: character,
    startMs: startMs + at * stepMs,
    endMs: startMs + (at + 1) * stepMs,
  }));
}
