import { expect, test } from '@jest/globals';
import { createEmbeddedTranscription } from '../../../engines/transcription/embeddedTranscription.ts';
import { tone, noise, streamOf } from '../../calls/audio/sounds.ts';
import { describeWithRecogniser, never, sentences, testVoices, transcriptOf } from './spokenStage.ts';

describeWithRecogniser('what is said is understood again', () => {
  // `roundTrip.drill` takes all voices.
  testVoices(['alloy'], sentences.slice(0, 4));
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
    const missing = createEmbeddedTranscription({ dataDir: '/nowhere', isNeural: true, processes: 1, waitingMax: 0 });
    const first = missing.transcribe(streamOf(), {}, never)[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ fault: 'unavailable', message: /install Python 3 with pip/ });
  } finally {
    process.env.PATH = path;
  }
});
