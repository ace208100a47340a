import { USED, USED_JOINS } from '../bill/entryLines.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { Column, ColumnKind, Value } from './parquetFile.ts';

/**
 * What a month is archived as: files of calls, of the entries of accounts, of the entries on their other side, of the sums of accounts, and
 * of the signed days of accounts, which prove the entries.
 */
export const DATASETS = ['requests', 'entries', 'house', 'accounts', 'days'] as const;
export type Dataset = (typeof DATASETS)[number];

/** The ids of a month's calls: from one up to another. They begin with the time of the call. */
export interface MonthIds {
  first: string;
  end: string;
}

/** How the rows of a dataset are read: always in the same order, so that a part that is written again has the same bytes. */
interface Source {
  /** A table or query whose columns the file has. */
  from: string;
  /** Its columns, where it is not a table. */
  columns?: (Column & { type: string })[];
  /** Columns of the table that the file has not. */
  without?: string[];
  where: string;
  /** Expressions that order rows, each with its type. */
  order: [string, string][];
  /** More columns, and the joins that they need. */
  beside?: (Column & { sql: string })[];
  joins?: string;
}

const OF_MONTH = (id: string) => `${id} >= $1 and ${id} < $2`;

export const SOURCES: Record<Dataset, Source> = {
  requests: {
    from: 'requests',
    // They are in the entry with this number.
    without: ['transaction_id', 'leg', 'account_id', 'debited_nanos', 'balance_after_nanos', 'hash'],
    where: OF_MONTH('e.id'),
    order: [
      ['e.workspace_id', 'text'],
      ['e.settled_at', 'timestamptz'],
      ['e.id', 'text'],
    ],
  },
  entries: {
    from: 'ledger_entries',
    where: `${OF_MONTH('e.subject')} and e.account_id is not null and e.sequence is not null`,
    order: [
      ['e.account_id', 'text'],
      ['e.sequence', 'bigint'],
    ],
    // What an entry was for, and the seal of its transaction: with them a line of a receipt needs nothing else.
    beside: [
      { name: 'seal', kind: 'bytes', sql: USED.seal },
      { name: 'used_route', kind: 'text', sql: USED.route },
      { name: 'used_model', kind: 'text', sql: USED.model },
      { name: 'used_price_id', kind: 'text', sql: USED.price },
      { name: 'used_usage', kind: 'text', sql: USED.usage },
    ],
    joins: USED_JOINS,
  },
  house: {
    from: 'ledger_legs',
    where: `${OF_MONTH('e.subject')} and e.sequence is null`,
    order: [
      ['e.transaction_id', 'bigint'],
      ['e.leg', 'int'],
    ],
  },
  accounts: {
    from: `(select account_id, count(*) as entries, min(sequence) as first_sequence, max(sequence) as last_sequence,
      sum(amount_nanos)::bigint as amount_nanos from ledger_entries where ${OF_MONTH('subject')} and kind is not null group by account_id)`,
    columns: [
      { name: 'account_id', kind: 'text', type: 'text' },
      ...['entries', 'first_sequence', 'last_sequence', 'amount_nanos'].map((name) => ({
        name,
        kind: 'bigint' as const,
        type: 'bigint',
      })),
    ],
    where: 'true',
    order: [['e.account_id', 'text']],
  },
  days: {
    from: 'bill_days',
    // Those with an entry of the month's calls.
    where: `exists (select from ledger_entries l where ${OF_MONTH('l.subject')} and l.account_id = e.account_id
      and l.sequence between e.first_sequence and e.last_sequence)`,
    order: [
      ['e.workspace_id', 'text'],
      ['e.day', 'date'],
    ],
  },
};

const KINDS: Record<string, ColumnKind> = {
  text: 'text',
  integer: 'int',
  smallint: 'int',
  bigint: 'bigint',
  boolean: 'bool',
  'timestamp with time zone': 'time',
  jsonb: 'text',
  bytea: 'bytes',
  date: 'text',
};

/** The columns of a table as they are now, and their types in PostgreSQL. */
export async function columnsOf(client: Queryable, table: string): Promise<(Column & { type: string })[]> {
  const { rows } = await client.query<{ name: string; type: string }>(COLUMNS, [table]);
  return rows.map(({ name, type }) => {
    const kind = KINDS[type];
    if (!kind) throw new Error(`the archive cannot keep ${table}.${name}, of type ${type}`);
    return { name, type, kind };
  });
}

const COLUMNS = `
select attname as name, format_type(atttypid, null) as type from pg_attribute
where attrelid = ('public.' || $1)::regclass and attnum > 0 and not attisdropped order by attnum`;

/** SQL of a column of `e` whose value `valueOf` takes. JSON is the database's own text. */
export function columnSql({ name, kind, type }: Column & { type: string }): string {
  if (kind === 'time') return `(extract(epoch from e.${name}) * 1000000)::bigint`;
  return type === 'jsonb' || type === 'date' ? `e.${name}::text` : `e.${name}`;
}

/** A value as the driver gives it, for a file. */
export function valueOf(kind: ColumnKind, value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'bigint' || kind === 'time') return BigInt(value as string);
  if (kind === 'text' && typeof value !== 'string') throw new Error('a text was expected');
  return value as Value;
}
