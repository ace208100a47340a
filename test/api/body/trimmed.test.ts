import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseWith } from '../../../api/body/parseWith.ts';
import { record } from '../../../base/record.ts';

const Body = z.strictObject({
  pairs: record(z.string().max(64), z.string()).optional(),
  list: z.array(z.string()).default([]),
});
const parse = parseWith(Body, 'body');

/** An object with many members of a value, which counts how often they are read. */
function wide(value: unknown) {
  let reads = 0;
  const get = () => {
    reads += 1;
    return value;
  };
  const members = Array.from({ length: 5_000 }, (_, at) => [`k${at}`, { get, enumerable: true }] as const);
  const pairs = Object.defineProperties({}, Object.fromEntries(members));
  return { pairs, reads: () => reads };
}

test('a wide body with faults is not read further than those that are listed', () => {
  const { pairs, reads } = wide(0);
  expect(() => parse({ pairs })).toThrow(/^pairs\.k0: /);
  expect(reads()).toBeLessThan(200);
});

test('names of members count, too, and so do items of a list', () => {
  const long = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}`.padStart(80, 'k'), 'a']));
  expect(() => parse({ pairs: long })).toThrow(/^pairs\./);
  const list = [...Array.from({ length: 150 }, () => 'a'), ...Array.from({ length: 150 }, () => 1)];
  expect(() => parse({ list })).toThrow(/^list\.150: /);
});

test('a wide body without faults is kept whole', () => {
  const pairs = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, 'a']));
  const list = Array.from({ length: 500 }, (_, at) => `${at}`);
  expect(parse({ pairs, list })).toEqual({ pairs, list });
  expect(parse({ pairs })).toEqual({ pairs, list: [] });
});
