import type { InferEntity } from '@mikro-orm/core';
import type { LedgerCheck } from '../entities/overview.ts';
import type { Rows } from '../postgres/rows.ts';

export type LedgerCheckRow = InferEntity<typeof LedgerCheck>;

/** How long outcomes are kept. */
const CHECK_DAYS = 90;

/** Keeps the outcome of a check, once for each id, and deletes those that are too old. */
export function insertLedgerCheck(
  everywhere: Rows<undefined>,
  check: Omit<LedgerCheckRow, 'checkedAt'>,
): Promise<void> {
  return everywhere.transaction(async ({ em, client, LedgerCheck }) => {
    await em.upsert(LedgerCheck, check);
    await client.query(`delete from ledger_checks where checked_at < now() - interval '${CHECK_DAYS} days'`);
  });
}

/** How far the ledger is proven. */
export interface LedgerProof {
  /** The newest first. */
  checks: LedgerCheckRow[];
  /** The last signed day, and by which key. */
  root: { day: string; keyId: string; createdAt: Date } | null;
}

/** The last checks, and the last signed root. */
export function readLedgerProof(
  everywhere: Rows<undefined>,
  { checks: limit }: { checks: number },
): Promise<LedgerProof> {
  return everywhere.transaction(async ({ em, LedgerCheck, BillRoot }) => {
    const checks = await em.find(LedgerCheck, {}, { orderBy: { checkedAt: 'desc', id: 'desc' }, limit });
    const fields = ['day', 'keyId', 'createdAt'] as const;
    const [root] = await em.find(BillRoot, {}, { orderBy: { day: 'desc' }, limit: 1, fields });
    return { checks, root: root ? { day: root.day, keyId: root.keyId, createdAt: root.createdAt } : null };
  });
}
