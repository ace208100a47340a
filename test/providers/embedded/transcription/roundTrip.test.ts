import { expect, test } from '@jest/globals';
import { createEmbeddedTranscription } from '../../../../providers/embedded/transcription/embeddedTranscription.ts';
import { tone, noise, streamOf } from '../../../audio/sounds.ts';
import { describeWithRecogniser, never, sentences, speechOf, testVoices, transcriptOf } from './spokenStage.ts';

describeWithRecogniser('what is said is understood again', () => {
  // One of the ordinary voices and the two that are hardest to understand; `roundTrip.drill` takes all voices.
  testVoices(['alloy', 'coral', 'onyx'], sentences.slice(0, 7));
});

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

describeWithRecogniser('speech without a pause', () => {
  test('of more than 40 seconds keeps its times from the first word to the last', async () => {
    const voiced = await withoutPauses(speechOf('alloy', sentences.slice(0, 7)));
    const seconds = 45;
    const samples = Int16Array.from({ length: seconds * 16_000 }, (_, at) => voiced[at % voiced.length]!);
    const { segments, words } = await transcriptOf(streamOf(samples));
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
    const { text, durationSeconds } = await transcriptOf(streamOf(samples));
    expect({ text, durationSeconds }).toEqual({ text: '', durationSeconds: samples.length / 16_000 });
  });

  test('a caller who leaves and a source that breaks end it with their own reasons', async () => {
    const leaving = new AbortController();
    async function* leavingSource() {
      yield noise({ seconds: 1 });
      leaving.abort(new Error('left'));
      yield noise({ seconds: 1 });
    }
    await expect(transcriptOf(leavingSource(), leaving.signal)).rejects.toThrow('left');
    async function* broken() {
      yield noise({ seconds: 1 });
      throw new Error('broken source');
    }
    await expect(transcriptOf(broken())).rejects.toThrow('broken source');
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
