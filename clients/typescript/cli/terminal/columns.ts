import { stripVTControlCharacters } from 'node:util';

const characters = new Intl.Segmenter();
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** How many columns of a terminal a text takes: characters of East Asia and emoji take two, marks none. */
export const columnsOf = (text: string): number =>
  isPlain(text) ? text.length : [...charactersOf(text)].reduce((sum, one) => sum + widthOf(one), 0);

/** The beginning of a text without colours, in at most so many columns. */
export function cutTo(text: string, columns: number): string {
  let [cut, width] = ['', 0];
  for (const one of charactersOf(text)) {
    width += widthOf(one);
    if (width > columns) break;
    cut += one;
  }
  return cut;
}

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

function* charactersOf(text: string): Generator<string> {
  for (const { segment } of characters.segment(stripVTControlCharacters(text))) yield segment;
}

const widthOf = (character: string): number => (INVISIBLE.test(character) ? 0 : WIDE.test(character) ? 2 : 1);
