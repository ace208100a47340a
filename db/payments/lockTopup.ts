import type { PoolClient } from 'pg';
import { takeTurn } from '../postgres/transaction.ts';

/** A payment, as the facts about it change it. */
export interface LockedTopup {
  id: string;
  workspaceId: string;
  sessionId: string | null;
  paymentIntent: string | null;
  amountNanos: bigint;
  livemode: boolean;
  status: string;
  refundedNanos: bigint;
  disputedNanos: bigint;
  /** Stripe adds tax to the amount. */
  isTaxed: boolean;
  taxNanos: bigint;
  refundedTaxNanos: bigint;
  disputedTaxNanos: bigint;
  reversalCount: number;
}

/**
 * The facts of one payment are applied one after the other: a reversal that arrives together with the payment finds no order of it yet, and
 * the payment would not see that reversal. Before any lock of rows.
 */
export const takePaymentTurn = (client: PoolClient, paymentIntent: string): Promise<void> =>
  takeTurn(client, `payment ${paymentIntent}`);

/** Locks a payment for this transaction; undefined when it is unknown. */
export async function lockTopup(
  client: PoolClient,
  column: 'id' | 'payment_intent',
  value: string,
): Promise<LockedTopup | undefined> {
  const { rows } = await client.query(
    `select id, workspace_id, session_id, payment_intent, amount_nanos, livemode, status, refunded_nanos, disputed_nanos, reversal_count,
       is_taxed, tax_nanos, refunded_tax_nanos, disputed_tax_nanos
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
      isTaxed: row.is_taxed,
      taxNanos: BigInt(row.tax_nanos),
      refundedTaxNanos: BigInt(row.refunded_tax_nanos),
      disputedTaxNanos: BigInt(row.disputed_tax_nanos),
      reversalCount: row.reversal_count,
    }
  );
}
