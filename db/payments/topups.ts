import type { Pool, PoolClient } from 'pg';
import type { Database } from '../database.ts';
import { newId } from '../ids.ts';
import { postTransfer } from '../ledger/balance.ts';
import { usdTextOf } from '../money.ts';
import { recordEvent as recordPlatformEvent } from '../events/platformEvents.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import { isDuplicate } from '../postgres/databaseErrors.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { fillDetails } from '../invoices/details.ts';
import type { FactOutcome, Paid, PaymentFact, Receipt, Unpaid } from './facts.ts';
import { lockTopup, takePaymentTurn, type LockedTopup } from './lockTopup.ts';
import { countDecline, recordCardPaid } from './cardOrders.ts';
import { applyReversal, insertTax, postReversals } from './reversals.ts';
import { isErasedSql } from '../entities/erasureSql.ts';

// Plain SQL, because each change of a payment is one transaction with its ledger entry.

/** An ordered payment. */
export interface TopupOrder {
  workspaceId: string;
  origin: 'checkout' | 'auto';
  amountNanos: bigint;
  livemode: boolean;
  /** Stripe adds tax to the amount. */
  isTaxed?: boolean;
  requestId: string | null;
}

/** Records an order before Stripe is called, once for each id. Returns its id, which Stripe's objects carry as metadata. */
export async function createTopup(pool: Queryable, order: TopupOrder, id = newId('top')): Promise<string> {
  await pool.query(
    `insert into topups (id, workspace_id, origin, amount_nanos, livemode, request_id, is_taxed, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, ledger_now($2)) on conflict (id) do nothing`,
    [id, order.workspaceId, order.origin, order.amountNanos, order.livemode, order.requestId, order.isTaxed ?? false],
  );
  return id;
}

/** Records the payment page of an order. */
export async function setSession(pool: Queryable, id: string, sessionId: string): Promise<void> {
  await pool.query('update topups set session_id = $2 where id = $1', [id, sessionId]);
}

/**
 * Applies a fact in one transaction with its ledger entries. In whatever order and however often facts arrive, the balance ends as payments
 * minus reversals: each payment is credited once, by its payment intent.
 */
export async function applyFact(
  { pool, everywhere }: Pick<Database, 'pool' | 'everywhere'>,
  fact: PaymentFact,
): Promise<FactOutcome> {
  const applied = inTransaction(pool, (client) => {
    if (fact.type === 'paid') return applyPaid(client, fact);
    if (fact.type === 'unpaid') return applyUnpaid(everywhere, client, fact);
    if (fact.type === 'reversal') return applyReversal(client, fact);
    return applyReceipt(client, fact);
  });
  try {
    const outcome = await applied;
    // After its transaction, since it locks the card before its orders.
    if (outcome === 'credited' && fact.type === 'paid') await endDeclines(pool, fact.topupId);
    return outcome;
  } catch (error) {
    // The page or the payment of another order.
    if (isDuplicate(error) && (error as { table?: string }).table === 'topups') return 'mismatch';
    throw error;
  }
}

async function applyPaid(client: PoolClient, paid: Paid): Promise<FactOutcome> {
  await takePaymentTurn(client, paid.paymentIntent);
  const topup = await lockTopup(client, 'id', paid.topupId);
  if (!topup) return 'unknown';
  if (!isAsOrdered(topup, paid)) return 'mismatch';
  if (topup.status === 'paid') return 'repeated';
  const taxNanos = paid.tax?.nanos ?? 0n;
  await postTransfer(client, {
    kind: 'topup',
    subject: paid.paymentIntent,
    workspaceId: topup.workspaceId,
    houseAccountId: 'payments',
    amountNanos: topup.amountNanos,
  });
  await client.query(PAID, [topup.id, paid.paymentIntent, paid.sessionId, taxNanos]);
  if (topup.isTaxed)
    await insertTax(client, {
      kind: 'topup',
      subject: paid.paymentIntent,
      topup,
      taxNanos,
      reason: paid.tax?.reason ?? null,
    });
  const isGone = await isErased(client, topup.workspaceId);
  if (paid.collected && !isGone) await fillDetails(client, topup.workspaceId, paid.collected);
  await postReversals(client, { ...topup, taxNanos, paymentIntent: paid.paymentIntent });
  await recordPlatformEvent({ client }, topup.workspaceId, {
    type: 'topup.succeeded',
    resourceType: 'topup',
    resourceId: topup.id,
    data: {
      id: topup.id,
      amount_usd: usdTextOf(topup.amountNanos),
      ...(topup.isTaxed && { tax_usd: usdTextOf(taxNanos), total_usd: usdTextOf(paid.amountNanos) }),
    },
  });
  return isGone ? 'mismatch' : 'credited';
}

// The time of its entry: the month of a cap and that of an invoice are the same.
const PAID = `
update topups set status = 'paid', payment_intent = $2, session_id = coalesce(session_id, $3), tax_nanos = $4,
  paid_at = (select e.created_at from ledger_legs e where e.kind = 'topup' and e.subject = $2) where id = $1`;

/** The credit of an erased workspace cannot be used: an operator refunds the payment, and the payer's details are not stored. */
async function isErased(client: PoolClient, workspaceId: string): Promise<boolean> {
  const sql = `select where ${isErasedSql('$1')}`;
  return ((await client.query(sql, [workspaceId])).rowCount ?? 0) > 0;
}

/** A payment that differs from its order in amount, currency, workspace, page or mode is never credited. */
function isAsOrdered(topup: LockedTopup, paid: Paid): boolean {
  return (
    paid.currency === 'usd' &&
    paid.amountNanos - (paid.tax?.nanos ?? 0n) === topup.amountNanos &&
    (topup.isTaxed || !paid.tax?.nanos) &&
    paid.livemode === topup.livemode &&
    (paid.workspaceId ?? topup.workspaceId) === topup.workspaceId &&
    (paid.sessionId ?? topup.sessionId) === (topup.sessionId ?? paid.sessionId) &&
    (topup.paymentIntent ?? paid.paymentIntent) === paid.paymentIntent
  );
}

async function endDeclines(pool: Pool, topupId: string): Promise<void> {
  const sql = `select workspace_id from topups where id = $1 and origin = 'auto'`;
  const { rows } = await pool.query<{ workspace_id: string }>(sql, [topupId]);
  if (rows[0]) await recordCardPaid(pool, rows[0].workspace_id);
}

async function applyUnpaid(
  everywhere: Database['everywhere'],
  client: PoolClient,
  { reason = 'The bank declined the payment.', ...unpaid }: Unpaid,
): Promise<FactOutcome> {
  const { topupId } = unpaid;
  const changed = await markUnpaid(client, unpaid);
  if (!changed) return (await lockTopup(client, 'id', topupId)) ? 'repeated' : 'unknown';
  if (unpaid.status !== 'failed') return 'noted';
  const tx = await everywhere.within(client);
  const { origin, workspace_id: workspaceId } = changed;
  // A card, or a bank that had still to pay for a page, declined after a while.
  if (origin === 'auto') await countDecline(tx, { topupId, workspaceId, reason });
  else
    await recordMailedEvent(tx, workspaceId, {
      type: 'topup.failed',
      resourceType: 'topup',
      resourceId: topupId,
      data: { id: topupId, source: origin, amount_usd: usdTextOf(BigInt(changed.amount_nanos)), reason },
    });
  return 'noted';
}

/** The changed order; undefined when its state is final, or the same. */
async function markUnpaid(
  client: PoolClient,
  { topupId, status, from }: Unpaid,
): Promise<{ origin: string; workspace_id: string; amount_nanos: string } | undefined> {
  // A `processing` that arrives after the final state is late.
  const { rows } = await client.query(
    `update topups set status = $2 where id = $1 and ((status = 'open' and $3::text is null) or (status = 'processing' and $2 <> 'processing'))
     returning origin, workspace_id, amount_nanos`,
    [topupId, status, from ?? null],
  );
  return rows[0];
}

/** The card of an order was declined: records that and its event. */
export const recordFailed = (
  pool: Pool,
  { topupId, workspaceId, amountNanos }: { topupId: string; workspaceId: string; amountNanos: bigint },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    await markUnpaid(client, { type: 'unpaid', topupId, status: 'failed' });
    const data = { id: topupId, amount_usd: usdTextOf(amountNanos) };
    const event = { type: 'topup.failed' as const, resourceType: 'topup', resourceId: topupId, data };
    await recordPlatformEvent({ client }, workspaceId, event);
  });

async function applyReceipt(client: PoolClient, { paymentIntent, topupId, url }: Receipt): Promise<FactOutcome> {
  const { rowCount } = await client.query(RECEIPT, [paymentIntent, url, topupId ?? null]);
  return rowCount ? 'noted' : 'unknown';
}

// The receipt of an erased workspace, which has a person's name and card, is not kept.
const RECEIPT = `
update topups t set receipt_url = case when not ${isErasedSql('t.workspace_id')} then $2 end
where payment_intent = $1 or payment_intent is null and id = $3`;

/** Stores an object from Stripe's lists whose payment was not credited, for operators. False: it was stored before. */
export async function recordUncredited(
  pool: Queryable,
  { id, type, livemode, outcome }: { id: string; type: string; livemode: boolean; outcome: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'insert into payment_events (id, type, outcome, livemode) values ($1, $2, $3, $4) on conflict do nothing',
    [id, type, outcome, livemode],
  );
  return rowCount === 1;
}

/** Stores an event of Stripe and its latest result, for operators. */
export async function recordEvent(
  pool: Queryable,
  { id, type, livemode }: { id: string; type: string; livemode: boolean },
  outcome: string,
): Promise<void> {
  await pool.query(
    `insert into payment_events (id, type, outcome, livemode) values ($1, $2, $3, $4)
     on conflict (id) do update set outcome = excluded.outcome, received_at = now()`,
    [id, type, outcome, livemode],
  );
}
