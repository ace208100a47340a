import { endsSentence, sentencesOf, withoutHalf } from '../../base/sentences.ts';

/** ElevenLabs' own: so many characters wait for the first chunk of speech, for the second, and so on; the last number is of all further ones. */
const DEFAULT_SCHEDULE: readonly number[] = [120, 160, 250, 290];

// Speech of less text sounds like single words: a trigger waits for so much, and a clause is not spoken alone before.
const TRIGGER_CHARS_MIN = 50;
// A chunk is held, made and billed as one: a long text becomes many.
const CHUNK_CHARS_MAX = 500;

/**
 * Text that arrives in pieces of any size, and the chunks in which it is spoken. A chunk ends where a speaker pauses: after a sentence, else
 * after a clause, else between words, so a word that has only begun to arrive waits for its rest. Joined, the chunks are the text.
 */
export class TextBuffer {
  readonly #schedule: readonly number[];
  /** Whether each sentence is spoken as soon as it is whole, without a schedule. */
  readonly #isAutomatic: boolean;
  #text = '';
  #chunks = 0;

  constructor({ schedule = DEFAULT_SCHEDULE, isAutomatic = false }: TextBufferOptions = {}) {
    this.#schedule = schedule;
    this.#isAutomatic = isAutomatic;
  }

  /** Takes text, and returns the chunks that are to be spoken now. `isTriggered`: whatever the schedule, if it is not too short. */
  add(text: string, { isTriggered = false } = {}): string[] {
    const isWhole = this.#isAutomatic && this.#text === '' && isSentence(text);
    this.#text += text;
    const ready: string[] = [];
    for (let cut = this.#nextCut(isTriggered); cut > 0; cut = this.#nextCut(isTriggered)) {
      ready.push(...spoken(this.#text.slice(0, cut)));
      this.#text = this.#text.slice(cut);
      this.#chunks += 1;
    }
    if (isWhole) ready.push(...this.flush());
    return ready;
  }

  /** Returns all that waits. */
  flush(): string[] {
    const text = this.#text;
    this.#text = '';
    return chunksOf(text).flatMap(spoken);
  }

  /** Forgets what waits. */
  clear(): void {
    this.#text = '';
  }

  #nextCut(isTriggered: boolean): number {
    if (this.#isAutomatic) return automaticCut(this.#text);
    const scheduled = this.#schedule[Math.min(this.#chunks, this.#schedule.length - 1)]!;
    const least = isTriggered ? Math.min(scheduled, TRIGGER_CHARS_MIN) : scheduled;
    return this.#text.length < least ? 0 : cutOf(this.#text, least / 2);
  }
}

export interface TextBufferOptions {
  schedule?: readonly number[];
  isAutomatic?: boolean;
}

/** Whether a piece is a sentence by itself, as agents send it, and not the beginning of a number: no space need follow. */
const isSentence = (piece: string): boolean =>
  /\p{L}/u.test(piece) && !/\d\.$/.test(piece) && endsSentence(`${piece} `);

/** Blanks are not spoken, nor billed. */
const spoken = (chunk: string): string[] => (chunk.trim() === '' ? [] : [chunk]);

function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  for (let rest = text; rest !== '';) {
    const cut = rest.length <= CHUNK_CHARS_MAX ? rest.length : cutOf(rest, CHUNK_CHARS_MAX / 2);
    chunks.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return chunks;
}

/** How many code units the next chunk takes; 0 while there is no end of a word. A sentence or a clause is a good end from `goodFrom` on. */
function cutOf(text: string, goodFrom: number): number {
  const head = text.slice(0, CHUNK_CHARS_MAX);
  const sentence = wholeSentences(head);
  if (sentence >= goodFrom) return sentence;
  const clause = /^[\s\S]*([,;:–—]\s+|[、，；：])/u.exec(head)?.[0].length ?? 0;
  if (clause >= goodFrom) return clause;
  const word = /^[\s\S]*\s/.exec(head)?.[0].length ?? 0;
  if (word > 0) return word;
  return text.length < CHUNK_CHARS_MAX ? 0 : withoutHalf(text, CHUNK_CHARS_MAX);
}

function automaticCut(text: string): number {
  const head = text.slice(0, CHUNK_CHARS_MAX);
  const sentence = wholeSentences(head);
  if (sentence > 0) return sentence;
  const isPhrase = head.length >= TRIGGER_CHARS_MIN && /[,;:–—]\s+$|[、，；：]$/u.test(head);
  if (isPhrase) return head.length;
  return text.length < CHUNK_CHARS_MAX ? 0 : cutOf(text, CHUNK_CHARS_MAX / 2);
}

/** The length of the sentences in a text that are whole. */
function wholeSentences(text: string): number {
  const sentences = sentencesOf(text);
  const last = sentences.at(-1) ?? '';
  return endsSentence(last) ? text.length : text.length - last.length;
}
