import { expect, test } from '@jest/globals';
import { unspeakableBecause } from '../../../engines/pronunciation/speakable.ts';

test.each([
  ['Hello, world!', undefined],
  ['7', undefined],
  ['[a]', undefined],
  ['Привет', undefined],
  ['... !', 'invalid_value'],
  ['你好', 'unsupported_language'],
])('%s: %s', (text, expected) => expect(unspeakableBecause(text)).toBe(expected));

// The API's process has one event loop: a slow check of one text delays all calls.
test('takes a long text no longer than its length, also before a sign that is not ASCII', () => {
  expect(unspeakableBecause(`${'[a'.repeat(500_000)}中`)).toBe('unsupported_language');
});
