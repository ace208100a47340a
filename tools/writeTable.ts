import * as z from 'zod';
import { COLUMN_TYPES, workbookOf, type Table } from '../documents/writer/workbook.ts';
import { csvOf } from '../documents/writer/csv.ts';
import { filePathOf, mediaTypeOf } from './sessionFiles.ts';
import { defineTool, textResult, ToolFailure, type Tool } from './tool.ts';

const SHEETS_MAX = 20;
const COLUMNS_MAX = 100;
const CELLS_MAX = 200_000;

const Sheet = z.strictObject({
  name: z
    .string()
    .regex(/^[^[\]:*?/\\']{1,31}$/, "must have 1 to 31 characters, none of them []:*?/\\'")
    .default('Sheet1'),
  columns: z
    .array(
      z.strictObject({
        name: z.string().max(200),
        type: z
          .enum(COLUMN_TYPES)
          .default('auto')
          .describe('Dates are texts like 2026-11-24 or 2026-11-24 09:30:00; a percentage of 25 % is 0.25.'),
      }),
    )
    .min(1)
    .max(COLUMNS_MAX),
  rows: z.array(z.array(z.union([z.string().max(32_767), z.number(), z.boolean(), z.null()]))),
});

/** Writes tables as a workbook, or one as CSV. */
export const writeTable: Tool = defineTool({
  name: 'write_table',
  description:
    'Writes tables into a file of the session: XLSX with typed cells, one sheet for each table, or CSV with one table. A file of the same path is replaced.',
  kind: 'file',
  input: z.strictObject({
    path: z.string().describe("Relative path that ends with .xlsx or .csv, like 'reports/totals.xlsx'."),
    sheets: z.array(Sheet).min(1).max(SHEETS_MAX),
  }),
  run: async ({ path: given, sheets }, { files }) => {
    const path = filePathOf(given);
    checkTables(sheets);
    const bytes = bytesOf(path, sheets);
    await files.write({ path, bytes, mediaType: mediaTypeOf(path, false) });
    const rows = sheets.map(({ name, rows: { length } }) => `${name} with ${length} rows`);
    return textResult(`Wrote ${path} (${bytes.length} bytes): ${rows.join(', ')}.`);
  },
});

function checkTables(tables: Table[]): void {
  const names = new Set(tables.map(({ name }) => name.toLowerCase()));
  if (names.size < tables.length) throw new ToolFailure('Each sheet needs a name of its own.');
  let cells = 0;
  for (const { name, columns, rows } of tables) {
    const long = rows.findIndex((row) => row.length > columns.length);
    if (long >= 0)
      throw new ToolFailure(
        `Row ${long + 1} of ${name} has ${rows[long]!.length} cells for ${columns.length} columns.`,
      );
    cells += columns.length * rows.length;
  }
  if (cells > CELLS_MAX)
    throw new ToolFailure(`The tables have ${cells} cells, and ${CELLS_MAX} are the most allowed.`);
}

function bytesOf(path: string, tables: Table[]): Uint8Array {
  if (/\.xlsx$/i.test(path)) return workbookOf(tables);
  if (!/\.csv$/i.test(path)) throw new ToolFailure('path: must end with .xlsx or .csv.');
  if (tables.length > 1) throw new ToolFailure('A CSV file has one table: write an XLSX file, or one file for each.');
  return Buffer.from(csvOf(tables[0]!));
}
