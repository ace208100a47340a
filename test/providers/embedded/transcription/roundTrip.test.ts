import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { encodeAudio } from '../../../../audio/encodeAudio.ts';
import { createEmbeddedSpeech } from '../../../../providers/embedded/speech/embeddedSpeech.ts';
import { createEmbeddedTranscription } from '../../../../providers/embedded/transcription/embeddedTranscription.ts';
import { findRecogniser } from '../../../../providers/embedded/transcription/pocketsphinx.ts';
import type { Transcript } from '../../../../providers/speech.ts';
import { presetVoices } from '../../../../providers/voices.ts';
import { tone, noise, streamOf } from '../../../audio/sounds.ts';

const dataDir = join(import.meta.dirname, '..', '..', '..', '..', '.data');
const hasRecogniser = await findRecogniser(dataDir).then(
  () => true,
  () => false,
);
const describeWithRecogniser = hasRecogniser ? describe : describe.skip;

const never = new AbortController().signal;
const speech = createEmbeddedSpeech({ threads: 1, callsMax: 2 });
const { transcribe } = createEmbeddedTranscription({ dataDir, processes: 1, waitingMax: 0 });
afterAll(() => speech.close());

const sentences = [
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

// All twenty take some three minutes: SENTENCES=20 asks for them, and the same limits hold.
const spoken = sentences.slice(0, Number(process.env.SENTENCES ?? 7));

// The share of words that may be lost. The highest, the quickest and the deepest voice are the hardest to understand.
const errorsMax = 0.15;
const hardVoices: Record<string, number> = { coral: 0.2, nova: 0.2, onyx: 0.2 };

async function heard(audio: AsyncIterable<Int16Array>, signal: AbortSignal = never): Promise<Transcript> {
  for await (const event of transcribe(audio, {}, signal)) if (event.type === 'done') return event.transcript;
  throw new Error('no end');
}

async function* saidBy(voice: string) {
  const pcm16 = { codec: 'pcm', sampleRate: 16_000, mediaType: 'audio/pcm' } as const;
  for await (const bytes of encodeAudio(speech.speak({ text: spoken.join(' '), voice }, never), pcm16)) {
    yield new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
  }
}

/** The same without what is quiet for longer than a tenth of a second. */
async function withoutPauses(audio: AsyncIterable<Int16Array>): Promise<Int16Array> {
  const frameSamples = 160;
  const pauseFramesMax = 10;
  const kept: Int16Array[] = [];
  let quietFrames = 0;
  for await (const samples of audio) {
    for (let at = 0; at < samples.length; at += frameSamples) {
      const frame = samples.subarray(at, at + frameSamples);
      const isQuiet = frame.every((sample) => Math.abs(sample) < 500);
      quietFrames = isQuiet ? quietFrames + 1 : 0;
      if (quietFrames <= pauseFramesMax) kept.push(frame);
    }
  }
  return Int16Array.from(kept.flatMap((frame) => [...frame]));
}

/** Changed, left out and added words, by the words that were said. */
function wordErrorRate(said: string[], understood: string[]): number {
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

describeWithRecogniser('what is said is understood again', () => {
  const said = spoken.join(' ').toLowerCase().replaceAll(/[.?]/g, '').split(' ');
  const rates: [string, number][] = [];
  afterAll(() => {
    const lines = rates.map(([voice, rate]) => `  ${voice.padEnd(8)} ${(rate * 100).toFixed(1).padStart(5)} %\n`);
    process.stdout.write(`Word errors in ${spoken.length} sentences (${said.length} words)\n${lines.join('')}`);
  });

  test.each(presetVoices.map(({ id }) => [id, hardVoices[id] ?? errorsMax] as const))(
    'of what %s says less than %d of the words are lost',
    async (voice, limit) => {
      const { text, words, durationSeconds } = await heard(saidBy(voice));
      const rate = wordErrorRate(said, text.split(' '));
      rates.push([voice, rate]);
      expect(rate).toBeLessThan(limit);
      expect(words.every(({ startMs, endMs }) => startMs <= endMs && endMs <= durationSeconds * 1000)).toBe(true);
      expect(words.every(({ confidence }) => confidence >= 0 && confidence <= 1)).toBe(true);
    },
    900_000,
  );
});

describeWithRecogniser('speech without a pause', () => {
  test('of more than 40 seconds keeps its times from the first word to the last', async () => {
    const voiced = await withoutPauses(saidBy('alloy'));
    const seconds = 45;
    const samples = Int16Array.from({ length: seconds * 16_000 }, (_, at) => voiced[at % voiced.length]!);
    const { segments, words } = await heard(streamOf(samples));
    const starts = words.map(({ startMs }) => startMs);
    // Cut after 20 and after 40 seconds: without a cut nothing is tested.
    expect(segments.length).toBeGreaterThanOrEqual(3);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect(segments.map(({ startMs }) => Math.floor(startMs / 20_000))).toEqual([0, 1, 2]);
    expect(words.at(-1)!.endMs).toBeGreaterThan((seconds - 5) * 1000);
  }, 900_000);
});

describeWithRecogniser('what is no speech', () => {
  test.each([
    ['silence', new Int16Array(3 * 16_000)],
    ['noise', noise({ seconds: 3 })],
    ['a tone', tone({ seconds: 3 })],
    ['nothing', new Int16Array(0)],
  ])('%s is an empty text of its duration', async (_name, samples) => {
    const { text, durationSeconds } = await heard(streamOf(samples));
    expect({ text, durationSeconds }).toEqual({ text: '', durationSeconds: samples.length / 16_000 });
  });

  test('a caller who leaves and a source that breaks end it with their own reasons', async () => {
    const leaving = new AbortController();
    async function* leavingSource() {
      yield noise({ seconds: 1 });
      leaving.abort(new Error('left'));
      yield noise({ seconds: 1 });
    }
    await expect(heard(leavingSource(), leaving.signal)).rejects.toThrow('left');
    async function* broken() {
      yield noise({ seconds: 1 });
      throw new Error('broken source');
    }
    await expect(heard(broken())).rejects.toThrow('broken source');
  });
});

test('a machine without the recogniser says how to get it', async () => {
  const path = process.env.PATH;
  process.env.PATH = '';
  try {
    const missing = createEmbeddedTranscription({ dataDir: '/nowhere', processes: 1, waitingMax: 0 });
    const first = missing.transcribe(streamOf(), {}, never)[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ fault: 'unavailable', message: /install Python 3 with pip/ });
  } finally {
    process.env.PATH = path;
  }
});
