import { expect, test } from '@jest/globals';
import { isStorable, storableJson, storableText } from '../../base/json.ts';

test.each(['', 'a\nb', 'é', '😀', '\ufffd'])('%j can be stored unchanged', (text) => {
  expect([isStorable(text), storableText(text)]).toEqual([true, text]);
});

test.each([
  ['a\0b', 'a\ufffdb'],
  ['\ud83d', '\ufffd'],
  ['\ude00\0', '\ufffd\ufffd'],
])('%j cannot be stored, and is repaired', (text, mended) => {
  expect([isStorable(text), storableText(text)]).toEqual([false, mended]);
});

test('repairs all texts of a JSON object, and nothing else', () => {
  expect(storableJson({ 'a\0': ['b\0', 1, null, { c: true }] })).toEqual({
    'a\ufffd': ['b\ufffd', 1, null, { c: true }],
  });
  expect(storableJson(['\0'])).toEqual(['\ufffd']);
});
