import type { InferEntity } from '@mikro-orm/core';
import { audit, type Actor } from '../workspaces/audit.ts';
import { approvalRefusal, type Person } from '../workspaces/secondPerson.ts';
import type { Adjustment } from '../entities/payment.ts';
import { postTransfer } from '../ledger/balance.ts';
import { usdTextOf } from '../money.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';

export type AdjustmentRow = InferEntity<typeof Adjustment>;

/** Why an adjustment was not decided. */
export type AdjustmentRefusal = 'not_found' | 'decided' | 'same_person' | 'unknown_person' | 'balance_too_small';

/** Requests a change of a balance, audited; no money moves. Idempotent by id. Undefined: no such workspace. */
export function insertAdjustment(
  everywhere: Rows<undefined>,
  order: Pick<AdjustmentRow, 'id' | 'workspaceId' | 'amountNanos' | 'reason'> & { by: Person },
): Promise<AdjustmentRow | undefined> {
  const { by, ...adjustment } = order;
  return everywhere.transaction(async (tx) => {
    const { em, Account, Adjustment } = tx;
    if (!(await em.findOne(Account, { workspaceId: order.workspaceId }))) return undefined;
    const known = await em.findOne(Adjustment, { id: order.id });
    if (known) return known;
    await em.insert(Adjustment, { ...adjustment, requestedBy: by.personId, requester: by.name });
    await auditIt(tx, by, 'request_adjustment', adjustment);
    return em.findOneOrFail(Adjustment, { id: order.id });
  });
}

/**
 * Approves or rejects an adjustment requested by another person, audited. An approval moves the money in the same transaction, once, even
 * when it is retried. A key of the command line, with no known person, may only request and reject: the requester might hold it.
 */
export async function updateDecision(
  everywhere: Rows<undefined>,
  id: string,
  { status, by }: { status: 'approved' | 'rejected'; by: Person },
): Promise<AdjustmentRow | AdjustmentRefusal> {
  try {
    return await everywhere.transaction(async (tx): Promise<AdjustmentRow | AdjustmentRefusal> => {
      const { em, client, sql, Adjustment, LockMode } = tx;
      const found = await em.findOne(Adjustment, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!found) return 'not_found';
      if (found.status !== 'pending') return 'decided';
      const refusal = status === 'approved' ? approvalRefusal(found, by) : undefined;
      if (refusal) return refusal;
      const { workspaceId, amountNanos, reason } = found;
      // The hash chain covers the reason, because it is part of the entry.
      const transfer = { kind: 'adjustment', subject: `${id} ${reason}`, houseAccountId: 'adjustments' };
      if (status === 'approved') await postTransfer(client, { ...transfer, workspaceId, amountNanos });
      const decision = { status, decidedBy: by.personId, decider: by.name, decidedAt: sql.now() };
      await em.nativeUpdate(Adjustment, { id }, decision);
      await auditIt(tx, by, status === 'approved' ? 'approve_adjustment' : 'reject_adjustment', found);
      return em.findOneOrFail(Adjustment, { id });
    });
  } catch (error) {
    // Raised by the ledger, which has rolled everything back.
    if ((error as { code?: string }).code === 'P0001') return 'balance_too_small';
    throw error;
  }
}

/** Adjustments of all workspaces, newest first. */
export const readAdjustments = (
  everywhere: Rows<undefined>,
  filter: Partial<Pick<AdjustmentRow, 'status' | 'workspaceId'>>,
  page: PageQuery,
): Promise<{ rows: AdjustmentRow[]; hasMore: boolean }> =>
  everywhere.transaction((tx) => readPage(tx, tx.Adjustment, filter, page));

const auditIt = (
  tx: AnyTransaction,
  by: Actor,
  action: string,
  { id, workspaceId, amountNanos, reason }: Pick<AdjustmentRow, 'id' | 'workspaceId' | 'amountNanos' | 'reason'>,
): Promise<void> => {
  const detail = { amount_usd: usdTextOf(amountNanos), reason };
  return audit(tx, by, { workspaceId, action, subjectType: 'adjustment', subjectId: id, detail });
};
