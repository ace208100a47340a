import type { SpokenSpan } from '../../providers/speech.ts';

/** When each character is spoken, in ElevenLabs' form: times count from the start of the sound that the frame begins. */
export interface Alignment {
  chars: string[];
  charStartTimesMs: number[];
  charDurationsMs: number[];
}

/** The times of characters in a sound that starts at `startMs`; null without characters. */
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

/**
 * Which characters are told with which frame of a piece's sound: all with its first one, or with each frame its own. A frame begins where
 * the one before ended.
 */
export class AlignedPiece {
  /** Characters that no frame has told. */
  left: SpokenSpan[];
  readonly #isSynchronous: boolean;
  #frameStartMs: number;
  #endMs: number;

  constructor(spans: SpokenSpan[], { startMs, isSynchronous }: { startMs: number; isSynchronous: boolean }) {
    this.left = spans;
    this.#isSynchronous = isSynchronous;
    this.#frameStartMs = startMs;
    this.#endMs = startMs;
  }

  /** The sound of the next frame reaches further by so much. */
  advance(ms: number): void {
    this.#endMs += ms;
  }

  /** The times of the frame that ends here; `isLast` takes what is left. */
  take(isLast: boolean): Alignment | null {
    const isAll = !this.#isSynchronous || isLast;
    const count = isAll ? this.left.length : this.left.filter(({ startMs }) => startMs < this.#endMs).length;
    const taken = this.left.slice(0, count);
    this.left = this.left.slice(count);
    const startMs = this.#frameStartMs;
    this.#frameStartMs = this.#endMs;
    return alignmentOf(taken, startMs);
  }
}
