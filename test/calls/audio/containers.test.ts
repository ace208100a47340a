import { expect, test } from '@jest/globals';
import { encodeAudio } from '../../../calls/audio/audio.ts';
import { TEXT_FORMATS } from '../../../calls/audio/formats.ts';
import { collect } from '../../support/streams.ts';
import { tone, streamOf } from './sounds.ts';
import { oggPagesOf, readSound } from '../../support/sound.ts';

const RATE = 16_000;
const format = TEXT_FORMATS.get('opus')!;

// Lengths that leave a page with one packet, with all of its five, and with each number between.
test.each([160, 1_000, 1_600, 1_920, 2_240, 3_200, 4_800, 16_001])(
  'a stream of %d samples has its exact length, one beginning and one end',
  async (samples) => {
    const pcm = tone({ seconds: 2 }).subarray(0, samples);
    const file = Buffer.concat(await collect(encodeAudio(streamOf({ pcm, sampleRate: RATE }), format)));
    const pages = oggPagesOf(file);
    expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, at) => at));
    expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1);
    expect(pages.map(({ flags }) => flags)).toEqual([2, ...pages.slice(1, -1).map(() => 0), 4]);
    expect(pages.map(({ granules }) => granules)).toEqual(
      pages.map(({ granules }) => granules).toSorted((a, b) => a - b),
    );
    expect(readSound(file).seconds).toBeCloseTo(samples / RATE, 4);
  },
);

test('two streams have different serial numbers', async () => {
  const serials = await Promise.all(
    [1, 2].map(async () => oggPagesOf(Buffer.concat(await collect(encodeAudio(streamOf(), format))))[0]!.serial),
  );
  expect(serials[0]).not.toBe(serials[1]);
});
