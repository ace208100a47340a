import type { InferEntity } from '@mikro-orm/core';
import type { BillDay } from '../entities/bill.ts';
import type { Bound, Rows } from '../postgres/rows.ts';
import { linesOf } from './entryLines.ts';
import { chunkAt, leafHash, proofOf } from './tree.ts';

/** A day under the root of its day. */
type Day = InferEntity<typeof BillDay> & { place: number };

/** A leaf of a tree, its number, and the hashes that lead from it to the root. */
export interface PlacedLeaf {
  leaf: string;
  index: number;
  proof: string[];
}

/** An entry, as a leaf of its day. Before the day is signed, there is only the leaf. */
export interface ReceiptEntry {
  leaf: string;
  placed: (PlacedLeaf & SignedDay) | null;
}

/** A day of an account within the signed root of that day. */
export interface SignedDay {
  day: PlacedLeaf;
  root: { signed: string; signature: string };
}

/** The receipts of entries of an account, by their sequences. The caller has checked that they belong to the workspace. */
export function readReceipts(
  everywhere: Rows<undefined>,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
  sequences: bigint[],
): Promise<ReceiptEntry[]> {
  return everywhere.transaction(async (tx) => {
    const receipts: ReceiptEntry[] = [];
    for (const sequence of sequences) {
      const covers = { workspaceId, firstSequence: { $lte: sequence }, lastSequence: { $gte: sequence } };
      const [day] = await tx.em.find(tx.BillDay, covers, { limit: 1 });
      receipts.push(
        day && isPlaced(day) ? await signedEntry(tx, day, sequence) : await pendingEntry(tx, accountId, sequence),
      );
    }
    return receipts;
  });
}

export const isPlaced = (day: InferEntity<typeof BillDay>): day is Day => day.place !== null;

async function pendingEntry(
  { client, archive }: Bound<undefined>,
  accountId: string,
  sequence: bigint,
): Promise<ReceiptEntry> {
  const [leaf] = await linesOf(client, { accountId, first: sequence, last: sequence }, archive);
  return { leaf: leaf!, placed: null };
}

async function signedEntry(tx: Bound<undefined>, day: Day, sequence: bigint): Promise<ReceiptEntry> {
  const index = Number(sequence - day.firstSequence);
  const { first, count } = chunkAt(index);
  const start = day.firstSequence + BigInt(first);
  const end = start + BigInt(count) - 1n;
  const last = end < day.lastSequence ? end : day.lastSequence;
  const lines = await linesOf(tx.client, { accountId: day.accountId, first: start, last }, tx.archive);
  const leaf = lines[index - first]!;
  const proof = proofOf(index, lines.map(leafHash), day.chunks);
  return { leaf, placed: { leaf, index, proof, ...(await signedDay(tx, day)) } };
}

/** The proof of an account's day in the root of that day. */
export async function signedDay({ em, BillDay, BillRoot }: Bound<undefined>, day: Day): Promise<SignedDay> {
  const { signed, signature, chunks } = await em.findOneOrFail(BillRoot, { day: day.day });
  const { first, count } = chunkAt(day.place);
  const near = await em.find(
    BillDay,
    { day: day.day, place: { $gte: first, $lt: first + count } },
    { fields: ['leaf'], orderBy: { place: 'asc' } },
  );
  const hashes = near.map(({ leaf }) => leafHash(leaf));
  const placed = { leaf: day.leaf, index: day.place, proof: proofOf(day.place, hashes, chunks) };
  return { day: placed, root: { signed, signature } };
}
