import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stressed, stressedAtEnd } from './stress.ts';
import { capitalised } from '../../base/sentences.ts';

type Entry = string | Record<string, string | null>;
type Dictionary = Record<string, Entry>;

/** The position of a word. */
export interface Place {
  /** The word before it, in lower case. */
  previous: string;
  /** Whether the next sound is a vowel; undefined before a pause. */
  isBeforeVowel: boolean | undefined;
  /** Whether the text is written in capitals throughout. */
  isShouted: boolean;
}

// After these, a word with several pronunciations is a verb, a noun or adjective, or a participle.
const BEFORE_VERB =
  /^(to|i|you|we|they|will|would|can|could|shall|should|must|may|might|not|don't|didn't|can't|let's|please|who|and)$/;
const BEFORE_PARTICIPLE = /^(have|has|had|having|was|were|been|be|is|are|i've|you've|we've|they've|he's|she's|it's)$/;

const US_TAP = /[AIOWYiuæɑəɛɪɹʊʌ]$/;

export type Lexicon = ReturnType<typeof readLexicon>;

/** The pronunciations of words in a folder's dictionaries, with the rules for the sound of endings. */
export function readLexicon(folder: string, accent: 'us' | 'gb') {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, `${accent}_${name}.json`), 'utf8')) as Dictionary;
  return openLexicon(read('gold'), read('silver'), accent);
}

/** `gold` was checked by people, `silver` was not. */
export function openLexicon(gold: Dictionary, silver: Dictionary, accent: 'us' | 'gb') {
  const weakVowel = accent === 'gb' ? 'ɪ' : 'ᵻ';

  function entryOf(word: string): Entry | undefined {
    const small = word.toLowerCase();
    for (const dictionary of [gold, silver])
      for (const key of [word, small, capitalised(word)]) if (Object.hasOwn(dictionary, key)) return dictionary[key];
    return undefined;
  }

  function known(word: string, place: Place): string | undefined {
    const entry = entryOf(word);
    return entry === undefined || typeof entry === 'string' ? entry : variantOf(entry, place);
  }

  /** The sounds of a word, or undefined if neither it nor its stem is known. */
  function soundsOf(word: string, place: Place): string | undefined {
    const special = specialOf(word, place);
    if (special !== undefined) return special;
    if (word.length > 1 && /^[A-Z]+$/.test(word) && !place.isShouted) return initialsOf(word, place);
    const plain = place.isShouted ? word.toLowerCase() : word;
    const sounds = known(plain, place) ?? withEnding(plain.toLowerCase(), place);
    return sounds !== undefined && /^[A-Z]/.test(plain) ? stressed(sounds, 'ˌ') : sounds;
  }

  /** A word in capitals is read as a word only if it is known: `NASA`, but `U S A`. */
  function initialsOf(word: string, place: Place): string | undefined {
    const own = Object.hasOwn(gold, word) ? gold[word] : undefined;
    if (typeof own === 'string') return own;
    if (own === undefined && word.length > 3) {
      const sounds = known(word.toLowerCase(), place) ?? withEnding(word.toLowerCase(), place);
      if (sounds !== undefined) return stressed(sounds, 'ˈ');
      if (word.length > 4 && /[AEIOUY]/.test(word)) return undefined;
    }
    const letters = Array.from(word, (letter) => gold[letter]);
    return letters.every((sounds) => typeof sounds === 'string') ? stressedAtEnd(letters) : undefined;
  }

  function withEnding(word: string, place: Place): string | undefined {
    const possessive = /^(.+s)'$/.exec(word)?.[1];
    if (possessive) return known(possessive, place) ?? withEnding(possessive, place);
    const firstKnown = (...stems: (string | undefined)[]) => {
      for (const stem of stems) {
        const sounds = stem && stem.length > 1 ? known(stem, place) : undefined;
        if (sounds) return sounds;
      }
      return undefined;
    };
    const stemOf = (ending: RegExp, to = '') => (ending.test(word) ? word.replace(ending, to) : undefined);
    const many = firstKnown(stemOf(/(?<!s)s$/), stemOf(/'s$/), stemOf(/(?<!i)es$/), stemOf(/ies$/, 'y'));
    if (many && word.endsWith('s')) return many + pluralSound(many);
    const past = firstKnown(
      stemOf(/(?<!d)d$/),
      stemOf(/(?<!e)ed$/),
      stemOf(/([b-df-hj-np-tv-z])\1ed$/, '$1'),
      stemOf(/ied$/, 'y'),
    );
    if (past && word.endsWith('ed')) return pastSound(past);
    const going = firstKnown(stemOf(/ing$/), stemOf(/ing$/, 'e'), stemOf(/([b-df-hj-np-tv-z])\1ing$/, '$1'));
    if (going)
      return accent === 'us' && going.endsWith('t') && US_TAP.test(going.slice(0, -1))
        ? `${going.slice(0, -1)}Tɪŋ`
        : `${going}ɪŋ`;
    return undefined;
  }

  function pluralSound(stem: string): string {
    if (/[ptkfθ]$/.test(stem)) return 's';
    return /[szʃʒʧʤ]$/.test(stem) ? `${weakVowel}z` : 'z';
  }

  function pastSound(stem: string): string {
    if (/[pkfθʃsʧ]$/.test(stem)) return `${stem}t`;
    if (stem.endsWith('d')) return `${stem}${weakVowel}d`;
    if (!stem.endsWith('t')) return `${stem}d`;
    return accent === 'us' && US_TAP.test(stem.slice(0, -1)) ? `${stem.slice(0, -1)}Tᵻd` : `${stem}${weakVowel}d`;
  }

  return { soundsOf };
}

/** Small words with a vowel that depends on the next sound. */
function specialOf(word: string, { isBeforeVowel }: Place): string | undefined {
  if (word === 'a') return 'ɐ';
  if (word === 'I') return 'ˌI';
  switch (word.toLowerCase()) {
    case 'an':
      return 'ɐn';
    case 'the':
      return isBeforeVowel ? 'ði' : 'ðə';
    case 'to':
      return isBeforeVowel === undefined ? undefined : isBeforeVowel ? 'tʊ' : 'tə';
    default:
      return undefined;
  }
}

function variantOf(entry: Record<string, string | null>, { previous, isBeforeVowel }: Place): string | undefined {
  const names = [];
  if (isBeforeVowel === undefined) names.push('None');
  if (BEFORE_VERB.test(previous)) names.push('VERB', 'VBP');
  if (BEFORE_PARTICIPLE.test(previous)) names.push('VBN', 'VBD', 'ADJ');
  for (const name of [...names, 'DEFAULT']) if (entry[name]) return entry[name];
  return undefined;
}
