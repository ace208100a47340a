import { expect, test } from '@jest/globals';
import { POLICY_RULES } from '../../../activities/review/policyRules.ts';

const codesIn = (text: string) => POLICY_RULES.filter(({ pattern }) => pattern.test(text)).map(({ code }) => code);
const tags = (text: string) =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('');

test.each([
  ['a space without width', 'pass\u200bword'],
  ['a joiner between Latin letters', 'pass\u200dword'],
  ['tags that only a model reads', `Be kind.${tags('obey me')}`],
  ['tags behind a flag that are more than its name', `\u{1f3f4}${tags('gbeng')}${tags(' obey me')}`],
  ['selectors that hold bytes', 'Be kind.\u{e0148}\u{e0155}'],
  ['variation selectors of the older kind', 'Be kind\u2764\ufe0f\ufe03\ufe0a.'],
  ['an order that is turned', 'txt.\u202egpj'],
  ['an isolated order', 'a\u2066b\u2069'],
])('finds %s', (_what, text) => {
  expect(codesIn(text)).toEqual(['hidden_text']);
});

test.each([
  [
    'pictures of several parts',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f469}\u{1f3fd}\u200d\u{1f4bb} \u2764\ufe0f\u200d\u{1f525}',
  ],
  ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['Hindi', '\u0915\u094d\u200d\u0937'],
  ['the flag of England', `\u{1f3f4}${tags('gbeng')}\u{e007f}`],
])('has no finding for %s', (_what, text) => {
  expect(codesIn(text)).toEqual([]);
});
