import { expect, test } from '@jest/globals';
import { presetVoices } from '../../../providers/voices.ts';
import { streamOf } from '../../calls/audio/sounds.ts';
import { describeWithRecogniser, sentences, speechOf, testVoices, transcriptOf } from './spokenStage.ts';

// All twenty sentences take more than three minutes: SENTENCES=20 selects them, with the same limits.
const count = Number(process.env.SENTENCES ?? 7);

describeWithRecogniser('what each voice says is understood again', () => {
  testVoices(
    presetVoices.map(({ id }) => id),
    sentences.slice(0, count),
  );
});

/** The same without pauses longer than a tenth of a second. */
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
