import { afterAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { findEngine } from '../../../engines/fetching/engine.ts';
import { whisper } from '../../../engines/fetching/engineList.ts';
import { fetchEngine } from '../../../engines/fetching/fetchEngine.ts';
import { createEmbeddedTranscription } from '../../../engines/transcription/embeddedTranscription.ts';
import type { TranscribedWord, Transcript, TranscriptionOptions } from '../../../providers/speech.ts';
import { noise, streamOf, tone } from '../../calls/audio/sounds.ts';
import { pausedSpeechOf, never, sentences, speechOf } from './spokenStage.ts';

const limits = { dataDir: '.data', processes: 1, waitingMax: 4 };

await fetchEngine(whisper, { dataDir: '.data', onProgress: () => {} });
expect(findEngine('.data', whisper)).toBeDefined();
const hearing = createEmbeddedTranscription({ ...limits, isNeural: true });
afterAll(() => hearing.close());

async function heard(
  audio: AsyncIterable<Int16Array>,
  options: TranscriptionOptions = {},
  signal: AbortSignal = never,
): Promise<Transcript> {
  for await (const event of hearing.transcribe(audio, options, signal)) {
    if (event.type === 'done') return event.transcript;
  }
  throw new Error('no end');
}

/** The recogniser processes that this process has started. */
function recognisers(): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return list.split('\n').flatMap((line) => (line.includes('whisper.py') ? [Number.parseInt(line)] : []));
}

function expectInOrder(words: TranscribedWord[]): void {
  expect(words.every(({ startMs, endMs }) => startMs < endMs)).toBe(true);
  expect(words.slice(1).every(({ startMs }, at) => startMs >= words[at]!.endMs)).toBe(true);
}

describe('what is said', () => {
  test('is written with case and punctuation, in sentences', async () => {
    const { text, segments, words } = await heard(pausedSpeechOf('alloy', sentences.slice(0, 2)));
    const written = ['The quick brown fox jumped over the lazy dog.', 'Please transfer $100 to my savings account.'];
    expect(text).toBe(written.join(' '));
    expect(segments.map((segment) => segment.text)).toEqual(written);
    expect(words.map((word) => word.text).join(' ')).toBe(text);
    expectInOrder(words);
    expect(segments.every(({ decoding }) => decoding!.tokens!.length > 0 && decoding!.avgLogprob! < 0)).toBe(true);
  });

  test('in a conversation has the same words', async () => {
    const { text, words } = await heard(speechOf('alloy', sentences.slice(0, 2)), { isLive: true });
    const said = text.toLowerCase().replaceAll(/[.,]/g, '');
    expect(said).toBe('the quick brown fox jumped over the lazy dog please transfer $100 to my savings account');
    expectInOrder(words);
  });

  test('in more than a window keeps its times and loses no sentence', async () => {
    const said = [...sentences, ...sentences];
    const { segments, words, durationSeconds } = await heard(speechOf('echo', said));
    expect(durationSeconds).toBeGreaterThan(60);
    expect(segments.length).toBeGreaterThanOrEqual(said.length * 0.9);
    expect(words.at(-1)!.endMs).toBeGreaterThan((durationSeconds - 3) * 1000);
    expectInOrder(words);
  });
});

test.each([
  ['Please call me back tomorrow morning.', 8],
  ['Thank you very much.', 20],
  ['Okay.', 12],
])('%j is written as often as it is said, %d times', async (sentence, times) => {
  const said = Array.from({ length: times }, () => sentence);
  const { segments, words } = await heard(speechOf('alloy', said));
  expect(segments.map(({ text }) => text)).toEqual(said);
  expectInOrder(words);
  const live = await heard(speechOf('echo', said.slice(0, 3)), { isLive: true });
  expect(live.words).toHaveLength(sentence.split(' ').length * 3);
});

test('a prompt gives the spelling of names', async () => {
  const said = ['Ask Katherine about the ledger.', ...sentences.slice(3, 5)];
  const plain = await heard(speechOf('alloy', said));
  const prompted = await heard(speechOf('alloy', said), { prompt: 'Catharyn keeps the books.' });
  expect([plain.text.includes('Catharyn'), prompted.text.includes('Catharyn')]).toEqual([false, true]);
  const long = await heard(speechOf('alloy', said), { prompt: `${sentences.join(' ')} `.repeat(8) });
  expect(long.words.map(({ text }) => text.toLowerCase())).toContain('coffee');
});

test.each([
  ['silence', new Int16Array(3 * 16_000)],
  ['faint noise', noise({ seconds: 3 }).map((sample) => sample / 200)],
  ['noise', noise({ seconds: 3 })],
  ['a tone', tone({ seconds: 3 })],
  ['nothing', new Int16Array(0)],
])('%s is an empty text of its duration', async (_name, samples) => {
  for (const isLive of [false, true]) {
    const { text, durationSeconds } = await heard(streamOf(samples), { isLive });
    expect({ text, durationSeconds }).toEqual({ text: '', durationSeconds: samples.length / 16_000 });
  }
});

describe('the process', () => {
  test('is one for all calls, and goes on after a caller who leaves and a source that breaks', async () => {
    await heard(speechOf('alloy', sentences.slice(0, 1)));
    const before = recognisers();
    expect(before).toHaveLength(1);
    const leaving = new AbortController();
    async function* leavingSource() {
      yield noise({ seconds: 31 });
      leaving.abort(new Error('left'));
      yield noise({ seconds: 1 });
    }
    await expect(heard(leavingSource(), {}, leaving.signal)).rejects.toThrow('left');
    async function* broken() {
      yield noise({ seconds: 1 });
      throw new Error('broken source');
    }
    await expect(heard(broken())).rejects.toThrow('broken source');
    await heard(speechOf('alloy', sentences.slice(0, 1)));
    expect(recognisers()).toEqual(before);
  });

  test('that is killed fails its call alone: the next one starts another', async () => {
    await heard(speechOf('alloy', sentences.slice(0, 1)));
    const [pid] = recognisers();
    async function* thenKilled() {
      yield* speechOf('alloy', sentences.slice(0, 1));
      // Its window has been sent by then, and takes longer than this to compute.
      setTimeout(() => process.kill(pid!, 'SIGKILL'), 50);
    }
    await expect(heard(thenKilled())).rejects.toMatchObject({ fault: 'failed' });
    const { text } = await heard(speechOf('alloy', sentences.slice(0, 1)));
    expect(text).toBe('The quick brown fox jumped over the lazy dog.');
    expect(recognisers()).toHaveLength(1);
    expect(recognisers()).not.toContain(pid);
  });

  test('ends with the service', async () => {
    await hearing.close();
    expect(recognisers()).toEqual([]);
  });
});
