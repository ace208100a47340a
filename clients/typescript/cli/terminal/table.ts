import { stripVTControlCharacters } from 'node:util';
import { out } from './colors.ts';
import { widthOf } from './terminal.ts';

export interface Column<Row> {
  title: string;
  text: (row: Row) => string | number | null | undefined;
  align?: 'right';
  /** Cut when the table is wider than the terminal. */
  shrinks?: boolean;
}

const GAP = '  ';
const SHORTEST = 12;

/** Rows as aligned columns with their titles. */
export function tableOf<Row>(columns: Column<Row>[], rows: Row[]): string {
  const cells = rows.map((row) => columns.map(({ text }) => oneLine(String(text(row) ?? '-'))));
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => lengthOf(line[at]!))));
  shrink(columns, widths);
  const line = (texts: string[]) =>
    texts
      .map((text, at) => pad(cut(text, widths[at]!), widths[at]!, columns[at]!.align))
      .join(GAP)
      .trimEnd();
  const head = line(columns.map(({ title }) => title.toUpperCase()));
  return [out.dim(head), ...cells.map(line)].join('\n');
}

/** Names with their values, one a line. Values without a text are left out. */
export function listOf(entries: [string, string | number | null | undefined][]): string {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${out.dim(name.padEnd(width))}${GAP}${value}`).join('\n');
}

/** Makes the widest columns narrower until the table fits the terminal. What goes to a file or a program is not cut. */
function shrink<Row>(columns: Column<Row>[], widths: number[]): void {
  if (!process.stdout.isTTY) return;
  const shrinking = widths.map((_, at) => at).filter((at) => columns[at]!.shrinks);
  let over = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - widthOf(process.stdout);
  for (; over > 0; over -= 1) {
    const widest = shrinking.toSorted((a, b) => widths[b]! - widths[a]!)[0];
    if (widest === undefined || widths[widest]! <= SHORTEST) return;
    widths[widest]! -= 1;
  }
}

const lengthOf = (text: string): number => stripVTControlCharacters(text).length;
const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');

function cut(text: string, width: number): string {
  return lengthOf(text) <= width ? text : `${stripVTControlCharacters(text).slice(0, width - 1)}…`;
}

function pad(text: string, width: number, align?: 'right'): string {
  const spaces = ' '.repeat(Math.max(0, width - lengthOf(text)));
  return align === 'right' ? spaces + text : text + spaces;
}
