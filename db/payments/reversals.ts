import type { PoolClient } from 'pg';
import { postTransfer } from '../ledger/balance.ts';
import { sendNotice } from '../postgres/notices.ts';
import type { FactOutcome, Reversal } from './facts.ts';
import { lockTopup, takePaymentTurn, type LockedTopup } from './lockTopup.ts';
import { NANOS_PER_CENT } from '../money.ts';

/** Records a refund or dispute, and posts what it changes. */
export async function applyReversal(client: PoolClient, reversal: Reversal): Promise<FactOutcome> {
  if (reversal.currency !== 'usd') return 'mismatch';
  await takePaymentTurn(client, reversal.paymentIntent);
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

/**
 * Posts reversals of a payment that are not posted yet, and returns those that were undone. A failed refund and a won dispute return the
 * money; `refunded_total` counts refunds without their own events. Stripe counts with the tax: the ledger gets the part without it.
 */
export async function postReversals(client: PoolClient, topup: LockedTopup): Promise<void> {
  const { rows } = await client.query<Record<'refunds' | 'returned' | 'total' | 'disputes', string>>(
    `select coalesce(sum(amount_nanos) filter (where kind = 'refund' and state = 'taken'), 0) as refunds,
       coalesce(sum(amount_nanos) filter (where kind = 'refund' and state = 'returned'), 0) as returned,
       coalesce(max(amount_nanos) filter (where kind = 'refunded_total'), 0) as total,
       coalesce(sum(amount_nanos) filter (where kind = 'dispute' and state = 'taken'), 0) as disputes
     from topup_reversals where payment_intent = $1`,
    [topup.paymentIntent],
  );
  const { refunds, returned, total: all, disputes } = rows[0]!;
  const total = topup.amountNanos + topup.taxNanos;
  const refunded = smallest(total, largest(BigInt(refunds), BigInt(all) - BigInt(returned)));
  const disputed = smallest(total - refunded, BigInt(disputes));
  const taxOf = (part: bigint) => taxIn(part, { total, tax: topup.taxNanos });
  const taxes = { refunded: taxOf(refunded), disputed: taxOf(refunded + disputed) - taxOf(refunded) };
  const changes = [
    {
      kind: 'topup_refund',
      changeNanos: topup.refundedNanos - (refunded - taxes.refunded),
      taxChangeNanos: topup.refundedTaxNanos - taxes.refunded,
    },
    {
      kind: 'dispute',
      changeNanos: topup.disputedNanos - (disputed - taxes.disputed),
      taxChangeNanos: topup.disputedTaxNanos - taxes.disputed,
    },
    // A cent may be tax alone: its entry of zero has the tax beside it.
  ].filter(({ changeNanos, taxChangeNanos }) => changeNanos !== 0n || taxChangeNanos !== 0n);
  if (changes.length === 0) return;
  for (const [index, { kind, changeNanos, taxChangeNanos }] of changes.entries()) {
    const subject = `${topup.paymentIntent}/${topup.reversalCount + index + 1}`;
    await postTransfer(client, {
      kind,
      subject,
      workspaceId: topup.workspaceId,
      houseAccountId: 'payments',
      amountNanos: changeNanos,
      isReversal: true,
    });
    if (topup.isTaxed) await insertTax(client, { kind, subject, topup, taxNanos: taxChangeNanos });
  }
  await client.query(
    `update topups set refunded_nanos = $2, disputed_nanos = $3, refunded_tax_nanos = $4, disputed_tax_nanos = $5,
       reversal_count = reversal_count + $6 where id = $1`,
    [topup.id, refunded - taxes.refunded, disputed - taxes.disputed, taxes.refunded, taxes.disputed, changes.length],
  );
  // Processes with slices of this account return them, so that the next call finds the remaining money.
  const { rows: accounts } = await client.query('select id from accounts where workspace_id = $1', [topup.workspaceId]);
  await sendNotice(client, { kind: 'scarce', accountId: accounts[0].id });
}

const smallest = (one: bigint, other: bigint) => (one < other ? one : other);
const largest = (one: bigint, other: bigint) => (one > other ? one : other);

/** The tax in a part of a payment, in proportion, to the cent: all parts together have all of it. */
function taxIn(part: bigint, { total, tax }: { total: bigint; tax: bigint }): bigint {
  if (tax === 0n) return 0n;
  const scaled = total * NANOS_PER_CENT;
  return ((part * tax * 2n + scaled) / (scaled * 2n)) * NANOS_PER_CENT;
}

/** Records the tax of a payment, or of its part that was returned, beside the ledger's entry. */
export async function insertTax(
  client: PoolClient,
  tax: {
    kind: string;
    subject: string;
    topup: Pick<LockedTopup, 'workspaceId'>;
    taxNanos: bigint;
    reason?: string | null;
  },
): Promise<void> {
  await client.query(
    'insert into payment_taxes (kind, subject, workspace_id, tax_nanos, reason) values ($1, $2, $3, $4, $5)',
    [tax.kind, tax.subject, tax.topup.workspaceId, tax.taxNanos, tax.reason ?? null],
  );
}
