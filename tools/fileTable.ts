import * as z from 'zod';
import { csvSheets, isWorkbook, workbookJson } from './documents/readDocument.ts';
import type { Sheet } from './documents/reader/sheet.ts';
import { decodeText } from './sandbox/files.ts';
import { filePathOf, readable, readFileBytes } from './sessionFiles.ts';
import { ToolFailure, type ToolContext } from './tool.ts';

const HEAD_ROW_MAX = 1_000;

/** The location of a table in the session's files. */
export const TableSource = z.strictObject({
  path: z.string().describe('Path of a CSV, TSV or XLSX file of the session.'),
  sheet: z.string().max(31).optional().describe('Name of its sheet; the first one when left out.'),
  head_row: z
    .int()
    .min(1)
    .max(HEAD_ROW_MAX)
    .default(1)
    .describe('Which row has the names of the columns, counted among those that are not empty.'),
});

type Row = Sheet['rows'][number];

/** Null: an empty cell. */
export type Cell = Row[number];

/** A table of a file: the names of its columns, and the rows below them. */
export interface FileTable {
  path: string;
  names: string[];
  rows: Row[];
}

/** Reads a table of a file. Throws ToolFailure if there is none. */
export async function readTable(
  { path: given, sheet: name, head_row: headRow }: z.output<typeof TableSource>,
  context: ToolContext,
): Promise<FileTable> {
  const path = filePathOf(given);
  const sheets = await readSheets(path, context);
  const sheet = name === undefined || !isWorkbook(path) ? sheets[0] : sheets.find((one) => one.name === name);
  if (!sheet) throw new ToolFailure(`'${path}' has no sheet '${name}'. Its sheets are: ${listed(sheets.map(nameOf))}.`);
  const head = sheet.rows[headRow - 1];
  if (!head) throw new ToolFailure(`'${path}' has ${sheet.rows.length} rows, so none at head_row ${headRow}.`);
  return { path, names: Array.from(head, (cell) => String(cell ?? '').trim()), rows: sheet.rows.slice(headRow) };
}

async function readSheets(path: string, context: ToolContext): Promise<Sheet[]> {
  const bytes = await readFileBytes(path, context);
  if (isWorkbook(path)) return JSON.parse(await readable(workbookJson(bytes, context.signal)));
  const text = /\.(?:csv|tsv|txt)$/i.test(path) ? decodeText(bytes) : undefined;
  if (text === undefined) throw new ToolFailure(`'${path}' is no table: it must be a CSV, TSV or XLSX file.`);
  return readable(csvSheets(text, context.signal));
}

const nameOf = ({ name }: Sheet) => name;

/** The index of a column from 0, by its name in any case, or by its letter as in a spreadsheet. Throws ToolFailure if there is none. */
export function columnOf({ path, names, rows }: FileTable, wanted: string): number {
  const trimmed = wanted.trim();
  const named = names.indexOf(trimmed);
  const alike = named < 0 ? names.findIndex((name) => name.toLowerCase() === trimmed.toLowerCase()) : named;
  if (alike >= 0) return alike;
  const place = /^[A-Z]{1,3}$/.test(trimmed) ? placeOf(trimmed) : Infinity;
  if (place < Math.max(names.length, ...rows.slice(0, 1_000).map(({ length }) => length))) return place;
  throw new ToolFailure(`'${path}' has no column '${wanted}'. Its columns are: ${listed(names)}.`);
}

const placeOf = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const NAMES_MAX = 50;

const listed = (names: string[]): string =>
  names
    .slice(0, NAMES_MAX)
    .map((name, at) => name.slice(0, 100) || `(column ${at + 1})`)
    .join(', ') + (names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '');
