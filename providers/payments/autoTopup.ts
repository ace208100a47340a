import type Stripe from 'stripe';
import type { Database } from '../../db/database.ts';
import { readDetails } from '../../db/invoices/details.ts';
import {
  orderAutoTopup,
  recordCardPaid,
  recordDecline,
  recordProcessing,
  type CardOrder,
} from '../../db/payments/autoTopups.ts';
import { applyFacts } from './applyEvent.ts';
import { factsOfIntent, NANOS_PER_CENT, taxMetadata } from './paymentFacts.ts';
import { isDecline, isUnplaced, type Payments } from './stripe.ts';
import { computeTax } from './tax.ts';

/** The result of an automatic payment: `none` when none was due. A `processing` payment is credited by its event. */
export type AutoTopupEnd = 'none' | 'paid' | 'processing' | 'declined';

type AutoTopupDatabase = Pick<Database, 'pool' | 'everywhere' | 'read'>;

/**
 * Charges the saved card of a workspace when its balance is below the threshold. The order is recorded first, and its id is Stripe's
 * idempotency key: a retry after a failure charges the card only once. With tax, and without an address to compute it from, the card is not
 * charged: that counts as a decline. Throws when Stripe cannot be reached.
 */
export async function payAutoTopup(
  db: AutoTopupDatabase,
  payments: Payments,
  workspaceId: string,
): Promise<AutoTopupEnd> {
  const { pool, everywhere } = db;
  const order = await orderAutoTopup(pool, workspaceId, payments);
  if (!order) return 'none';
  try {
    const intent = await charge(await payments.open(), order, db);
    if (intent.status !== 'succeeded') {
      await recordProcessing(pool, order.topupId);
      return 'processing';
    }
    await applyFacts(db, factsOfIntent(intent));
    await recordCardPaid(pool, workspaceId);
    return 'paid';
  } catch (error) {
    if (!(error instanceof TaxUnknown) && !isDecline(error) && !isUnplaced(error)) throw error;
    await recordDecline(everywhere, order, (error as Error).message);
    return 'declined';
  }
}

/** The tax of a payment cannot be computed. */
class TaxUnknown extends Error {}

async function charge(stripe: Stripe, order: CardOrder, db: AutoTopupDatabase) {
  const metadata = { topup_id: order.topupId, workspace_id: order.workspaceId };
  const amount = { amount: Number(order.amountNanos / NANOS_PER_CENT), metadata };
  return stripe.paymentIntents.create(
    {
      ...(order.isTaxed ? await withTax(stripe, order, db, metadata) : amount),
      currency: 'usd',
      customer: order.customerId,
      payment_method: order.paymentMethodId,
      off_session: true,
      confirm: true,
      description: `Ledgerline credit for ${order.workspaceId}`,
    },
    { idempotencyKey: order.topupId },
  );
}

/** The amount with its tax. Stripe reports the tax, and takes it back with refunds, by the calculation. */
async function withTax(stripe: Stripe, order: CardOrder, { read }: AutoTopupDatabase, metadata: Stripe.MetadataParam) {
  const { country, ...details } = await readDetails(read(order.workspaceId));
  if (country === null)
    throw new TaxUnknown('Its tax cannot be computed: set the address in the billing details, with the country.');
  const { totalCents, taxCents, reason, calculationId } = await computeTax(stripe, order, { ...details, country });
  return {
    amount: totalCents,
    metadata: { ...metadata, ...taxMetadata(taxCents, reason) },
    hooks: { inputs: { tax: { calculation: calculationId } } },
  };
}
