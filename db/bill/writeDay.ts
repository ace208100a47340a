import { randomBytes } from 'node:crypto';
import { findBoundary } from '../ledger/entryBoundaries.ts';
import type { AnyTransaction } from '../postgres/rows.ts';
import { type EntryRange, readEntryLines } from './entryLines.ts';
import { createTree, leafHash } from './tree.ts';

const SALT_BYTES = 16;
const ACCOUNTS_MS = 60_000;

/** An account, and its first entry that no day covers yet. */
export interface UncoveredAccount {
  workspaceId: string;
  accountId: string;
  firstSequence: bigint;
}

interface DayToWrite {
  day: string;
  /** The day after. */
  next: string;
  /** Under the root of the day; null: the root is still to come. */
  place: number | null;
  onProgress?: (entries: number) => void;
}

/** SQL: accounts `a`, each with the last day `d` that covers entries of it. */
export const ACCOUNTS_WITH_LAST_DAY = `
accounts a left join lateral (
  select b.last_sequence, b.day from bill_days b where b.workspace_id = a.workspace_id order by b.day desc limit 1) d on true`;

/** Reads accounts whose entries no day covers. Such a statement looks at all accounts: it may take longer than others. */
export async function readUncovered<Row extends object>(
  { client }: AnyTransaction,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  await client.query(`set local statement_timeout = ${ACCOUNTS_MS}`);
  const query = { text, values, query_timeout: ACCOUNTS_MS };
  return (await client.query<Row>(query)).rows;
}

/** Writes the day of an account, with its entries up to the next day. Returns its leaf; undefined when there is no such entry. */
export async function writeDay(
  tx: AnyTransaction,
  account: UncoveredAccount,
  { day, next, place, onProgress = () => {} }: DayToWrite,
): Promise<string | undefined> {
  const { accountId, firstSequence: first } = account;
  const boundary = BigInt(await findBoundary(tx, { accountId, first }, next));
  if (boundary <= first) return undefined;
  const range = { accountId, first, last: boundary - 1n };
  const { leaf, chunks } = await hashDay(tx, { range, day, onProgress });
  await tx.em.insert(tx.BillDay, { ...account, lastSequence: range.last, day, leaf, chunks, place });
  return leaf;
}

/** The leaf of an account's day: its entries' root, and the account's state after its last entry. */
async function hashDay(
  { client }: AnyTransaction,
  { range, day, onProgress }: { range: EntryRange; day: string; onProgress: (entries: number) => void },
): Promise<{ leaf: string; chunks: Buffer }> {
  const tree = createTree();
  let last = '';
  for await (const lines of readEntryLines(client, range)) {
    for (const line of lines) tree.add(leafHash(line));
    last = lines.at(-1)!;
    onProgress(lines.length);
  }
  const { root, chunks } = tree.end();
  const { account, sequence, balance_nanos, hash } = JSON.parse(last) as Record<string, string | number>;
  const leaf = {
    object: 'ledger.day',
    account,
    date: day,
    entries: Number(range.last - range.first) + 1,
    entries_root: root.toString('hex'),
    sequence,
    balance_nanos,
    hash,
    // Without the salt, others could guess an account's day from the hashes in their proofs.
    salt: randomBytes(SALT_BYTES).toString('hex'),
  };
  return { leaf: JSON.stringify(leaf), chunks };
}
