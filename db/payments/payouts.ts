import type { InferEntity } from '@mikro-orm/core';
import { approvalRefusal, type Person } from '../workspaces/secondPerson.ts';
import { audit } from '../workspaces/audit.ts';
import { readWorkspaceNames } from '../workspaces/workspaces.ts';
import type { Payout } from '../entities/payment.ts';
import {
  coversShortfalls,
  endTransfer,
  findSources,
  lockEarnings,
  payOut,
  readPayable,
  type PayoutDestination,
} from '../ledger/earnings.ts';
import { usdOf, usdTextOf, wholeCentsOf } from '../money.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyRows, AnyTransaction, Rows } from '../postgres/rows.ts';

export type PayoutRow = InferEntity<typeof Payout>;

/** An order to pay out earnings; without an amount, everything that may be paid out now. */
interface PayoutOrder {
  /** Chosen by the caller: a second call with the same id returns the first payout. */
  id: string;
  /** Of a transfer, whole cents. */
  amountNanos: bigint | null;
  destination: PayoutDestination;
  by: Person;
  /** How old the earnings must be. */
  matureDays: number;
}

/**
 * Pays out the earnings of the workspace's agents, audited: to its balance at once, or as a transfer that is set aside until an operator
 * has sent it. Undefined: the earnings available for payout do not cover it.
 */
export function requestPayout(rows: Rows, order: PayoutOrder): Promise<PayoutRow | undefined> {
  const { id, destination, by } = order;
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const { em, client, sql, Payout } = tx;
    await lockEarnings(client, workspaceId);
    // After the lock, so that the first attempt of a repeated request is seen.
    const known = await em.findOne(Payout, { id });
    if (known) return known;
    const { maturedBefore, ...payable } = await readPayable(client, workspaceId, order.matureDays);
    const isTransfer = destination === 'transfer';
    const payableNanos = isTransfer ? payable.asTransferNanos : payable.toBalanceNanos;
    const amountNanos = order.amountNanos ?? (isTransfer ? wholeCentsOf(payableNanos) : payableNanos);
    if (amountNanos <= 0n || amountNanos > payableNanos) return undefined;
    const status = destination === 'balance' ? 'paid' : 'requested';
    const persons = { requestedBy: by.personId, requester: by.name };
    const origin = { maturedBefore, ...(await findSources(client, workspaceId, amountNanos)) };
    await payOut(client, { id, workspaceId, destination, amountNanos });
    // The entry's own time: this transaction may have begun in the month before, and waited for the balance.
    const decidedAt = isTransfer
      ? null
      : sql`(select created_at from ledger_legs where kind = 'payout' and subject = ${id})`;
    await em.insert(Payout, { id, workspaceId, amountNanos, destination, status, ...persons, ...origin, decidedAt });
    const made = await em.findOneOrFail(Payout, { id });
    await auditIt(tx, by, 'request_payout', made);
    return made;
  });
}

/** Why a payout was not ended. */
export type PayoutRefusal = 'not_found' | 'ended' | 'same_person' | 'unknown_person' | 'at_risk';

/** How an operator ends a transfer: sent, with its reference, or rejected, with the money returned to the earnings. */
export type PayoutEnding = { status: 'sent'; reference: string } | { status: 'rejected'; reason: string };

/**
 * Ends a requested transfer, once, audited and with an event for the publisher. The person who requested it cannot confirm it as sent.
 * Confirming also fails while the remaining earnings do not cover a payment reversed since then.
 */
export function endPayout(
  everywhere: Rows<undefined>,
  id: string,
  { by, ...ending }: PayoutEnding & { by: Person },
): Promise<PayoutRow | PayoutRefusal> {
  return everywhere.transaction(async (tx): Promise<PayoutRow | PayoutRefusal> => {
    const { em, client, sql, Payout, LockMode } = tx;
    const found = await em.findOne(Payout, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) return 'not_found';
    if (found.status !== 'requested') return 'ended';
    const refusal = ending.status === 'sent' ? approvalRefusal(found, by) : undefined;
    if (refusal) return refusal;
    if (ending.status === 'sent' && !(await coversShortfalls(client, found.workspaceId))) return 'at_risk';
    await endTransfer(client, found, ending.status);
    const decision = { decidedBy: by.personId, decider: by.name, decidedAt: sql.now() };
    await em.nativeUpdate(Payout, { id }, { ...ending, ...decision });
    const ended = await em.findOneOrFail(Payout, { id });
    await auditIt(tx, by, ending.status === 'sent' ? 'send_payout' : 'reject_payout', ended);
    await recordEvent(tx, ended.workspaceId, {
      type: `payout.${ending.status}`,
      resourceType: 'publisher.payout',
      resourceId: id,
      data: { payout_id: id, amount_usd: usdOf(ended.amountNanos), ...ending },
    });
    return ended;
  });
}

/** The workspaces that these payouts name, with their balances now. */
export async function readPayoutWorkspaces(
  everywhere: Rows<undefined>,
  payouts: Pick<PayoutRow, 'workspaceId' | 'sources'>[],
): Promise<Map<string, { name: string | null; balanceNanos: bigint }>> {
  const ids = payouts.flatMap(({ workspaceId, sources }) => [
    workspaceId,
    ...(sources ?? []).map((source) => source.workspaceId),
  ]);
  const names = await readWorkspaceNames(everywhere, ids);
  const accounts = await everywhere.statement(({ em, Account }) => em.find(Account, { workspaceId: { $in: ids } }));
  return new Map(
    accounts.map(({ workspaceId: id, postedNanos }) => [
      id!,
      { name: names.get(id!) ?? null, balanceNanos: postedNanos },
    ]),
  );
}

/** Payouts of these rows, newest first. */
export const readPayouts = (
  rows: AnyRows,
  filter: Partial<Pick<PayoutRow, 'status' | 'workspaceId'>>,
  page: PageQuery,
): Promise<{ rows: PayoutRow[]; hasMore: boolean }> => rows.transaction((tx) => readPage(tx, tx.Payout, filter, page));

const auditIt = (tx: AnyTransaction, by: Person, action: string, row: PayoutRow): Promise<void> => {
  const { id, workspaceId, amountNanos, destination, reference, reason } = row;
  const detail = { amount_usd: usdTextOf(amountNanos), to: destination, reference, reason };
  const { keyId, userId, requestId } = by;
  return audit(tx, { keyId, userId, requestId }, { workspaceId, action, subjectType: 'payout', subjectId: id, detail });
};
