import { CallAbort } from '../../providers/callAbort.ts';
import { createEmbeddedSpeech } from '../../engines/speech/embeddedSpeech.ts';
import { goalOf, none, type Row, short } from './report.ts';

const SENTENCE = 'The quick brown fox jumped over the lazy dog, and then it slept. ';
const CHARACTERS = 2_000;

/** The speed of the embedded voices on one core: characters per second, and the share of the total time until the first audio. */
interface SpeechFigures {
  charactersPerSecond: number;
  firstSoundRatio: number;
  /** Seconds of audio produced per second. */
  realTimeFactor: number;
}

/** Speaks 2,000 characters with one thread, after a short warm-up text. */
export async function measureSpeech(): Promise<SpeechFigures> {
  const speech = createEmbeddedSpeech({ threads: 1, callsMax: 1 });
  const text = SENTENCE.repeat(Math.ceil(CHARACTERS / SENTENCE.length)).slice(0, CHARACTERS);
  try {
    await speak('Ready.');
    const { firstMs, wholeMs, soundMs } = await speak(text);
    return {
      charactersPerSecond: (CHARACTERS * 1000) / wholeMs,
      firstSoundRatio: firstMs / wholeMs,
      realTimeFactor: soundMs / wholeMs,
    };
  } finally {
    await speech.close();
  }

  async function speak(words: string): Promise<{ firstMs: number; wholeMs: number; soundMs: number }> {
    const startedAt = performance.now();
    let firstMs: number | undefined;
    let soundMs = 0;
    for await (const { pcm, sampleRate } of speech.speak({ text: words, voice: 'alloy' }, new CallAbort())) {
      firstMs ??= performance.now() - startedAt;
      soundMs += (pcm.length * 1000) / sampleRate;
    }
    return { firstMs: firstMs ?? 0, wholeMs: performance.now() - startedAt, soundMs };
  }
}

/** The rows of the report without a baseline: only the first audio has a goal. */
export function rowsOfSpeech({ charactersPerSecond, firstSoundRatio, realTimeFactor }: SpeechFigures): Row[] {
  return [
    { figure: 'speech, characters/s on one core', ...none, ours: short(charactersPerSecond) },
    { figure: 'speech, seconds of sound a second', ...none, ours: short(realTimeFactor) },
    {
      figure: 'speech, first sound against the whole',
      ...none,
      ours: short(firstSoundRatio),
      ratio: firstSoundRatio.toFixed(2),
      ...goalOf(firstSoundRatio, { max: 0.25 }),
    },
  ];
}
