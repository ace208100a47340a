import { readBillKeys, type PublishedKey } from '../bill/signingKeys.ts';
import type { Rows } from '../postgres/rows.ts';
import { dayOf, type Month } from './months.ts';

/** A month's manifest, as it is stored beside its files. */
export interface Manifest {
  object: 'archive.month';
  month: string;
  /** The ids of its calls: from the first up to the end. */
  first_id: string;
  end_id: string;
  files: { key: string; dataset: string; part: number; rows: number; bytes: number; sha256: string }[];
  calls: number;
  cost_nanos: string;
  /** Of all entries with these calls, on both sides. */
  entries: number;
  /** The signed roots of the days on which its entries are, and the keys that check them. */
  roots: { date: string; signed: string; signature: string }[];
  keys: PublishedKey[];
}

/** The manifest's text. It names every file with its checksum; sums of accounts and proofs of days are in files of their own. */
export function buildManifest(everywhere: Rows<undefined>, { month, first, end }: Month): Promise<string> {
  return everywhere.transaction(async ({ client }) => {
    await client.query(`set local statement_timeout = '300s'`);
    const files = await client.query<Manifest['files'][number]>(FILES, [dayOf(month)]);
    const sums = { text: SUMS, values: [first, end], query_timeout: 300_000 };
    const { rows } = await client.query<Pick<Manifest, 'calls' | 'cost_nanos' | 'entries'>>(sums);
    const days = { text: ROOTS, values: [first, end], query_timeout: 300_000 };
    const roots = await client.query<Manifest['roots'][number]>(days);
    const manifest: Manifest = {
      object: 'archive.month',
      month,
      first_id: first,
      end_id: end,
      files: files.rows,
      ...rows[0]!,
      roots: roots.rows,
      keys: await readBillKeys(client),
    };
    return `${JSON.stringify(manifest, null, 2)}\n`;
  });
}

const FILES = `
select key, dataset, part, rows, bytes::float8 as bytes, sha256 from archive_files where month = $1 and rows > 0 order by dataset, part`;
const SUMS = `
select (select count(*)::int from requests where id >= $1 and id < $2) as calls,
  (select coalesce(sum(cost_nanos), 0)::text from requests where id >= $1 and id < $2) as cost_nanos,
  (select count(kind)::int from ledger_entries where subject >= $1 and subject < $2) as entries`;
const ROOTS = `
select to_char(day, 'YYYY-MM-DD') as date, signed, signature from bill_roots
where day >= (select (min(created_at) at time zone 'utc')::date from ledger_entries where subject >= $1 and subject < $2 and kind is not null)
  and day <= (select (max(created_at) at time zone 'utc')::date from ledger_entries where subject >= $1 and subject < $2 and kind is not null) order by bill_roots.day`;
