import { openEncodedStream } from '../../calls/audio/audio.ts';
import type { EncodedStream } from '../../calls/audio/encodedStream.ts';
import type { AudioFormat } from '../../calls/audio/formats.ts';
import type { SpeechChunk, SpokenSpan } from '../../providers/speech.ts';
import { AlignedPiece, type AlignedSpans, type Alignment } from './alignment.ts';

/** A frame of sound, as it is sent. */
export interface SoundFrame {
  audio: string;
  isFinal: null;
  alignment: Alignment | null;
  normalizedAlignment: Alignment | null;
}

// An encoder holds back less than this until more sound follows: two frames and what it looks ahead.
const HELD_BACK_MS = { compressed: 150, plain: 20 };

// Agents send sentences without the space behind them, and read words from the told characters: without one, two sentences would share a
// word. Scripts that write no spaces need none.
const NEEDS_SPACE = /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u;

/**
 * The sound of one speech as frames: encoded as one stream without seams, however many chunks of text it is made of. `close` must be called:
 * the encoder's memory is not the garbage collector's.
 */
export class SoundFrames {
  readonly #stream: EncodedStream;
  readonly #format: AudioFormat;
  readonly #isSynchronous: boolean;
  #header: Buffer;
  #sampleRate = 0;
  /** How far the text's own clock is, which starts with each chunk. */
  #clockMs = 0;
  /** How much sound the speech has. */
  #speechMs = 0;
  /** What follows the characters of the text, and how many of these are not sent yet. */
  #space = '';
  #charactersLeft = 0;
  #untold: AlignedSpans = { characters: [], normalized: [] };

  static async open(format: AudioFormat, { isSynchronous }: { isSynchronous: boolean }): Promise<SoundFrames> {
    return new SoundFrames(await openEncodedStream(format), format, isSynchronous);
  }

  private constructor(stream: EncodedStream, format: AudioFormat, isSynchronous: boolean) {
    this.#stream = stream;
    this.#format = format;
    this.#isSynchronous = isSynchronous;
    this.#header = stream.begin();
  }

  /** What follows is the speech of another text, whose times start anew. */
  beginText(text: string): void {
    this.#clockMs = 0;
    this.#space = NEEDS_SPACE.test(text) ? ' ' : '';
    this.#charactersLeft = Array.from(text).length;
  }

  /** The frames of a piece of sound. */
  *framesOf({ pcm, sampleRate, marks }: SpeechChunk): Generator<{ frame: SoundFrame; sound: Buffer }> {
    this.#sampleRate ||= sampleRate;
    const startMs = this.#clockMs;
    const speechStartMs = this.#isSynchronous ? startMs - this.#speechMs : undefined;
    const ms = (pcm.length * 1000) / sampleRate;
    this.#clockMs += ms;
    this.#speechMs += ms;
    this.#charactersLeft -= marks?.characters.length ?? 0;
    const spans = (name: keyof AlignedSpans) => [
      ...this.#untold[name].map(({ text }) => ({ text, startMs, endMs: startMs })),
      ...this.#withSpace(marks?.[name] ?? []),
    ];
    const piece = new AlignedPiece(
      { characters: spans('characters'), normalized: spans('normalized') },
      { startMs, speechStartMs },
    );
    const slices = [...this.#stream.slicesOf({ pcm, sampleRate })];
    for (const [at, slice] of slices.entries()) {
      const sound = this.#withHeader(this.#stream.push(slice));
      piece.advance((slice.length * 1000) / this.#sampleRate);
      if (sound.length > 0) yield { sound, frame: frameOf(sound, piece.take(at === slices.length - 1)) };
    }
    this.#untold = piece.left;
  }

  /** The characters of a piece, at the end of the text with the space that parts it from the next one. */
  #withSpace(spans: SpokenSpan[]): SpokenSpan[] {
    const last = spans.at(-1);
    if (!last || this.#charactersLeft > 0 || this.#space === '' || last.text.endsWith(' ')) return spans;
    return [...spans, { text: this.#space, startMs: last.endMs, endMs: last.endMs }];
  }

  /** Brings out what the encoder holds back, behind a moment of silence: the listener's turn may come now. */
  *pause(): Generator<{ frame: SoundFrame; sound: Buffer }> {
    if (this.#sampleRate === 0) return;
    const ms = this.#format.bitrateBps === undefined ? HELD_BACK_MS.plain : HELD_BACK_MS.compressed;
    this.#speechMs += ms;
    yield* this.#unspoken(this.#stream.push(new Int16Array(Math.ceil((this.#sampleRate * ms) / 1000))));
  }

  /** The end of the stream. */
  *end(): Generator<{ frame: SoundFrame; sound: Buffer }> {
    if (this.#sampleRate > 0) yield* this.#unspoken(this.#stream.end());
  }

  close(): void {
    this.#stream.close();
  }

  *#unspoken(bytes: Buffer): Generator<{ frame: SoundFrame; sound: Buffer }> {
    const sound = this.#withHeader(bytes);
    if (sound.length > 0) yield { sound, frame: frameOf(sound) };
  }

  #withHeader(sound: Buffer): Buffer {
    if (this.#header.length === 0 || sound.length === 0) return sound;
    const whole = Buffer.concat([this.#header, sound]);
    this.#header = Buffer.alloc(0);
    return whole;
  }
}

const frameOf = (sound: Buffer, told?: ReturnType<AlignedPiece['take']>): SoundFrame => ({
  audio: sound.toString('base64'),
  isFinal: null,
  alignment: told?.characters ?? null,
  normalizedAlignment: told?.normalized ?? null,
});
