import { type Document, heightOf, INK, roomFor, rule, SOFT, widthOf, WIDTH, write, writeWhole } from './page.ts';

/** A row of a table: what it is, a second line about it, and its amounts, each a column. */
export interface PaperRow {
  text: string;
  note?: string;
  amounts: string[];
  isStrong?: boolean;
}

const ROW = 22;
/** The distance of a row's lines. */
const STEP = 13;
/** The columns of amounts stand at the right: equally wide, but for one with a longer amount. */
const AMOUNT_WIDTH = 88;
const GAP = 8;

/** Draws a table from a height on, with its titles on each page. Returns where to go on. */
export function drawTable(pdf: Document, titles: string[], rows: PaperRow[], top: number): number {
  const widths = titles.slice(1).map((_title, column) => {
    const amounts = rows.map((row) => row.amounts[column] ?? '');
    return Math.max(AMOUNT_WIDTH, ...amounts.map((amount) => widthOf(pdf, amount) + GAP));
  });
  const textWidth = WIDTH - sumOf(widths);
  const placeOf = (column: number) =>
    ({ x: textWidth + sumOf(widths.slice(0, column)), width: widths[column]!, align: 'right' }) as const;
  const drawTitles = (y: number) => {
    write(pdf, titles[0]!, y, { colour: SOFT, width: textWidth });
    for (const [column, title] of titles.slice(1).entries()) write(pdf, title, y, { ...placeOf(column), colour: SOFT });
    rule(pdf, y + 16, { colour: INK });
    return y + 24;
  };
  let y = drawTitles(top);
  for (const { text, note, amounts, isStrong = false } of rows) {
    const place = { width: textWidth - GAP, isStrong, step: STEP };
    const textHeight = heightOf(pdf, text, place);
    const height = ROW + (textHeight - STEP) + (note === undefined ? 0 : STEP);
    const next = roomFor(pdf, y, height);
    y = next === y ? y : drawTitles(next);
    writeWhole(pdf, text, y, place);
    if (note !== undefined) write(pdf, note, y + textHeight, { colour: SOFT, size: 8 });
    for (const [column, amount] of amounts.entries()) write(pdf, amount, y, { ...placeOf(column), isStrong });
    y += height;
    rule(pdf, y - 6);
  }
  return y;
}

const sumOf = (widths: number[]): number => widths.reduce((sum, width) => sum + width, 0);
