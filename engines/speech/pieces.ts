import { sentencesOf } from '../../base/sentences.ts';

// The first piece is short, so that sound starts early; the others are long enough to sound like sentences.
const PIECES = { firstMax: 80, othersMax: 240 };
// The length of a digit, a spelled letter or a sign, in letters of a common word. An engine's time grows faster than the sound it
// produces.
const DIGIT_LETTERS = 7;
const NAME_LETTERS = 4;
const SIGN_LETTERS = 10;
const SIGN = /[%&=$#+@€£¥*_/°×÷]/u;
// Capitals, single letters, and consonants that form no syllable.
const SPELLED = /\p{Lu}(?!\p{Ll})|(?<!\p{L})\p{L}(?!\p{L})|[b-df-hj-np-tv-xz]{5}/uy;

/**
 * Cuts text where a speaker pauses: after sentences, in a long one after clauses, otherwise between words. Joined, the pieces are the
 * text. Their sizes are in letters of common words at normal speed.
 */
export function piecesOf(text: string, { firstMax, othersMax, speed = 1 }: Partial<Sizes> = {}): string[] {
  const others = (othersMax ?? PIECES.othersMax) * Math.sqrt(Math.min(1, speed));
  const sizes = { first: Math.min(firstMax ?? PIECES.firstMax, others), others };
  const pieces: string[] = [];
  for (const sentence of sentencesOf(text)) {
    let rest = sentence;
    while (rest !== '') {
      const size = pieces.length === 0 ? sizes.first : sizes.others;
      const piece = rest.slice(0, cutOf(rest, size, sizes.others));
      pieces.push(piece);
      rest = rest.slice(piece.length);
    }
  }
  return pieces;
}

interface Sizes {
  firstMax: number;
  othersMax: number;
  speed: number;
}

/**
 * How many code units the next piece takes: up to the last clause that fits, otherwise the last word, otherwise a word that is not too
 * long, otherwise whatever fits.
 */
function cutOf(text: string, size: number, wordMax: number): number {
  const fitting = unitsWithin(text, size);
  if (fitting === text.length) return fitting;
  const head = text.slice(0, fitting);
  // A comma within a number ends no clause.
  const clause = /^[\s\S]{20,}(?:[;–—。、，]|[,:](?!\d))\s*(?=\S)/u.exec(head)?.[0].length;
  const words = /^[\s\S]*\s(?=\S)/u.exec(head)?.[0].length;
  if (clause ?? words) return (clause ?? words)!;
  const long = unitsWithin(text, wordMax);
  const word = /^\s*\S+\s*/u.exec(text.slice(0, long))?.[0].length ?? fitting;
  return word < long || long === text.length ? word : fitting;
}

/** How many code units of a text are read in the time of so many letters; at least one character. */
function unitsWithin(text: string, letters: number): number {
  let left = letters;
  let at = 0;
  for (const character of text) {
    left -= lettersOf(character, text, at);
    if (left < 0 && at > 0) return at;
    at += character.length;
  }
  return at;
}

function lettersOf(character: string, text: string, at: number): number {
  if (character >= '0' && character <= '9') return DIGIT_LETTERS;
  if (SIGN.test(character)) return SIGN_LETTERS;
  SPELLED.lastIndex = at;
  return SPELLED.test(text) ? NAME_LETTERS : 1;
}
