import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { encodeAudio } from '../../../calls/audio/audio.ts';
import { createEmbeddedSpeech } from '../../../engines/speech/embeddedSpeech.ts';
import { createEmbeddedTranscription } from '../../../engines/transcription/embeddedTranscription.ts';
import { findRecogniser } from '../../../engines/transcription/pocketsphinx.ts';
import type { Transcript } from '../../../providers/speech.ts';
import { describeWhen } from '../../support/needs.ts';

export const dataDir = join(import.meta.dirname, '..', '..', '..', '.data');
const hasRecogniser = await findRecogniser(dataDir).then(
  () => true,
  () => false,
);
export const describeWithRecogniser = describeWhen(hasRecogniser, 'the recogniser');

export const never = new AbortController().signal;
const speech = createEmbeddedSpeech({ threads: 1, callsMax: 2 });
const hearing = createEmbeddedTranscription({ dataDir, isNeural: false, processes: 1, waitingMax: 0 });
const { transcribe } = hearing;
afterAll(() => Promise.all([speech.close(), hearing.close()]));

export const sentences = [
  'The quick brown fox jumped over the lazy dog.',
  'Please transfer one hundred dollars to my savings account.',
  'We will meet at the station tomorrow morning.',
  'The weather is very nice today.',
  'I would like a cup of coffee and some water.',
  'She works for a large company in the city.',
  'They have been living here for many years.',
  'Can you tell me the way to the hospital?',
  'The train leaves at seven in the evening.',
  'My brother bought a new car last week.',
  'There is a problem with the computer.',
  'The children are playing in the garden.',
  'He said that he would call us back.',
  'The meeting was moved to next Monday.',
  'You can pay with cash or by credit card.',
  'The president will speak to the nation tonight.',
  'I have never seen such a beautiful place.',
  'The doctor told him to stay at home.',
  'We need more time to finish the report.',
  'Thank you very much for your help.',
];

// The permitted share of lost words. The highest, the fastest and the deepest voice are the hardest to understand.
const errorsMax = 0.15;
const hardVoices: Record<string, number> = { coral: 0.2, nova: 0.2, onyx: 0.2 };

/** The transcript of spoken audio. */
export async function transcriptOf(audio: AsyncIterable<Int16Array>, signal: AbortSignal = never): Promise<Transcript> {
  for await (const event of transcribe(audio, {}, signal)) if (event.type === 'done') return event.transcript;
  throw new Error('no end');
}

/** These sentences spoken by one voice, at the recogniser's sample rate. */
export async function* speechOf(voice: string, spoken: string[]) {
  const pcm16 = { codec: 'pcm', sampleRate: 16_000, mediaType: 'audio/pcm' } as const;
  for await (const bytes of encodeAudio(speech.speak({ text: spoken.join(' '), voice }, never), pcm16)) {
    yield new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
  }
}

/** The same with a pause after each sentence. Without the pause, the recogniser hears a comma on some processors. */
export async function* pausedSpeechOf(voice: string, spoken: string[]) {
  for (const sentence of spoken) {
    yield* speechOf(voice, [sentence]);
    yield new Int16Array(8_000);
  }
}

/** Changed, omitted and added words, as a share of the spoken words. */
export function wordErrorRate(said: string[], understood: string[]): number {
  let row = understood.map((_, at) => at + 1);
  for (const [at, word] of said.entries()) {
    let diagonal = at;
    let left = at + 1;
    row = row.map((above, other) => {
      left = Math.min(diagonal + (word === understood[other] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      return left;
    });
  }
  return row.at(-1)! / said.length;
}

/** A test for each voice: most words of these sentences are recognised. Prints the share of wrong words at the end. */
export function testVoices(voices: string[], spoken: string[]): void {
  const said = spoken.join(' ').toLowerCase().replaceAll(/[.?]/g, '').split(' ');
  const rates: [string, number][] = [];
  afterAll(() => {
    const lines = rates.map(([voice, rate]) => `  ${voice.padEnd(8)} ${(rate * 100).toFixed(1).padStart(5)} %\n`);
    process.stdout.write(`Word errors in ${spoken.length} sentences (${said.length} words)\n${lines.join('')}`);
  });

  test.each(voices.map((voice) => [voice, hardVoices[voice] ?? errorsMax] as const))(
    'of what %s says less than %d of the words are lost',
    async (voice, limit) => {
      const { text, words, durationSeconds } = await transcriptOf(speechOf(voice, spoken));
      const rate = wordErrorRate(said, text.split(' '));
      rates.push([voice, rate]);
      expect(rate).toBeLessThan(limit);
      expect(words.every(({ startMs, endMs }) => startMs <= endMs && endMs <= durationSeconds * 1000)).toBe(true);
      expect(words.every(({ confidence }) => confidence >= 0 && confidence <= 1)).toBe(true);
    },
    900_000,
  );
}
