import { z } from 'zod';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { nowMsOf } from '../../calls/caller.ts';
import { usdTextOf } from '../../db/money.ts';
import type { Context } from '../context.ts';
import { nextOf, type ReadPage } from './page.ts';
import { sendStream } from './sendStream.ts';

/** The largest file: spreadsheets open it, and it is read in a few seconds. */
const CSV_ROWS_MAX = 200_000;

const PAGE_ROWS = 500;

/** The member `format` of a list's query. */
export const listFormat = z
  .enum(['json', 'csv'])
  .default('json')
  .describe(
    `\`csv\`: all entries in one file, whatever \`limit\` and \`cursor\` say; 422 beyond ${CSV_ROWS_MAX} of them.`,
  );

/** The columns of a file: a name, and the cell of a row. A bigint is an amount in nano-USD, written in US dollars. */
export type CsvColumns<Row> = Record<string, (row: Row) => string | number | bigint | boolean | null | undefined>;

/**
 * Answers with all rows of a list as CSV, read page by page while they are sent. `count` is the number of rows, or any number above the
 * largest file's. Throws 422 for more than that.
 */
export async function answerCsv<Row>(
  ctx: Context,
  { name, count, columns, read }: { name: string; count: number; columns: CsvColumns<Row>; read: ReadPage<Row> },
): Promise<void> {
  if (count > CSV_ROWS_MAX) throw tooManyRows();
  const day = new Date(nowMsOf(ctx.state)).toISOString().slice(0, 10);
  ctx.set('content-disposition', `attachment; filename="${name}-${day}.csv"`);
  ctx.type = 'text/csv; charset=utf-8';
  await sendStream(ctx, csvOf(columns, read));
}

async function* csvOf<Row>(columns: CsvColumns<Row>, read: ReadPage<Row>): AsyncGenerator<string> {
  const cells = Object.values(columns);
  yield await csvTextOf([Object.keys(columns)]);
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<ReadPage<Row>>> = await read({ after, limit: PAGE_ROWS });
    yield await csvTextOf(page.rows.map((row) => cells.map((cell) => cell(row))));
    after = nextOf(page);
  } while (after !== null);
}

/** Records as CSV (RFC 4180). A bigint is an amount in nano-USD, written in US dollars. */
export async function csvTextOf(records: unknown[][]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  return stringify(records, {
    record_delimiter: 'windows',
    // Users choose names: a name that starts like a formula must not run as a formula in a spreadsheet. Amounts keep their minus.
    escape_formulas: true,
    quoted_match: /[\r\n]/,
    cast: { bigint: usdTextOf, boolean: String },
  });
}

const tooManyRows = () =>
  validationErrorAt(
    ['query', 'format'],
    `A file has at most ${CSV_ROWS_MAX} rows, and there are more. Choose a shorter time with \`from\` and \`to\`.`,
  );
