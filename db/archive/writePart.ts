import { columnSql, columnsOf, SOURCES, valueOf, type Dataset, type MonthIds } from './datasets.ts';
import { GROUP_ROWS, writeParquet, type Column, type Value } from './parquetFile.ts';
import type { Rows } from '../postgres/rows.ts';

/** So many rows are in a file at most: its bytes are in memory until they are stored. */
const PART_ROWS = 250_000;
const TIMEOUT_MS = 300_000;

/** A written file. */
export interface Part {
  rows: number;
  bytes: Uint8Array;
  /** The smallest and the largest value of its first order column: the workspace or the account. */
  between: { first: string; last: string };
  /** When the last of its calls was settled, or of its entries posted, in microseconds since 1970; null: its rows have no such time. */
  lastAt: bigint | null;
  /** Where the next part begins; null: there is none. */
  after: string[] | null;
}

/** Reads the next rows of a dataset in their order, and writes them as a file. Undefined: there are none. */
export function writePart(
  everywhere: Rows<undefined>,
  { dataset, ids, after, partRows = PART_ROWS }: PartOrder,
): Promise<Part | undefined> {
  return everywhere.transaction(async ({ client }) => {
    await client.query('set transaction isolation level repeatable read, read only');
    await client.query(
      `set local statement_timeout = ${TIMEOUT_MS}; set local idle_in_transaction_session_timeout = ${TIMEOUT_MS}`,
    );
    const { from, columns: fixed, without = [], where, order, beside = [], joins = '' } = SOURCES[dataset];
    const own = (fixed ?? (await columnsOf(client, from))).filter(({ name }) => !without.includes(name));
    const columns: Column[] = [
      ...own.map(({ name, kind }) => ({ name, kind })),
      ...beside.map(({ name, kind }) => ({ name, kind })),
    ];
    const selected = [
      ...own.map(columnSql),
      ...beside.map(({ sql }) => sql),
      ...order.map(([sql]) => `(${sql})::text`),
    ];
    const place = order.map(([sql]) => sql).join(', ');
    const later = after ? `and (${place}) > (${order.map(([, type], at) => `$${at + 3}::${type}`).join(', ')})` : '';
    const text = `declare part no scroll cursor for select ${selected.join(', ')} from ${from} e ${joins}
      where ${where} ${later} order by ${place} limit ${partRows}`;
    const declared = { text, values: [ids.first, ids.end, ...(after ?? [])], query_timeout: TIMEOUT_MS };
    await client.query(declared);
    const file = writeParquet(columns, { dataset, first_id: ids.first, end_id: ids.end });
    const timeAt = columns.findIndex(({ name }) => name === TIMES[dataset]);
    const part = { rows: 0, between: { first: '', last: '' }, lastAt: null as bigint | null, last: [] as string[] };
    for (let found = GROUP_ROWS; found === GROUP_ROWS;) {
      const fetch = { text: `fetch ${GROUP_ROWS} from part`, rowMode: 'array' as const, query_timeout: TIMEOUT_MS };
      const { rows } = await client.query<unknown[]>(fetch);
      found = rows.length;
      if (found === 0) break;
      const values = rows.map((row): Value[] => columns.map(({ kind }, at) => valueOf(kind, row[at])));
      file.add(values);
      if (timeAt !== -1) part.lastAt = latest(part.lastAt, values, timeAt);
      const places = rows.map((row) => row.slice(columns.length) as string[]);
      widen(
        part.between,
        places.map(([first]) => first!),
      );
      part.rows += found;
      part.last = places.at(-1)!;
    }
    if (part.rows === 0) return undefined;
    const isLast = part.rows < partRows;
    return {
      rows: part.rows,
      bytes: file.end(),
      between: part.between,
      lastAt: part.lastAt,
      after: isLast ? null : part.last,
    };
  });
}

export interface PartOrder {
  dataset: Dataset;
  ids: MonthIds;
  /** The place of the last row of the part before; null for the first part. */
  after: string[] | null;
  partRows?: number | undefined;
}

// By these times the rows of a month are looked for.
const TIMES: Partial<Record<Dataset, string>> = { requests: 'settled_at', entries: 'created_at' };

const latest = (known: bigint | null, rows: Value[][], timeAt: number): bigint | null =>
  rows.reduce((last, row) => {
    const time = row[timeAt] as bigint;
    return last === null || time > last ? time : last;
  }, known);

function widen(between: { first: string; last: string }, values: string[]): void {
  for (const value of values) {
    if (between.first === '' || value < between.first) between.first = value;
    if (value > between.last) between.last = value;
  }
}
