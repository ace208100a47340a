import { describe, expect, test } from '@jest/globals';
import { createLetterToSound } from '../../../engines/pronunciation/letterToSound.ts';
import { openLexicon } from '../../../engines/pronunciation/lexicon.ts';
import { pronounce } from '../../../engines/pronunciation/pronounce.ts';
import { loadFlite } from '../../../engines/flite/fliteModule.ts';
import { wordsOf } from '../../../engines/pronunciation/wordTimes.ts';

const gold = {
  A: 'ˈA',
  I: 'ˈI',
  P: 'pˈi',
  be: { DEFAULT: 'bi', None: 'bˈi' },
  call: 'kˈɔl',
  cat: 'kˈæt',
  dish: 'dˈɪʃ',
  end: 'ˈɛnd',
  NASA: 'nˈæsə',
  need: 'nˈid',
  record: { DEFAULT: 'ɹˈɛkəɹd', VERB: 'ɹəkˈɔɹd' },
  to: 'tˈu',
  want: 'wˈɑnt',
};
const lexicon = openLexicon(gold, { make: 'mˈAk' }, 'us');
const letters = createLetterToSound(loadFlite);
const said = async (text: string) => (await pronounce(wordsOf(text), { lexicon, letters })).sounds.join('');

describe('words of the dictionary', () => {
  test.each([
    ['cats dishes calls', 'kˈæts dˈɪʃᵻz kˈɔlz'],
    ["cat's cats'", 'kˈæts kˈæts'],
    ['called wanted needed', 'kˈɔld wˈɑntᵻd nˈidᵻd'],
    ['calling making', 'kˈɔlɪŋ mˈAkɪŋ'],
    ['cat-call', 'kˈæt kˈɔl'],
  ])('with their endings: %s', async (text, sounds) => expect(await said(text)).toBe(sounds));

  test('sound as what stands around them asks for', async () => {
    expect(await said('a record to record')).toBe('ɐ ɹˈɛkəɹd tə ɹəkˈɔɹd');
    expect(await said('the cat, the end')).toBe('ðə kˈæt, ði ˈɛnd');
    expect(await said('be cat be.')).toBe('bi kˈæt bˈi.');
  });

  test('in capitals are letters, unless they are known, long or all of the text is in capitals', async () => {
    expect(await said('an API of NASA')).toContain('ˌApˌiˈI');
    expect(await said('an API of NASA')).toContain('nˈæsə');
    expect(await said('CALL CAT')).toBe('kˈɔl kˈæt');
  });
});

test('unknown words sound by the rules of letters, with one stress', async () => {
  const sounds = await said('Zyxogram');
  expect(sounds).toMatch(/^z.*ɡɹ.*m$/);
  expect(sounds.match(/ˈ/g)).toHaveLength(1);
});

test('each sound knows its word, also where a word becomes several', async () => {
  const { sounds, words } = await pronounce(wordsOf('call $2, cat'), {
    lexicon: openLexicon({ ...gold, two: 'tˈu', dollar: 'dˈɑləɹ' }, {}, 'us'),
    letters,
  });
  const of = (word: number) =>
    sounds
      .filter((_, at) => words[at] === word)
      .join('')
      .trim();
  expect([of(0), of(1), of(2)]).toEqual(['kˈɔl', 'tˈu dˈɑləɹz,', 'kˈæt']);
});
