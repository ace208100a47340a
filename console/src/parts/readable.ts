import { isObject } from './isObject.ts';

export type Row = Record<string, unknown>;

/** How a text is shown. */
export type Form = { kind: 'data'; value: unknown } | { kind: 'markdown' } | { kind: 'plain' };

const SEPARATORS = [',', ';', '\t'];
const MARKDOWN = /^#{1,4} \S|^```|^\s*[-*] \S|^\d+\. \S|\*\*\S|^\|.*\|\s*$/m;

/** The form of a text: JSON and CSV are data. `isMarkdown`: it is Markdown unless it is data. */
export function formOf(text: string, isMarkdown = false): Form {
  const value = parsed(text) ?? csvRows(text);
  if (value !== undefined) return { kind: 'data', value };
  return isMarkdown || MARKDOWN.test(text) ? { kind: 'markdown' } : { kind: 'plain' };
}

/** JSON with a line for each member; other text unchanged. */
export function indented(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** An array of objects, which is a table; undefined for anything else. */
export function rowsOf(value: unknown): Row[] | undefined {
  const isTable = Array.isArray(value) && value.length > 0 && value.every(isObject);
  return isTable ? value : undefined;
}

/** The rows of a CSV text with a header; undefined when its lines do not fit each other. */
export function csvRows(text: string): Row[] | undefined {
  const lines = text.trim().split(/\r?\n/);
  const separator = SEPARATORS.find((one) => lines[0]!.includes(one));
  if (lines.length < 2 || separator === undefined) return undefined;
  const [names, ...rows] = lines.map((line) => cellsOf(line, separator));
  const isTable =
    rows.every((cells) => cells.length === names!.length) && names!.every((name) => /^[^.!?]+$/.test(name));
  if (!isTable || new Set(names).size < names!.length) return undefined;
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [names![at], numberIn(cell) ?? cell])));
}

/** The cells of a line; a quoted cell may contain the separator and doubled quotes. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at]!;
    if (isQuoted && letter === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell.trim()];
}

const numberIn = (cell: string): number | undefined =>
  /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(cell) ? Number(cell) : undefined;
