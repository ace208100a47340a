import { PlacesFull } from '../../base/places.ts';
import { ProviderError } from '../../providers/provider.ts';
import type { TranscribedSegment, TranscribedWord, Transcript } from '../../providers/speech.ts';

export interface TranscriptionLimits {
  dataDir: string;
  /** Computed at once; each is a process that takes one core and some 220 MB. */
  processes: number;
  /** Transcriptions that may wait; further ones are refused as `overloaded`. */
  waitingMax: number;
}

/** Use as `take(...).catch(refuseFull)`. */
export function refuseFull(error: unknown): never {
  if (!(error instanceof PlacesFull)) throw error;
  throw new ProviderError('overloaded', 'too many transcriptions are under way', { retryAfterMs: 1000 });
}

/** Words (at least one) as a segment. */
export function segmentOf(words: TranscribedWord[]): TranscribedSegment {
  return {
    text: words.map(({ text }) => text).join(' '),
    startMs: words[0]!.startMs,
    endMs: words.at(-1)!.endMs,
    confidence: words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length,
  };
}

/** The whole of segments and words. */
export function transcriptOf(
  segments: TranscribedSegment[],
  words: TranscribedWord[],
  durationSeconds: number,
): Transcript {
  return { text: segments.map(({ text }) => text).join(' '), language: 'en', segments, words, durationSeconds };
}
