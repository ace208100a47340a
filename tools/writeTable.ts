import * as z from 'zod';
import { COLUMN_TYPES, workbookOf, type ColumnType, type Table } from './documents/writer/workbook.ts';
import { csvOf } from './documents/writer/csv.ts';
import { columnOf, readTable, TableSource, type FileTable } from './fileTable.ts';
import { filePathOf, mediaTypeOf } from './sessionFiles.ts';
import { defineTool, textResult, ToolFailure, type Tool, type ToolContext } from './tool.ts';

const SHEETS_MAX = 20;
const COLUMNS_MAX = 100;
const CELLS_MAX = 200_000;
const NAME_CHARACTERS_MAX = 200;
/** Excel's limit for a cell. */
const CELL_CHARACTERS_MAX = 32_767;

const Sheet = z.strictObject({
  name: z
    .string()
    .regex(/^[^[\]:*?/\\']{1,31}$/, "must have 1 to 31 characters, none of them []:*?/\\'")
    .default('Sheet1'),
  columns: z
    .array(
      z.strictObject({
        name: z.string().max(NAME_CHARACTERS_MAX),
        type: z
          .enum(COLUMN_TYPES)
          .default('auto')
          .describe('Dates are texts like 2026-11-24 or 2026-11-24 09:30:00; a percentage of 25 % is 0.25.'),
        source: z
          .string()
          .max(NAME_CHARACTERS_MAX)
          .optional()
          .describe('With from: the name of the column in that file, or its letter, where it differs from name.'),
      }),
    )
    .min(1)
    .max(COLUMNS_MAX)
    .optional()
    .describe('Needed with rows. With from: the columns to take, in this order; all of them when left out.'),
  rows: z
    .array(z.array(z.union([z.string().max(CELL_CHARACTERS_MAX), z.number(), z.boolean(), z.null()])))
    .optional()
    .describe('The cells, where they come from no file.'),
  from: TableSource.optional().describe(
    'Takes the rows from this file of the session, so that they need not be repeated.',
  ),
});

type SheetOrder = z.output<typeof Sheet>;

/** Writes tables as a workbook, or one as CSV. */
export const writeTable: Tool = defineTool({
  name: 'write_table',
  description:
    'Writes tables into a file of the session: XLSX with typed cells, one sheet for each table, or CSV with ' +
    'one table. The rows are given, or taken from a CSV or XLSX file of the session. A file of the same path ' +
    'is replaced.',
  kind: 'file',
  input: z.strictObject({
    path: z.string().describe("Relative path that ends with .xlsx or .csv, like 'reports/totals.xlsx'."),
    sheets: z.array(Sheet).min(1).max(SHEETS_MAX),
  }),
  run: async ({ path: given, sheets }, context) => {
    const path = filePathOf(given);
    const tables: Table[] = [];
    for (const [at, sheet] of sheets.entries()) tables.push(await tableOf(sheet, at, context));
    checkTables(tables);
    const bytes = bytesOf(path, tables);
    await context.files.write({ path, bytes, mediaType: mediaTypeOf(path, false) });
    const rows = tables.map(({ name, rows: { length } }) => `${name} with ${length} rows`);
    return textResult(`Wrote ${path} (${bytes.length} bytes): ${rows.join(', ')}.`);
  },
});

async function tableOf({ rows, from, ...sheet }: SheetOrder, at: number, context: ToolContext): Promise<Table> {
  if ((rows === undefined) === (from === undefined)) throw new ToolFailure(`sheets.${at}: needs either rows or from.`);
  if (from) return tableFrom(await readTable(from, context), sheet);
  if (!sheet.columns) throw new ToolFailure(`sheets.${at}.columns: is needed with rows.`);
  return { ...sheet, columns: sheet.columns, rows: rows! };
}

/** The requested columns of a file's table. A column without a type gets its values' type. */
function tableFrom(table: FileTable, { name, columns }: Pick<SheetOrder, 'name' | 'columns'>): Table {
  const taken = columns?.map((column) => ({ ...column, place: columnOf(table, column.source ?? column.name) }));
  const all = table.names.map((given, place) => ({
    name: given.slice(0, NAME_CHARACTERS_MAX),
    type: 'auto' as const,
    place,
  }));
  const chosen = taken ?? all;
  if (chosen.length > COLUMNS_MAX)
    throw new ToolFailure(
      `'${table.path}' has ${chosen.length} columns: name those to take in columns, ${COLUMNS_MAX} at most.`,
    );
  return {
    name,
    columns: chosen.map(({ type, place, ...column }) => ({
      ...column,
      type: type === 'auto' ? typeOf(table.rows.map((row) => row[place] ?? null)) : type,
    })),
    rows: table.rows.map((row) => chosen.map(({ place }) => row[place] ?? null)),
  };
}

const FORMS: [ColumnType, RegExp][] = [
  // Numbers, but not codes like 007.
  ['number', /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['datetime', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?$/],
];

/** The type that all texts of a column match. */
function typeOf(values: Table['rows'][number]): ColumnType {
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === 0) return 'auto';
  return FORMS.find(([, form]) => texts.every((text) => form.test(text)))?.[0] ?? 'auto';
}

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
    if (rows.some((row) => row.some((cell) => typeof cell === 'string' && cell.length > CELL_CHARACTERS_MAX)))
      throw new ToolFailure(`A cell of ${name} has more than ${CELL_CHARACTERS_MAX} characters.`);
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
