import { stringify } from 'csv-stringify/sync';
import type { Table } from './workbook.ts';

// A spreadsheet would read such a text as a formula. After a sign, digits alone are a number, and with anything else a formula too: -2+A1.
const FORMULA = /^(?:[=@\t\r＝＠＋－]|[+-](?![\d\s.,%-]*(?:\d[eE][+-]?\d+)?$))/;

/** A table as CSV (RFC 4180). Texts that begin like a formula get an apostrophe before them. */
export const csvOf = ({ columns, rows }: Table): string =>
  stringify(
    [columns.map(({ name }) => safe(name)), ...rows.map((row) => columns.map((_, at) => safe(row[at] ?? null)))],
    {
      record_delimiter: 'windows',
      cast: { boolean: String },
      // Lines may end with either.
      quoted_match: /[\r\n]/,
    },
  );

const safe = (value: Table['rows'][number][number]) =>
  typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value;
