import type { Pool, PoolClient } from 'pg';
import { newId } from '../ids.ts';
import { postTransfer } from '../ledger/balance.ts';
import { usdTextOf } from '../money.ts';
import { recordEvent as recordPlatformEvent } from '../events/platformEvents.ts';
import { isDuplicate } from '../postgres/databaseErrors.ts';
import { sendNotice } from '../postgres/notices.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inTransaction } from '../postgres/transaction.ts';

// Plain SQL, because each change of a payment is one transaction with its ledger entry.

/** An ordered payment. */
export interface TopupOrder {
  workspaceId: string;
  origin: 'checkout' | 'auto';
  amountNanos: bigint;
  livemode: boolean;
  requestId: string | null;
}

/** Records an order before Stripe is called. Returns its id, which Stripe's objects carry as metadata. */
export async function createTopup(pool: Queryable, order: TopupOrder): Promise<string> {
  const id = newId('top');
  await pool.query(
    `insert into topups (id, workspace_id, origin, amount_nanos, livemode, request_id, created_at)
     values ($1, $2, $3, $4, $5, $6, ledger_now($2))`,
    [id, order.workspaceId, order.origin, order.amountNanos, order.livemode, order.requestId],
  );
  return id;
}

/** Records the payment page of an order. */
export async function setSession(pool: Queryable, id: string, sessionId: string): Promise<void> {
  await pool.query('update topups set session_id = $2 where id = $1', [id, sessionId]);
}

/** The fact that an order was paid, from one of Stripe's objects. Amounts in nano-USD; null when the object lacks them. */
export interface Paid {
  type: 'paid';
  topupId: string;
  workspaceId: string | null;
  sessionId: string | null;
  paymentIntent: string;
  amountNanos: bigint;
  currency: string;
  livemode: boolean;
}

/** The fact that an order is being processed, or will not be paid. */
export interface Unpaid {
  type: 'unpaid';
  topupId: string;
  status: 'processing' | 'failed' | 'expired';
  /** Only an order in this status changes. */
  from?: 'processing';
}

/** The latest state of a refund or dispute. The later `stage` counts, and within a stage the later report. */
export interface Reversal {
  type: 'reversal';
  id: string;
  paymentIntent: string;
  kind: 'refund' | 'refunded_total' | 'dispute';
  amountNanos: bigint;
  currency: string;
  state: 'none' | 'taken' | 'returned';
  stage: number;
  toldAt: Date;
}

/** The address of a payment's receipt. */
export interface Receipt {
  type: 'receipt';
  paymentIntent: string;
  url: string;
}

export type PaymentFact = Paid | Unpaid | Reversal | Receipt;

/** The result of a fact. `unknown` and `mismatch` credit nothing and need an operator. */
export type FactOutcome = 'credited' | 'noted' | 'repeated' | 'unknown' | 'mismatch';

/**
 * Applies a fact in one transaction with its ledger entries. In whatever order and however often facts arrive, the balance ends as payments
 * minus reversals: each payment is credited once, by its payment intent.
 */
export async function applyFact(pool: Pool, fact: PaymentFact): Promise<FactOutcome> {
  const applied = inTransaction(pool, (client) => {
    if (fact.type === 'paid') return applyPaid(client, fact);
    if (fact.type === 'unpaid') return applyUnpaid(client, fact);
    if (fact.type === 'reversal') return applyReversal(client, fact);
    return applyReceipt(client, fact);
  });
  try {
    return await applied;
  } catch (error) {
    // The page or the payment of another order.
    if (isDuplicate(error) && (error as { table?: string }).table === 'topups') return 'mismatch';
    throw error;
  }
}

interface Topup {
  id: string;
  workspaceId: string;
  sessionId: string | null;
  paymentIntent: string | null;
  amountNanos: bigint;
  livemode: boolean;
  status: string;
  refundedNanos: bigint;
  disputedNanos: bigint;
  reversalCount: number;
}

async function lockTopup(
  client: PoolClient,
  column: 'id' | 'payment_intent',
  value: string,
): Promise<Topup | undefined> {
  const { rows } = await client.query(
    `select id, workspace_id, session_id, payment_intent, amount_nanos, livemode, status, refunded_nanos, disputed_nanos, reversal_count
     from topups where ${column} = $1 for update`,
    [value],
  );
  const [row] = rows;
  return (
    row && {
      id: row.id,
      workspaceId: row.workspace_id,
      sessionId: row.session_id,
      paymentIntent: row.payment_intent,
      amountNanos: BigInt(row.amount_nanos),
      livemode: row.livemode,
      status: row.status,
      refundedNanos: BigInt(row.refunded_nanos),
      disputedNanos: BigInt(row.disputed_nanos),
      reversalCount: row.reversal_count,
    }
  );
}

async function applyPaid(client: PoolClient, paid: Paid): Promise<FactOutcome> {
  const topup = await lockTopup(client, 'id', paid.topupId);
  if (!topup) return 'unknown';
  if (!isAsOrdered(topup, paid)) return 'mismatch';
  if (topup.status === 'paid') return 'repeated';
  await client.query(
    `update topups set status = 'paid', payment_intent = $2, session_id = coalesce(session_id, $3), paid_at = ledger_now(workspace_id) where id = $1`,
    [topup.id, paid.paymentIntent, paid.sessionId],
  );
  await postTransfer(client, {
    kind: 'topup',
    subject: paid.paymentIntent,
    workspaceId: topup.workspaceId,
    houseAccountId: 'payments',
    amountNanos: topup.amountNanos,
  });
  await postReversals(client, { ...topup, paymentIntent: paid.paymentIntent });
  await recordPlatformEvent({ client }, topup.workspaceId, {
    type: 'topup.succeeded',
    resourceType: 'topup',
    resourceId: topup.id,
    data: { id: topup.id, amount_usd: usdTextOf(topup.amountNanos) },
  });
  return 'credited';
}

/** A payment that differs from its order in amount, currency, workspace, page or mode is never credited. */
function isAsOrdered(topup: Topup, paid: Paid): boolean {
  return (
    paid.currency === 'usd' &&
    paid.amountNanos === topup.amountNanos &&
    paid.livemode === topup.livemode &&
    (paid.workspaceId ?? topup.workspaceId) === topup.workspaceId &&
    (paid.sessionId ?? topup.sessionId) === (topup.sessionId ?? paid.sessionId) &&
    (topup.paymentIntent ?? paid.paymentIntent) === paid.paymentIntent
  );
}

async function applyUnpaid(client: PoolClient, { topupId, status, from }: Unpaid): Promise<FactOutcome> {
  // A `processing` that arrives after the final state is late.
  const { rowCount } = await client.query(
    `update topups set status = $2 where id = $1 and ((status = 'open' and $3::text is null) or (status = 'processing' and $2 <> 'processing'))`,
    [topupId, status, from ?? null],
  );
  if (rowCount) return 'noted';
  return (await lockTopup(client, 'id', topupId)) ? 'repeated' : 'unknown';
}

/** The card of an order was declined: records that and its event. */
export const recordFailed = (
  pool: Pool,
  { topupId, workspaceId, amountNanos }: { topupId: string; workspaceId: string; amountNanos: bigint },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    await applyUnpaid(client, { type: 'unpaid', topupId, status: 'failed' });
    const data = { id: topupId, amount_usd: usdTextOf(amountNanos) };
    const event = { type: 'topup.failed' as const, resourceType: 'topup', resourceId: topupId, data };
    await recordPlatformEvent({ client }, workspaceId, event);
  });

async function applyReversal(client: PoolClient, reversal: Reversal): Promise<FactOutcome> {
  if (reversal.currency !== 'usd') return 'mismatch';
  const topup = await lockTopup(client, 'payment_intent', reversal.paymentIntent);
  const { rowCount } = await client.query(
    `insert into topup_reversals as r (id, payment_intent, kind, amount_nanos, state, stage, told_at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update set amount_nanos = excluded.amount_nanos, state = excluded.state, stage = excluded.stage,
       told_at = excluded.told_at
     where (excluded.stage, excluded.told_at) > (r.stage, r.told_at)`,
    [
      reversal.id,
      reversal.paymentIntent,
      reversal.kind,
      reversal.amountNanos,
      reversal.state,
      reversal.stage,
      reversal.toldAt,
    ],
  );
  if (!rowCount) return 'repeated';
  if (topup) await postReversals(client, topup);
  return 'noted';
}

async function applyReceipt(client: PoolClient, { paymentIntent, url }: Receipt): Promise<FactOutcome> {
  const { rowCount } = await client.query('update topups set receipt_url = $2 where payment_intent = $1', [
    paymentIntent,
    url,
  ]);
  return rowCount ? 'noted' : 'unknown';
}

/**
 * Posts reversals of a payment that are not posted yet, and returns those that were undone. A failed refund and a won dispute return the
 * money; `refunded_total` counts refunds without their own events.
 */
async function postReversals(client: PoolClient, topup: Topup): Promise<void> {
  const { rows } = await client.query<Record<'refunds' | 'returned' | 'total' | 'disputes', string>>(
    `select coalesce(sum(amount_nanos) filter (where kind = 'refund' and state = 'taken'), 0) as refunds,
       coalesce(sum(amount_nanos) filter (where kind = 'refund' and state = 'returned'), 0) as returned,
       coalesce(max(amount_nanos) filter (where kind = 'refunded_total'), 0) as total,
       coalesce(sum(amount_nanos) filter (where kind = 'dispute' and state = 'taken'), 0) as disputes
     from topup_reversals where payment_intent = $1`,
    [topup.paymentIntent],
  );
  const { refunds, returned, total, disputes } = rows[0]!;
  const refunded = smallest(topup.amountNanos, largest(BigInt(refunds), BigInt(total) - BigInt(returned)));
  const disputed = smallest(topup.amountNanos - refunded, BigInt(disputes));
  const changes = [
    { kind: 'topup_refund', changeNanos: topup.refundedNanos - refunded },
    { kind: 'dispute', changeNanos: topup.disputedNanos - disputed },
  ].filter(({ changeNanos }) => changeNanos !== 0n);
  if (changes.length === 0) return;
  for (const [index, { kind, changeNanos }] of changes.entries()) {
    await postTransfer(client, {
      kind,
      subject: `${topup.paymentIntent}/${topup.reversalCount + index + 1}`,
      workspaceId: topup.workspaceId,
      houseAccountId: 'payments',
      amountNanos: changeNanos,
      isReversal: true,
    });
  }
  await client.query(
    'update topups set refunded_nanos = $2, disputed_nanos = $3, reversal_count = reversal_count + $4 where id = $1',
    [topup.id, refunded, disputed, changes.length],
  );
  // Processes with slices of this account return them, so that the next call finds the remaining money.
  const { rows: accounts } = await client.query('select id from accounts where workspace_id = $1', [topup.workspaceId]);
  await sendNotice(client, { kind: 'scarce', accountId: accounts[0].id });
}

const smallest = (one: bigint, other: bigint) => (one < other ? one : other);
const largest = (one: bigint, other: bigint) => (one > other ? one : other);

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
