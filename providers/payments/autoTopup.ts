import type { Database } from '../../db/database.ts';
import {
  orderAutoTopup,
  recordCardPaid,
  recordDecline,
  recordProcessing,
  type CardOrder,
} from '../../db/payments/autoTopups.ts';
import { applyFacts } from './applyEvent.ts';
import { factsOfIntent, NANOS_PER_CENT } from './paymentFacts.ts';
import { isDecline, type Payments } from './stripe.ts';

/** The result of an automatic payment: `none` when none was due. A `processing` payment is credited by its event. */
export type AutoTopupEnd = 'none' | 'paid' | 'processing' | 'declined';

/**
 * Charges the saved card of a workspace when its balance is below the threshold. The order is recorded first, and its id is Stripe's
 * idempotency key: a retry after a failure charges the card only once. Throws when Stripe cannot be reached.
 */
export async function payAutoTopup(
  { pool, everywhere }: Pick<Database, 'pool' | 'everywhere'>,
  payments: Payments,
  workspaceId: string,
): Promise<AutoTopupEnd> {
  const order = await orderAutoTopup(pool, workspaceId, payments.isLive);
  if (!order) return 'none';
  try {
    const intent = await charge(payments, order);
    if (intent.status !== 'succeeded') {
      await recordProcessing(pool, order.topupId);
      return 'processing';
    }
    await applyFacts(pool, factsOfIntent(intent));
    await recordCardPaid(pool, workspaceId);
    return 'paid';
  } catch (error) {
    if (!isDecline(error)) throw error;
    await recordDecline(everywhere, order, (error as Error).message);
    return 'declined';
  }
}

async function charge(payments: Payments, order: CardOrder) {
  const stripe = await payments.open();
  return stripe.paymentIntents.create(
    {
      amount: Number(order.amountNanos / NANOS_PER_CENT),
      currency: 'usd',
      customer: order.customerId,
      payment_method: order.paymentMethodId,
      off_session: true,
      confirm: true,
      description: `Ledgerline credit for ${order.workspaceId}`,
      metadata: { topup_id: order.topupId, workspace_id: order.workspaceId },
    },
    { idempotencyKey: order.topupId },
  );
}
