import { expect, test } from '@jest/globals';
import { spelledOut } from '../../../engines/pronunciation/spelledOut.ts';

/** The pronounced words of a text, with its punctuation marks. */
const read = (text: string) => {
  const words = text.split(' ');
  return words
    .flatMap((word, at) => spelledOut(word, { previous: words[at - 1] ?? '', next: words[at + 1] ?? '' }))
    .join(' ');
};

test.each([
  ['0 7 13 21 100 1050 3,000,000', 'zero seven thirteen twenty one one hundred one thousand fifty three million'],
  ['3.05 and -2', 'three point zero five and minus two'],
  ['007', 'zero zero seven'],
  ['1999, 2007 and 1805', 'nineteen ninety nine , two thousand seven and eighteen oh five'],
  ["the 1990s and the '80s", 'the nineteen nineties and the eighties'],
  ['1st 2nd 3rd 12th 20th 101st', 'first second third twelfth twentieth one hundred first'],
  ['1/2 3/4 5/9', 'one half three quarters five over nine'],
  ['10-20', 'ten to twenty'],
  ['555-1234', 'five five five , one two three four'],
  ['v24.1.0', 'twenty four point one point zero'],
])('numbers: %s', (written, spoken) => expect(read(written)).toBe(spoken));

test.each([
  ['$1', 'one dollar'],
  ['$1,234.50', 'one thousand two hundred thirty four dollars and fifty cents'],
  ['£0.01', 'one penny'],
  ['€12', 'twelve euros'],
  ['$5 million', 'five million dollars'],
  ['£3.2bn', 'three point two billion pounds'],
  ['¥500', 'five hundred yen'],
])('money: %s', (written, spoken) => expect(read(written)).toBe(spoken));

test.each([
  ['2026-11-23', 'november twenty third , twenty twenty six'],
  ['11/23/2026', 'november twenty third , twenty twenty six'],
  ['Nov. 3', 'november third'],
  ['May 5, 1990', 'May fifth , nineteen ninety'],
  ['10:00', "ten o'clock"],
  ['10:05 am', 'ten oh five A M'],
  ['3pm', 'three P M'],
])('dates and times: %s', (written, spoken) => expect(read(written)).toBe(spoken));

test.each([
  ['50%', 'fifty percent'],
  ['5.5 km', 'five point five kilometers'],
  ['1kg and 2kg', 'one kilogram and two kilograms'],
  ['20°C', 'twenty degrees celsius'],
  ['100ms', 'one hundred milliseconds'],
])('units: %s', (written, spoken) => expect(read(written)).toBe(spoken));

test.each([
  ['Dr. Smith', 'doctor Smith'],
  ['e.g. this, etc.', 'for example this , et cetera .'],
  ['No. 5 of the U.S. team', 'number five of the U S team'],
  ['No.', 'No .'],
  ['He sat. Then', 'He sat . Then'],
  ['and/or', 'and slash or'],
  ['#5 & you', 'number five and you'],
  ['mail joe@example.com', 'mail joe at example dot com'],
  ['https://example.com/docs/', 'example dot com slash docs'],
  ['GPT-4o plays mp3', 'GPT four o plays mp three'],
  ['iPhone', 'i Phone'],
  ['“Quoted” (aside), *bold* … end', 'Quoted , aside , bold … end'],
  ['wait — what', 'wait — what'],
  ['Привет 🙂', 'Privet'],
])('abbreviations and signs: %s', (written, spoken) => expect(read(written)).toBe(spoken));

test('signs: takes a long row of them no longer than its length', () => {
  const spoken = read(`${'.'.repeat(1_000_000)}a`);
  expect(spoken).toMatch(/a$/i);
});

test.each([
  ['—', '— — —'],
  ['1–', 'one one one'],
])('signs: takes a long row of %s no longer than its length', (sign, beginning) => {
  expect(read(sign.repeat(200_000)).slice(0, beginning.length)).toBe(beginning);
});
