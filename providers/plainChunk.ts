type Json = Record<string, unknown>;

/** A chunk of a streamed answer: as an object, or as text where it differs from an earlier one only in its strings. */
export type Chunk = Json | PlainChunk;

/** Everything that chunks have in common whose strings alone differ: their output, and what pads it. */
export class ChunkShape {
  /** The text around the strings, the frame of the event included: one piece more than there are strings. */
  readonly literals: readonly string[];
  /** The index of the only choice. */
  readonly choice: unknown;
  /** The places of the strings that are output, in order. */
  readonly produced: readonly number[];
  /** How much of the first and of the last piece is the frame around the JSON. */
  readonly #frame: { before: number; after: number };

  constructor(
    literals: readonly string[],
    frame: { before: number; after: number },
    output: { choice: unknown; produced: readonly number[] },
  ) {
    this.literals = literals;
    this.choice = output.choice;
    this.produced = output.produced;
    this.#frame = frame;
  }

  /**
   * The chunk that begins at this place of decoded text; undefined where it has another shape, or strings that JSON would write
   * differently.
   */
  read(lines: string, at: number): PlainChunk | undefined {
    const { literals } = this;
    let end = at + literals[0]!.length;
    if (lines.slice(at, end) !== literals[0]) return undefined;
    // A list that grows takes room for sixteen more.
    const texts = literals.length === 2 ? [''] : literals.slice(1);
    for (let place = 1; place < literals.length; place++) {
      const close = endOfText(lines, end);
      if (close === -1) return undefined;
      texts[place - 1] = lines.slice(end, close);
      end = close + literals[place]!.length;
      if (lines.slice(close, end) !== literals[place]) return undefined;
    }
    return new PlainChunk(this, texts, end - at);
  }

  /** The JSON of the chunk with these strings. */
  jsonWith(texts: readonly string[]): string {
    let event = this.literals[0]!;
    for (const [place, text] of texts.entries()) event += text + this.literals[place + 1]!;
    return event.slice(this.#frame.before, event.length - this.#frame.after);
  }

  /** A chunk whose strings are the marks of their places. */
  get sample(): PlainChunk {
    const marks = this.literals.slice(1).map((_literal, place) => markOf(place));
    return new PlainChunk(this, marks, 0);
  }
}

/** A chunk of a known shape: only its strings, as JSON writes them. */
export class PlainChunk {
  readonly shape: ChunkShape;
  readonly texts: readonly string[];
  /** Its length as an event. */
  readonly length: number;

  constructor(shape: ChunkShape, texts: readonly string[], length: number) {
    this.shape = shape;
    this.texts = texts;
    this.length = length;
  }

  /** What the model wrote. */
  produced(): string {
    let written = '';
    for (const place of this.shape.produced) written += this.texts[place]!;
    return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
  }
}

/** The chunk as an object. */
export const jsonOf = (chunk: Chunk): Json =>
  chunk instanceof PlainChunk ? (JSON.parse(chunk.shape.jsonWith(chunk.texts)) as Json) : chunk;

/** Stands for the string at a place in a shape's sample. These characters are private: no event that has them has a shape. */
export const markOf = (place: number): string => `\uE000${place}\uE001`;
export const MARK = /\uE000(\d+)\uE001/;

const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_PRINTED = 32;
/** Escapes that JSON.stringify writes too: `\"`, `\\`, `\b`, `\f`, `\n`, `\r`, `\t`. */
const SAME_ESCAPES = new Set(Buffer.from('"\\bfnrt'));

/** The place of the quote that ends a string; -1 where JSON.stringify would write the string differently, or it does not end. */
function endOfText(lines: string, start: number): number {
  for (let at = start; ; at++) {
    const code = lines.charCodeAt(at);
    if (code === QUOTE) return at;
    // Also at the end of the text, where it is NaN.
    if (!(code >= FIRST_PRINTED)) return -1;
    if (code === BACKSLASH && !SAME_ESCAPES.has(lines.charCodeAt(++at))) return -1;
  }
}
