import { out } from './colors.ts';
import { columnsOf, cutTo } from './columns.ts';
import { widthOf } from './terminal.ts';

export interface Column<Row> {
  title: string;
  text: (row: Row) => string | number | null | undefined;
  align?: 'right';
  /** Cut when the table is wider than the terminal. */
  shrinks?: boolean;
  /** A shorter text, taken when the table is wider than the terminal. */
  brief?: (row: Row) => string | number | null | undefined;
  /** Left out when nothing else makes the table fit; the last such column first. */
  optional?: boolean;
}

const GAP = '  ';
const SHORTEST = 12;

/** Rows as aligned columns with their titles. On a terminal they fit it; what goes to a file or a program is not cut. */
export function tableOf<Row>(columns: Column<Row>[], rows: Row[]): string {
  const room = process.stdout.isTTY ? widthOf(process.stdout) : Infinity;
  const whole = widthsOf(columns, rows);
  if (sumOf(whole) <= room) return textOf(columns, rows, whole);
  const shown = columns.map((column) => ({ ...column, text: column.brief ?? column.text }));
  const left: string[] = [];
  for (;;) {
    const widths = shrunk(shown, widthsOf(shown, rows), room);
    const last = shown.findLastIndex(({ optional }) => optional);
    if (sumOf(widths) <= room || last === -1) return [textOf(shown, rows, widths), ...noteOf(left)].join('\n');
    left.unshift(shown.splice(last, 1)[0]!.title);
  }
}

const noteOf = (left: string[]): string[] =>
  left.length === 0 ? [] : [out.dim(`No room for ${left.join(', ')}: use a wider terminal, or --json.`)];

const sumOf = (widths: number[]): number =>
  widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));

const cellOf = <Row>({ text }: Column<Row>, row: Row): string => oneLine(String(text(row) ?? '-'));

const widthsOf = <Row>(columns: Column<Row>[], rows: Row[]): number[] =>
  columns.map((column) => Math.max(column.title.length, ...rows.map((row) => columnsOf(cellOf(column, row)))));

function textOf<Row>(columns: Column<Row>[], rows: Row[], widths: number[]): string {
  const line = (texts: string[]) =>
    texts
      .map((text, at) => pad(cut(text, widths[at]!), widths[at]!, columns[at]!.align))
      .join(GAP)
      .trimEnd();
  const head = line(columns.map(({ title }) => title.toUpperCase()));
  return [out.dim(head), ...rows.map((row) => line(columns.map((column) => cellOf(column, row))))].join('\n');
}

/** Names with their values, one a line. Values without a text are left out. */
export function listOf(entries: [string, string | number | null | undefined][]): string {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${out.dim(name.padEnd(width))}${GAP}${value}`).join('\n');
}

/** The widest columns that may be cut get narrower until all fit, or are short. */
function shrunk<Row>(columns: Column<Row>[], widths: number[], room: number): number[] {
  const left = [...widths];
  const shrinking = columns.flatMap(({ shrinks }, at) => (shrinks ? [at] : []));
  for (let over = sumOf(left) - room; over > 0; over -= 1) {
    const widest = shrinking.toSorted((a, b) => left[b]! - left[a]!)[0];
    if (widest === undefined || left[widest]! <= SHORTEST) return left;
    left[widest]! -= 1;
  }
  return left;
}

const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');

function cut(text: string, width: number): string {
  return columnsOf(text) <= width ? text : `${cutTo(text, width - 1)}…`;
}

function pad(text: string, width: number, align?: 'right'): string {
  const spaces = ' '.repeat(Math.max(0, width - columnsOf(text)));
  return align === 'right' ? spaces + text : text + spaces;
}
