import type { Unspeakable } from '../../providers/speech.ts';
import { capitalised } from '../../base/sentences.ts';

/** Replacement of a character that the synthesiser's alphabet lacks. */
const REPLACEMENTS: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': ', ',
  '—': ', ',
  '…': '. ',
  '€': ' euros ',
  '£': ' pounds ',
  '¥': ' yen ',
  '°': ' degrees ',
  '×': ' times ',
  '÷': ' divided by ',
  '™': '',
  '®': '',
  '©': '',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'th',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŋ: 'ng',
  ı: 'i',
  '。': '. ',
  '、': ', ',
  '，': ', ',
  '！': '! ',
  '？': '? ',
  '¿': '',
  '¡': '',
};

const CYRILLIC = 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ';
const cyrillicSounds = 'a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya yo i yi ye g'.split(
  ' ',
);
const GREEK = 'αβγδεζηθικλμνξοπρσςτυφχψω';
const greekSounds = 'a v g d e z i th i k l m n x o p r s s t i f kh ps o'.split(' ');

const ROMANISED = new Map([
  ...Object.entries(REPLACEMENTS),
  ...Array.from(CYRILLIC, (letter, at): [string, string] => [letter, cyrillicSounds[at]!.replace('-', '')]),
  ...Array.from(GREEK, (letter, at): [string, string] => [letter, greekSounds[at]!]),
]);

/**
 * `text` in the printable ASCII that the English voices can read: without accents, with typographic signs replaced, Cyrillic and Greek
 * letters transliterated. Characters without such a form (Chinese characters, pictures) become a space.
 */
export function speakable(text: string): string {
  const latin = Array.from(text.normalize('NFKC'), latinOf).join('');
  // The synthesiser would read comma-separated digit groups as separate numbers.
  return latin.replaceAll(/(?<=\d),(?=\d{3})/g, '').replaceAll(/[^\x20-\x7e]/g, ' ');
}

/**
 * Why the English voices cannot speak a text: it has letters or digits without a form in their alphabet, or nothing to speak. Signs and
 * pictures between words are skipped.
 */
export function unspeakableBecause(text: string): Unspeakable | undefined {
  if (PLAIN.test(text)) return undefined;
  for (const character of text.normalize('NFKC')) {
    if (SPOKEN.test(character) && /[^\x20-\x7e]/.test(latinOf(character))) return 'unsupported_language';
  }
  return isSilent(speakable(text)) ? 'invalid_value' : undefined;
}

// Signs, then a letter or digit: no character has two readings, so that a long text takes no more than its length.
const PLAIN = /^[ -/:-@[-`{-~]*[a-z0-9][\x20-\x7e]*$/i;
// Modifier letters are apostrophes and the like.
const SPOKEN = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u;

/** Whether it contains anything to speak. */
export function isSilent(spoken: string): boolean {
  return !/[a-z0-9$%&@#+=]/i.test(spoken);
}

function latinOf(character: string): string {
  const known = ROMANISED.get(character) ?? ROMANISED.get(character.toLowerCase());
  if (known !== undefined) return character === character.toLowerCase() ? known : capitalised(known);
  const plain = character.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  return ROMANISED.get(plain.toLowerCase()) ?? plain;
}
