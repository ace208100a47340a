import { lineOf, type EntryRow } from '../bill/entryLines.ts';
import type { ParquetFile, Value } from './parquetFile.ts';

/** An entry of the archive: its account, its number and its line. */
export interface ArchivedEntry {
  account: string;
  sequence: bigint;
  amountNanos: bigint;
  line: string;
}

/** Reads a group of a file of entries, with the line of each. */
export async function readEntries(
  file: ParquetFile,
  { first, end }: { first: number; end: number },
): Promise<ArchivedEntry[]> {
  const rows = await file.read({ first, end });
  const at = Object.fromEntries(file.columns.map((name, place) => [name, place]));
  return rows.map((row) => entryOf((name) => row[at[name]!] ?? null));
}

function entryOf(get: (name: string) => Value): ArchivedEntry {
  const text = (name: string): string => String(get(name));
  const textOrNull = (name: string) => get(name) as string | null;
  const hex = (name: string) => {
    const bytes = get(name) as Uint8Array | null;
    return bytes && Buffer.from(bytes).toString('hex');
  };
  const row: EntryRow = {
    account: text('account_id'),
    sequence: text('sequence'),
    leg: get('leg') as number,
    kind: text('kind'),
    subject: text('subject'),
    amount: text('amount_nanos'),
    balance: text('balance_after_nanos'),
    key: textOrNull('key_id'),
    at: isoOf(get('created_at') as bigint),
    version: (get('hash_version') as number | null) ?? 1,
    hash: hex('hash')!,
    seal: hex('seal'),
    route: textOrNull('used_route'),
    model: textOrNull('used_model'),
    price: textOrNull('used_price_id'),
    usage: textOrNull('used_usage'),
    agent: null,
    agent_version: null,
  };
  return { account: row.account, sequence: BigInt(row.sequence), amountNanos: BigInt(row.amount), line: lineOf(row) };
}

/** Microseconds as the database writes them in a line. */
function isoOf(micros: bigint): string {
  const ms = new Date(Number(micros / 1000n)).toISOString();
  return `${ms.slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`;
}
