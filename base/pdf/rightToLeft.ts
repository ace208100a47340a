/** What is needed of the drawing of a PDF. */
interface Drawing {
  text: (text: string, x: number, y: number, options: { lineBreak: false }) => unknown;
  widthOfString: (text: string) => number;
}

const LETTER = /[\u0590-\u06ff]/;
const OTHER_LETTER = /[A-Za-z\u00c0-\u058f\u10a0-\u1fff]/;

/** Whether a text has Hebrew or Arabic letters, whose words run from the right. */
export const hasRightToLeft = (text: string): boolean => LETTER.test(text);

/**
 * The words of a line in the order of their places, from the left: the library turns the letters of each word, and not the words. A line
 * runs in the direction of its first letter, and numbers run with the words before them.
 */
export function fromTheLeft(words: string[]): string[] {
  const first = words.findIndex((word) => LETTER.test(word) || OTHER_LETTER.test(word));
  const isRight = first >= 0 && LETTER.test(words[first]!);
  let direction = isRight;
  const stretches: { isRight: boolean; words: string[] }[] = [];
  for (const word of words) {
    if (LETTER.test(word)) direction = true;
    else if (OTHER_LETTER.test(word)) direction = false;
    const last = stretches.at(-1);
    if (last?.isRight === direction) last.words.push(word);
    else stretches.push({ isRight: direction, words: [word] });
  }
  const placed = stretches.map((one) => (one.isRight ? one.words.toReversed() : one.words));
  return (isRight ? placed.toReversed() : placed).flat();
}

interface Place {
  x: number;
  y: number;
  width: number;
  align: 'left' | 'right';
}

/** Draws the words of one line; a longer line is cut. */
export function drawLine(pdf: Drawing, words: string[], { x, y, width, align }: Place): void {
  const fitting = widthOf(pdf, words) <= width ? words : cutOf(pdf, words, width);
  let at = align === 'right' ? x + width - widthOf(pdf, fitting) : x;
  for (const word of fromTheLeft(fitting)) {
    for (const part of partsOf(word)) {
      pdf.text(part, at, y, { lineBreak: false });
      at += pdf.widthOfString(part);
    }
    at += pdf.widthOfString(' ');
  }
}

/** The beginning of the words that is as wide as the line, with an ellipsis at its end. */
function cutOf(pdf: Drawing, words: string[], width: number): string[] {
  const whole = linesOf(pdf, words, width)[0] ?? [];
  const before = [...whole, words[whole.length] ?? ''];
  for (let last = before.pop(); last !== undefined; last = before.pop())
    for (let end = last.length; end > 0; end -= 1) {
      const line = [...before, `${last.slice(0, end)}…`];
      if (widthOf(pdf, line) <= width) return line;
    }
  return [];
}

/** The parts of a word from the left: the library would turn the digits within it too. */
function partsOf(word: string): string[] {
  if (!LETTER.test(word)) return [word];
  const parts = word.split(/([0-9A-Za-z][0-9A-Za-z.,:/]*)/).filter((part) => part !== '');
  return parts.toReversed().map((part) => (LETTER.test(part) ? part.replaceAll(/[()[\]]/g, mirrored) : part));
}

const MIRRORED: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[' };

const mirrored = (bracket: string): string => MIRRORED[bracket]!;

/** Draws words over as many lines as they need. Returns how many there are. */
export function drawLines(pdf: Drawing, words: string[], { step, ...place }: Place & { step: number }): number {
  const lines = linesOf(pdf, words, place.width);
  for (const [at, line] of lines.entries()) drawLine(pdf, line, { ...place, y: place.y + at * step });
  return lines.length;
}

/** The lines over which words go, each with its words. */
export function linesOf(pdf: Drawing, words: string[], width: number): string[][] {
  const lines: string[][] = [];
  for (const word of words.flatMap((one) => piecesOf(pdf, one, width))) {
    const line = lines.at(-1);
    if (line && widthOf(pdf, [...line, word]) <= width) line.push(word);
    else lines.push([word]);
  }
  return lines;
}

/** A word, in pieces if it is wider than a line. */
function piecesOf(pdf: Drawing, word: string, width: number): string[] {
  const pieces = [''];
  for (const letter of word) {
    const longer = pieces.at(-1)! + letter;
    if (longer.length > 1 && widthOf(pdf, [longer]) > width) pieces.push(letter);
    else pieces[pieces.length - 1] = longer;
  }
  return pieces;
}

const widthOf = (pdf: Drawing, words: string[]): number =>
  words.reduce((sum, word) => sum + partsOf(word).reduce((width, part) => width + pdf.widthOfString(part), 0), 0) +
  pdf.widthOfString(' ') * (words.length - 1);
