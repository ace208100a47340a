import type { TranscribedSegment, TranscribedWord } from '../speech.ts';

/** A part of a transcript, with its words. */
export interface Cue {
  segment: TranscribedSegment;
  words: TranscribedWord[];
}

// ElevenLabs' defaults for subtitles.
const SILENCE_MS_MAX = 800;
const CUE_MS_MAX = 4_000;
const CUE_CHARACTERS_MAX = 84;

/** A transcript as cues of subtitles: one ends before a silence, and where its time or text would become too long. Or as one whole. */
export function cuesOf(
  text: string,
  words: TranscribedWord[],
  { isWhole, durationMs }: { isWhole: boolean; durationMs: number },
): Cue[] {
  const cues: Cue[] = [];
  let cue: TranscribedWord[] = [];
  let from = 0;
  let reached = 0;

  function end(to: number): void {
    const said = text.slice(from, to).trim();
    if (said !== '') cues.push({ segment: segmentOf(said, cue, durationMs), words: cue });
    [cue, from] = [[], to];
  }

  for (const word of words) {
    const at = Math.max(reached, text.indexOf(word.text, reached));
    reached = Math.min(text.length, at + word.text.length);
    if (!isWhole && isFull(cue, word, text.slice(from, reached))) end(at);
    cue.push(word);
  }
  end(text.length);
  return cues;
}

function isFull(cue: TranscribedWord[], word: TranscribedWord, said: string): boolean {
  const [first, last] = [cue[0], cue.at(-1)];
  if (!first || !last) return false;
  const isLate = word.startMs - last.endMs > SILENCE_MS_MAX || word.endMs - first.startMs > CUE_MS_MAX;
  return isLate || Array.from(said.trim()).length > CUE_CHARACTERS_MAX;
}

function segmentOf(text: string, words: TranscribedWord[], durationMs: number): TranscribedSegment {
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / Math.max(1, words.length);
  return { text, startMs: words[0]?.startMs ?? 0, endMs: words.at(-1)?.endMs ?? durationMs, confidence };
}
