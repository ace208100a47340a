import type { Word } from './wordTimes.ts';
import type { createLetterToSound } from './letterToSound.ts';
import type { Lexicon } from './lexicon.ts';
import { spelledOut } from './spelledOut.ts';
import { beginsWithVowel } from './stress.ts';

/** A row of sounds with its words. Punctuation marks and spaces belong to the word before them. */
export interface Pronunciation {
  /** Sounds, spaces and marks of punctuation. */
  sounds: string[];
  /** For each of them, the index of its word. */
  words: number[];
}

interface Token {
  text: string;
  word: number;
}

const PAUSE = /^[;:,.!?—…]$/;

/** The sounds of a piece of text, by a dictionary, and for missing words by letter-to-sound rules. */
export async function pronounce(
  words: Word[],
  { lexicon, letters }: { lexicon: Lexicon; letters: ReturnType<typeof createLetterToSound> },
): Promise<Pronunciation> {
  const tokens = tokensOf(words);
  const isShouted = !words.some(({ text }) => /\p{Ll}/u.test(text)) && words.length > 1;
  const said: (string | undefined)[] = tokens.map(() => undefined);
  let isBeforeVowel: boolean | undefined;
  for (let at = tokens.length - 1; at >= 0; at--) {
    const { text } = tokens[at]!;
    if (PAUSE.test(text)) isBeforeVowel = undefined;
    else {
      said[at] = partsSaid(lexicon, text, {
        previous: tokens[at - 1]?.text.toLowerCase() ?? '',
        isBeforeVowel,
        isShouted,
      });
      const sounds = said[at];
      isBeforeVowel = sounds === undefined ? /^[aeiou]/i.test(text) : beginsWithVowel(sounds);
    }
  }
  const unknown = tokens.filter(({ text }, at) => said[at] === undefined && !PAUSE.test(text));
  await letters.learn(unknown.map(({ text }) => text.toLowerCase()));
  return joined(tokens, (at) => said[at] ?? letters.soundsOf(tokens[at]!.text.toLowerCase()));
}

function tokensOf(words: Word[]): Token[] {
  return words.flatMap(({ text }, word) =>
    spelledOut(text, { previous: words[word - 1]?.text ?? '', next: words[word + 1]?.text ?? '' }).map((token) => ({
      text: token,
      word,
    })),
  );
}

/** A compound missing from the dictionary is the sequence of its parts. */
function partsSaid(lexicon: Lexicon, text: string, place: Parameters<Lexicon['soundsOf']>[1]): string | undefined {
  const whole = lexicon.soundsOf(text, place);
  if (whole !== undefined || !text.includes('-')) return whole;
  const parts = text.split('-').map((part) => lexicon.soundsOf(part, place));
  return parts.every((part) => part !== undefined) ? parts.join(' ') : undefined;
}

function joined(tokens: Token[], soundsAt: (at: number) => string): Pronunciation {
  const result: Pronunciation = { sounds: [], words: [] };
  const add = (text: string, word: number) => {
    for (const sound of text) {
      result.sounds.push(sound);
      result.words.push(word);
    }
  };
  for (const [at, { text, word }] of tokens.entries()) {
    if (PAUSE.test(text)) {
      if (result.sounds.length > 0 && !PAUSE.test(result.sounds.at(-1)!)) add(text, word);
      continue;
    }
    const sounds = soundsAt(at).replaceAll('ɾ', 'T').replaceAll('ʔ', 't');
    if (sounds === '') continue;
    if (result.sounds.length > 0) add(' ', result.words.at(-1)!);
    add(sounds, word);
  }
  return result;
}
