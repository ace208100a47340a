import type { Pronunciation } from '../pronunciation/pronounce.ts';
import type { SpeechMarks } from '../../providers/speech.ts';
import { marksOfPiece, placedInOrder, type Word } from '../pronunciation/wordTimes.ts';
import type { VoiceModel } from './voiceModel.ts';

// The models accept some 500 sounds at once; numbers have many sounds for their length.
const SOUNDS_MAX = 400;
// The models begin with a third of a second of silence.
const LEAD_SECONDS = 0.08;

/** A spoken piece of text: its samples, and the start and end of each of its sounds, in samples. */
export interface Utterance {
  pcm: Int16Array<ArrayBuffer>;
  sampleRate: number;
  starts: number[];
  ends: number[];
}

/** Speaks a row of sounds, in several parts if it is too long for the model. */
export async function utter(
  model: VoiceModel,
  pronunciation: Pronunciation,
  manner: { voice: string; speed: number },
): Promise<Utterance> {
  const parts: Int16Array[] = [];
  const [starts, ends]: [number[], number[]] = [[], []];
  let sampleRate = 0;
  let before = 0;
  for (const part of partsOf(pronunciation)) {
    const spoken = await model.speak(part, manner);
    sampleRate = spoken.sampleRate;
    const cut = Math.max(0, Math.round(spoken.lead - LEAD_SECONDS * sampleRate));
    let at = before + spoken.lead - cut;
    for (const length of spoken.lengths) {
      starts.push(at);
      ends.push((at += length));
    }
    const pcm = Int16Array.from(spoken.samples.subarray(cut), (sample) => Math.max(-1, Math.min(1, sample)) * 32_767);
    parts.push(pcm);
    before += pcm.length;
  }
  return { pcm: joined(parts, before), sampleRate, starts, ends };
}

/** The times of a piece's words and characters: the model states the duration of each sound. Words without a sound take no time. */
export function marksOf(
  piece: string,
  words: Word[],
  { sounds, words: owners }: Pronunciation,
  { pcm, sampleRate, starts, ends }: Utterance,
): SpeechMarks {
  const spans = words.map(({ text }) => ({ text, startMs: Infinity, endMs: -Infinity }));
  const ms = (samples: number) => (Math.min(samples, pcm.length) * 1000) / sampleRate;
  for (const [at, sound] of sounds.entries()) {
    if (!/[\p{L}ᵊᵻ]/u.test(sound)) continue;
    const span = spans[owners[at]!]!;
    span.startMs = Math.min(span.startMs, ms(starts[at]!));
    span.endMs = Math.max(span.endMs, ms(ends[at]!));
  }
  const times = placedInOrder(spans, 0);
  return marksOfPiece(piece, words, times, ms(pcm.length));
}

function* partsOf({ sounds, words }: Pronunciation): Generator<Pronunciation> {
  for (let from = 0; from < sounds.length;) {
    const limit = Math.min(from + SOUNDS_MAX, sounds.length);
    const space = limit < sounds.length ? sounds.lastIndexOf(' ', limit) : limit;
    const to = space > from ? space : limit;
    yield { sounds: sounds.slice(from, to), words: words.slice(from, to) };
    from = to;
  }
}

function joined(parts: Int16Array[], length: number): Int16Array<ArrayBuffer> {
  const whole = new Int16Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
