import { expect, test } from '@jest/globals';
import { companded } from '../../../calls/audio/plain/companding.ts';

// ITU-T G.711's corner values: silence, and the loudest sample of each sign.
test("the companding laws give the standard's values", () => {
  const corners = Int16Array.of(0, 32_767, -32_768);
  expect([...companded(corners, 'ulaw')]).toEqual([0xff, 0x80, 0x00]);
  expect([...companded(corners, 'alaw')]).toEqual([0xd5, 0xaa, 0x2a]);
});

test('a louder sample never gets a quieter value', () => {
  const rising = Int16Array.from({ length: 32_768 }, (_, at) => at);
  for (const [law, mask] of [
    ['ulaw', 0xff],
    ['alaw', 0xd5],
  ] as const) {
    const levels = [...companded(rising, law)].map((code) => code ^ mask);
    expect(levels.every((level, at) => at === 0 || level >= levels[at - 1]!)).toBe(true);
  }
});
