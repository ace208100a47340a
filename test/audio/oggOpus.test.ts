import { expect, test } from '@jest/globals';
import { encodeAudio } from '../../audio/encodeAudio.ts';
import { textFormats } from '../../audio/formats.ts';
import { collect } from '../support/collect.ts';
import { hum, streamOf } from './sounds.ts';
import { readSound } from '../support/readSound.ts';

const RATE = 16_000;
const format = textFormats.get('opus')!;

interface Page {
  flags: number;
  serial: number;
  sequence: number;
  granules: number;
}

function pagesOf(file: Buffer): Page[] {
  const pages: Page[] = [];
  for (let at = 0; at < file.length;) {
    const lacing = file.subarray(at + 27, at + 27 + file[at + 26]!);
    pages.push({
      flags: file[at + 5]!,
      granules: Number(file.readBigInt64LE(at + 6)),
      serial: file.readUInt32LE(at + 14),
      sequence: file.readUInt32LE(at + 18),
    });
    at += 27 + lacing.length + lacing.reduce((sum, length) => sum + length, 0);
  }
  return pages;
}

// Lengths that leave a page with one packet, with all of its five, and with each number between.
test.each([160, 1_000, 1_600, 1_920, 2_240, 3_200, 4_800, 16_001])(
  'a stream of %d samples has its exact length, one beginning and one end',
  async (samples) => {
    const pcm = hum({ seconds: 2 }).subarray(0, samples);
    const file = Buffer.concat(await collect(encodeAudio(streamOf({ pcm, sampleRate: RATE }), format)));
    const pages = pagesOf(file);
    expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, at) => at));
    expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1);
    expect(pages.map(({ flags }) => flags)).toEqual([2, ...pages.slice(1, -1).map(() => 0), 4]);
    expect(pages.map(({ granules }) => granules)).toEqual(
      pages.map(({ granules }) => granules).toSorted((a, b) => a - b),
    );
    expect(readSound(file).seconds).toBeCloseTo(samples / RATE, 4);
  },
);

test('two streams have numbers of their own', async () => {
  const serials = await Promise.all(
    [1, 2].map(async () => pagesOf(Buffer.concat(await collect(encodeAudio(streamOf(), format))))[0]!.serial),
  );
  expect(serials[0]).not.toBe(serials[1]);
});
