import { expect, test } from '@jest/globals';
import { derivedRunIdOf, newId, randomText, timeOfId } from '../../db/ids.ts';

test('an identifier consists of its prefix, the time, and random characters', () => {
  const before = Date.now();
  const id = newId('req');
  expect(id).toMatch(/^req_[0-9a-z]{8}[0-9A-Za-z]{8}$/);
  const timeMs = parseInt(id.slice(4, 12), 36);
  expect(timeMs).toBeGreaterThanOrEqual(before);
  expect(timeMs).toBeLessThanOrEqual(Date.now());
});

test('identifiers are unique, and all characters are equally frequent', () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => randomText(index % 2 === 0 ? 14 : 43));
  expect(new Set(texts).size).toBe(texts.length);
  const counts = new Map<string, number>();
  for (const letter of texts.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(62);
  const mean = (20_000 * 28.5) / 62;
  // Eight standard deviations: chance exceeds them once in 10^12 runs.
  for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(8 * Math.sqrt(mean));
});

test('the time in an identifier can be read; a derived one has none', () => {
  const before = Date.now();
  for (const prefix of ['file', 'req', 'speech_item']) {
    const at = timeOfId(newId(prefix))!.getTime();
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  }
  const others = [
    '',
    'file_none',
    'file_',
    'file-abc',
    'zzzzzzzzzzzzzzz',
    'file_zzzzzzzzzzzzzzz',
    `file_${'0'.repeat(22)}`,
  ];
  expect([...others, derivedRunIdOf('a')].map(timeOfId)).toEqual([...others, ''].map(() => null));
});
