import { createHash, hash } from 'node:crypto';
import { linesOf, type EntryRange } from '../bill/entryLines.ts';
import { createTree, leafHash } from '../bill/tree.ts';
import type { MonthProof } from '../ledger/months.ts';
import type { Rows } from '../postgres/rows.ts';
import type { ArchiveFiles } from './archiveFiles.ts';
import { readEntries, type ArchivedEntry } from './archivedEntries.ts';
import type { Manifest } from './manifest.ts';
import { dayOf } from './months.ts';

interface Needed {
  everywhere: Rows<undefined>;
  files: ArchiveFiles;
  onProgress?: (text: string) => void;
}

/** What was read back. */
export interface Verified {
  files: number;
  bytes: number;
  calls: number;
  entries: number;
  /** Days of accounts whose signed root was computed from the archive. */
  days: number;
  proof: MonthProof;
}

/**
 * Reads a month back and compares it: the manifest and each file with its checksum, the rows with their counts and sums, and the entries of
 * each account with its signed days. Throws an error that names the first difference.
 */
export async function verifyMonth({ everywhere, files, onProgress }: Needed, month: string): Promise<Verified> {
  const manifest = await readManifest(everywhere, files, month);
  const done = { files: 0, bytes: 0, calls: 0, entries: 0, days: 0 };
  for (const file of manifest.files) {
    await checkBytes(files, file);
    done.files += 1;
    done.bytes += file.bytes;
    onProgress?.(`${month}: ${file.key} is as written`);
  }
  const calls = await sumCalls(files, manifest);
  if (calls.count !== manifest.calls || calls.costNanos !== BigInt(manifest.cost_nanos))
    throw new Error(
      `${month}: the files have ${calls.count} calls of ${calls.costNanos}, not ${manifest.calls} of ${manifest.cost_nanos}`,
    );
  done.calls = calls.count;
  const sums = await readSums(files, manifest);
  const proof = proofOf(manifest, sums);
  const checker = checkEntries(everywhere, sums);
  for await (const entries of readAll(files, manifest)) {
    for (const entry of entries) await checker.add(entry);
    done.entries += entries.length;
    onProgress?.(`${month}: ${done.entries} entries are as signed`);
  }
  done.days = await checker.end();
  const house = manifest.files.filter(({ dataset }) => dataset === 'house').reduce((sum, { rows }) => sum + rows, 0);
  if (done.entries + house !== manifest.entries)
    throw new Error(`${month}: the files have ${done.entries + house} entries, not ${manifest.entries}`);
  return { ...done, proof };
}

/** What the database compares with the month, and keeps. */
const proofOf = ({ calls, entries, files, roots }: Manifest, sums: Map<string, AccountSum>): MonthProof => ({
  calls,
  entries,
  sums: Object.fromEntries([...sums].map(([account, { nanos }]) => [account, String(nanos)])),
  objects: files.map(({ key, dataset, sha256, bytes, rows }) => ({ name: key, table: dataset, sha256, bytes, rows })),
  roots: roots.map(({ date, signed }) => ({ day: date, sha256: hash('sha256', signed, 'hex') })),
});

async function readManifest(everywhere: Rows<undefined>, { store }: ArchiveFiles, month: string): Promise<Manifest> {
  const sql =
    'select manifest_key as key, manifest_sha256 as sha256, manifest_bytes as bytes from archive_moves where month = $1';
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ key: string | null; sha256: string; bytes: number }>(sql, [dayOf(month)]),
  );
  const row = rows[0];
  if (!row?.key) throw new Error(`${month} is not in the archive`);
  const text = Buffer.concat(await Array.fromAsync(store.read(row.key, { from: 0, to: row.bytes })));
  if (hash('sha256', text, 'hex') !== row.sha256) throw new Error(`${month}: the manifest is not as written`);
  return JSON.parse(text.toString()) as Manifest;
}

async function checkBytes({ store }: ArchiveFiles, { key, bytes, sha256 }: Manifest['files'][number]): Promise<void> {
  const sum = createHash('sha256');
  for await (const part of store.read(key, { from: 0, to: bytes })) sum.update(part);
  if (sum.digest('hex') !== sha256) throw new Error(`${key} is not as written`);
}

async function sumCalls(files: ArchiveFiles, manifest: Manifest): Promise<{ count: number; costNanos: bigint }> {
  const sum = { count: 0, costNanos: 0n };
  for (const stored of manifest.files.filter(({ dataset }) => dataset === 'requests')) {
    const file = await files.open(stored);
    for (const { first, rows } of file.groups)
      for (const [cost] of await file.read({ first, end: first + rows, columns: ['cost_nanos'] })) {
        sum.count += 1;
        sum.costNanos += cost as bigint;
      }
  }
  return sum;
}

/** The archived sum of an account's entries. */
interface AccountSum {
  nanos: bigint;
  /** Whether its entries are numbered: a customer's. */
  isNumbered: boolean;
}

async function readSums(files: ArchiveFiles, manifest: Manifest): Promise<Map<string, AccountSum>> {
  const sums = new Map<string, AccountSum>();
  for (const stored of manifest.files.filter(({ dataset }) => dataset === 'accounts')) {
    const file = await files.open(stored);
    const columns = ['account_id', 'amount_nanos', 'first_sequence'];
    for (const [account, nanos, first] of await file.read({ first: 0, end: file.rows, columns }))
      sums.set(account as string, { nanos: nanos as bigint, isNumbered: first !== null });
  }
  return sums;
}

async function* readAll(files: ArchiveFiles, manifest: Manifest): AsyncGenerator<ArchivedEntry[]> {
  for (const stored of manifest.files.filter(({ dataset }) => dataset === 'entries')) {
    const file = await files.open(stored);
    for (const { first, rows } of file.groups) yield readEntries(file, { first, end: first + rows });
  }
}

interface Day {
  day: string;
  first: bigint;
  last: bigint;
  root: string;
}

/**
 * Takes all entries of a month, by account and number, and computes the root of each day that has one of them. Entries of the day that are
 * not among these (of payments, runs, or calls of other months) are read where they are.
 */
function checkEntries(everywhere: Rows<undefined>, sums: Map<string, AccountSum>) {
  let account = '';
  let nanos = 0n;
  let days: Day[] = [];
  let tree = createTree();
  let next = 0n;
  let checked = 0;
  const fill = async (last: bigint): Promise<void> => {
    if (next > last) return;
    const range: EntryRange = { accountId: account, first: next, last };
    const lines = await everywhere.transaction((tx) => linesOf(tx.client, range, tx.archive));
    for (const line of lines) tree.add(leafHash(line));
    next = last + 1n;
  };
  const endDay = async ({ day, last, root }: Day): Promise<void> => {
    await fill(last);
    const found = tree.end().root.toString('hex');
    if (found !== root) throw new Error(`account ${account}: the entries of ${day} are not those that were signed`);
    checked += 1;
    tree = createTree();
    days.shift();
    if (days[0]) next = days[0].first;
  };
  const endAccount = async (): Promise<void> => {
    // The day of its last entry; later ones have none of this month.
    if (days[0]) await endDay(days[0]);
    const sum = sums.get(account);
    if (account !== '' && sum?.nanos !== nanos)
      throw new Error(`account ${account}: its entries sum to ${nanos}, not ${sum?.nanos}`);
    sums.delete(account);
  };
  return {
    async add({ account: of, sequence, amountNanos, line }: ArchivedEntry): Promise<void> {
      if (of !== account) {
        await endAccount();
        account = of;
        nanos = 0n;
        days = [];
      }
      while (days[0] && days[0].last < sequence) {
        await endDay(days[0]);
        // Days without an entry of this month need no check.
        while (days[0] && days[0].last < sequence) days.shift();
        if (days[0]) next = days[0].first;
      }
      if (!days[0]) {
        days = await daysFrom(everywhere, of, sequence);
        next = days[0]?.first ?? sequence;
      }
      if (!days[0]) throw new Error(`account ${account}: no signed day has entry ${sequence}`);
      await fill(sequence - 1n);
      tree.add(leafHash(line));
      next = sequence + 1n;
      nanos += amountNanos;
    },
    async end(): Promise<number> {
      await endAccount();
      const missing = [...sums].find(([, { isNumbered }]) => isNumbered);
      if (missing) throw new Error(`the entries of account ${missing[0]} are missing`);
      return checked;
    },
  };
}

async function daysFrom(everywhere: Rows<undefined>, account: string, sequence: bigint): Promise<Day[]> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<Record<'day' | 'first' | 'last' | 'leaf', string>>(DAYS, [account, sequence]),
  );
  return rows.map(({ day, first, last, leaf }) => {
    const { entries_root: root } = JSON.parse(leaf) as { entries_root: string };
    return { day, first: BigInt(first), last: BigInt(last), root };
  });
}

// Some days more than a month has: the last calls of a month may be billed in the next one. The clock of a test workspace may need more.
const DAYS = `
select to_char(d.day, 'YYYY-MM-DD') as day, d.first_sequence as first, d.last_sequence as last, d.leaf
from bill_days d join accounts a on a.workspace_id = d.workspace_id
where a.id = $1 and d.last_sequence >= $2 order by d.day limit 64`;
