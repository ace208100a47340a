import { describe, expect, jest, test } from '@jest/globals';
import { assert, jsonValue, nat, property } from 'fast-check';
import { excessOfText, excessOfValue, hasFewBrackets, JSON_DEPTH_MAX } from '../../base/jsonShape.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const excess = (json: string, valuesMax = 1_000) => excessOfText(Buffer.from(json), valuesMax);
const excessParsed = (json: string, valuesMax = 1_000) => excessOfValue(JSON.parse(json), valuesMax);

describe.each([
  ['a text', excess],
  ['a parsed value', excessParsed],
])('in %s', (_, excessOf) => {
  test('64 levels of nesting are allowed, 65 are not', () => {
    const nestedMembers = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    for (const nest of [nested, nestedMembers]) {
      expect(excessOf(nest(JSON_DEPTH_MAX))).toBeUndefined();
      expect(excessOf(nest(JSON_DEPTH_MAX + 1))).toBe('depth');
      expect(excessOf(nest(200_000))).toBe('depth');
      expect(excessOf(`[${`${nest(JSON_DEPTH_MAX - 1)},`.repeat(8)}1]`)).toBeUndefined();
    }
  });

  test('members and elements count together', () => {
    expect(excessOf('[1,2,3]', 3)).toBeUndefined();
    expect(excessOf('[1,2,3]', 2)).toBe('values');
    expect(excessOf('{"a":{"b":1},"c":2}', 3)).toBeUndefined();
    expect(excessOf('{"a":{"b":1},"c":2}', 2)).toBe('values');
    expect(excessOf('{"a":{"__proto__":{"b":1}},"constructor":2}', 4)).toBeUndefined();
    expect(excessOf('{"a":{"__proto__":{"b":1}},"constructor":2}', 3)).toBe('values');
    expect(['1', '"[{"', 'null'].map((json) => excessOf(json, 0))).toEqual([undefined, undefined, undefined]);
  });
});

test('a text and its parsed value have the same number of values, whatever they contain', () => {
  assert(
    property(jsonValue(), nat({ max: 60 }), (value, valuesMax) => {
      const json = JSON.stringify(value);
      expect(excessParsed(json, valuesMax)).toBe(excess(json, valuesMax));
    }),
  );
});

test('8,192 brackets count as few', () => {
  expect([hasFewBrackets(nested(8_192)), hasFewBrackets('[{'.repeat(4_096) + '{')]).toEqual([true, false]);
});

test.each([
  ['a short string', '[,{,'],
  ['a long string', '[,{,'.repeat(50)],
  ['a long string that ends in quotes', `${'x'.repeat(60)}""`],
  ['a long string that ends in backslashes', `${'x'.repeat(60)}\\\\`],
  ['backslashes where the walk ends', 'x'.repeat(46) + '\\'.repeat(5)],
  ['letters of several bytes', '„[{,“'.repeat(30)],
])('characters in %s do not count', (_, text) => {
  for (let shift = 0; shift < 4; shift += 1) {
    const json = JSON.stringify([`${'y'.repeat(shift)}${text}`, 1]);
    expect(excess(json, 2)).toBeUndefined();
    expect(excess(json, 1)).toBe('values');
  }
});

test('an unterminated string ends the scan', () => {
  expect(excess('["' + 'x'.repeat(100))).toBeUndefined();
  expect(excess('["\\')).toBeUndefined();
});

// Each native search costs as much as forty bytes of the walk: 64 MiB of escaped quotes stopped the process for four seconds.
test('a string full of escaped quotes is walked, not searched for each of them', () => {
  const json = Buffer.from(`["${'\\"'.repeat(10_000)}",1]`);
  const search = jest.spyOn(json, 'indexOf');
  expect([excessOfText(json, 1), excessOfText(json, 2)]).toEqual(['values', undefined]);
  expect(search.mock.calls.length).toBeLessThan(1_000);
});
