import type { SpeechMarks, SpokenSpan } from '../../providers/speech.ts';

/**
 * When each character is spoken, in ElevenLabs' form: times count from the start of the frame's sound, and with `sync_alignment` from the
 * start of the speech.
 */
export interface Alignment {
  chars: string[];
  charStartTimesMs: number[];
  charDurationsMs: number[];
}

/** The times of characters, counted from `startMs`; null without characters. */
function alignmentOf(spans: readonly SpokenSpan[], startMs: number): Alignment | null {
  if (spans.length === 0) return null;
  const starts = spans.map((span) => Math.max(0, Math.round(span.startMs - startMs)));
  const ends = spans.map((span) => Math.max(0, Math.round(span.endMs - startMs)));
  return {
    chars: spans.map(({ text }) => text),
    charStartTimesMs: starts,
    charDurationsMs: starts.map((start, at) => Math.max(0, ends[at]! - start)),
  };
}

export type AlignedSpans = Pick<SpeechMarks, 'characters' | 'normalized'>;

/**
 * Which characters are told with which frame of a piece's sound: all with its first one, or with each frame its own. A frame begins where
 * the one before ended.
 */
export class AlignedPiece {
  /** Characters that no frame has told: those of the text, and those of the text as it is read. */
  left: AlignedSpans;
  /** Where the speech began, on the clock of the text; undefined: times count from each frame. */
  readonly #speechStartMs: number | undefined;
  #frameStartMs: number;
  #endMs: number;

  constructor(spans: AlignedSpans, { startMs, speechStartMs }: { startMs: number; speechStartMs: number | undefined }) {
    this.left = spans;
    this.#speechStartMs = speechStartMs;
    this.#frameStartMs = startMs;
    this.#endMs = startMs;
  }

  /** The sound of the next frame reaches further by so much. */
  advance(ms: number): void {
    this.#endMs += ms;
  }

  /** The times of the frame that ends here; `isLast` takes what is left. */
  take(isLast: boolean): Record<keyof AlignedSpans, Alignment | null> {
    const isAll = this.#speechStartMs === undefined || isLast;
    const startMs = this.#speechStartMs ?? this.#frameStartMs;
    const told = (name: keyof AlignedSpans) => {
      const spans = this.left[name];
      const count = isAll ? spans.length : spans.filter((span) => span.startMs < this.#endMs).length;
      this.left = { ...this.left, [name]: spans.slice(count) };
      return alignmentOf(spans.slice(0, count), startMs);
    };
    const alignments = { characters: told('characters'), normalized: told('normalized') };
    this.#frameStartMs = this.#endMs;
    return alignments;
  }
}
