import type { z } from 'zod';
import { newId } from '../../db/ids.ts';
import type { Transcript } from '../../providers/speech.ts';
import { spacedIn } from '../../providers/textGaps.ts';
import type { HeardText } from './voiceAnswers.ts';

/** A transcript as ElevenLabs' clients expect it. */
export function presentHeard(
  transcript: Transcript,
  durationMs: number,
  granularity: 'none' | 'word',
): z.infer<typeof HeardText> {
  const { text, language, words } = transcript;
  return {
    language_code: language,
    language_probability: transcript.languageProbability ?? surenessOf(transcript),
    text,
    words: granularity === 'none' ? [] : spaced(text, words),
    transcription_id: newId('trans'),
    audio_duration_secs: Math.round(durationMs) / 1000,
  };
}

/** Clients need a number. An engine without a language confidence reports the confidence of its words; 0 without words. */
function surenessOf({ words, segments }: Transcript): number {
  const parts = words.length > 0 ? words : segments;
  const sum = parts.reduce((total, { confidence }) => total + confidence, 0);
  return parts.length === 0 ? 0 : sum / parts.length;
}

/** Words with the spaces between them, where the text has some, as the vendor sends them. */
function spaced(whole: string, words: Transcript['words']): z.infer<typeof HeardText>['words'] {
  const hasSpace = spacedIn(
    whole,
    words.map(({ text }) => text),
  );
  return words.flatMap(({ text, startMs, endMs, confidence, isEvent }, at) => {
    const logprob = Math.log(Math.max(confidence, 1e-9));
    const type = isEvent ? ('audio_event' as const) : ('word' as const);
    const word = { text, start: startMs / 1000, end: endMs / 1000, type, logprob };
    const before = words[at - 1];
    if (!before || !hasSpace[at]) return [word];
    return [{ text: ' ', start: before.endMs / 1000, end: startMs / 1000, type: 'spacing' as const, logprob: 0 }, word];
  });
}
