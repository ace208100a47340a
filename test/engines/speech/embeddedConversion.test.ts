import { expect, test } from '@jest/globals';
import { createEmbeddedConversion } from '../../../engines/speech/embeddedConversion.ts';
import { measureVoice } from '../../../providers/sound/measureVoice.ts';
import { tone, noise, samplesIn, streamOf } from '../../calls/audio/sounds.ts';

const never = new AbortController().signal;
const { convert } = createEmbeddedConversion();

async function converted(audio: AsyncIterable<Int16Array>, pitchHz: number): Promise<Int16Array> {
  async function* pieces() {
    for await (const { pcm } of convert({ audio, voice: { pitchHz, brightnessHz: 300 } }, never)) yield pcm;
  }
  return samplesIn(pieces());
}

test.each([
  [110, 190],
  [200, 120],
])('a voice of %d Hz becomes one of %d Hz, with the same duration', async (from, to) => {
  const audio = tone({ seconds: 8, pitchHz: from });
  const result = await converted(streamOf(audio.subarray(0, 50_000), audio.subarray(50_000)), to);
  expect(result).toHaveLength(audio.length);
  expect(Math.abs(measureVoice({ samples: result, sampleRate: 16_000 }).pitchHz / to - 1)).toBeLessThan(0.06);
});

test('audio without a voice is returned unchanged', async () => {
  const hiss = noise({ seconds: 4 });
  expect(await converted(streamOf(hiss), 200)).toEqual(hiss);
  expect(await converted(streamOf(), 200)).toHaveLength(0);
});

test("a preset's name is a valid target, and an unknown one is refused", async () => {
  const audio = () => streamOf(tone({ seconds: 2 }));
  await convert({ audio: audio(), voice: 'onyx' }, never)[Symbol.asyncIterator]().next();
  const unknown = convert({ audio: audio(), voice: 'nobody' }, never)[Symbol.asyncIterator]().next();
  await expect(unknown).rejects.toMatchObject({ fault: 'refused' });
});
