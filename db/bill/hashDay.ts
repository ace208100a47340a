import { randomBytes } from 'node:crypto';
import type { AnyTransaction } from '../postgres/rows.ts';
import { type EntryRange, readEntryLines } from './entryLines.ts';
import { createTree, leafHash } from './tree.ts';

const SALT_BYTES = 16;

/** The leaf of an account's day: its entries' root, and the account's state after its last entry. */
export async function hashDay(
  { client }: AnyTransaction,
  { range, day, onProgress = () => {} }: { range: EntryRange; day: string; onProgress?: (entries: number) => void },
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
