import type Stripe from 'stripe';
import type { Database } from '../../db/database.ts';
import { readDetails } from '../../db/invoices/details.ts';
import {
  giveUpOrder,
  orderAutoTopup,
  recordCardPaid,
  recordDecline,
  recordProcessing,
  type CardOrder,
} from '../../db/payments/cardOrders.ts';
import type { SentOrder } from '../../db/payments/unfinished.ts';
import { applyFacts } from './applyEvent.ts';
import { factsOfIntent, taxMetadata } from './paymentFacts.ts';
import { isDecline, isKnownOtherwise, isUnplaced, type Payments } from './stripe.ts';
import { computeTax } from './tax.ts';
import { NANOS_PER_CENT } from '../../db/money.ts';

/** The result of an automatic payment: `none` when none was due. A `processing` payment is credited by its event. */
export type AutoTopupEnd = 'none' | 'paid' | 'processing' | 'declined';

// Stripe keeps an idempotency key for a day.
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1_000;
const MINUTE_SECONDS = 60;
const PAGE_SIZE = 100;
// Nobody is there to try another card, or to confirm.
const UNPAID: Stripe.PaymentIntent.Status[] = ['requires_payment_method', 'requires_action', 'canceled'];

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
  const order = await orderAutoTopup(db.pool, workspaceId, payments);
  if (!order) return 'none';
  const stripe = await payments.open();
  try {
    return await endWith(await charge(stripe, order, db), order, db);
  } catch (error) {
    if (isKnownOtherwise(error)) return await endChanged(stripe, order, db, error);
    if (!(error instanceof TaxUnknown) && !isDecline(error) && !isUnplaced(error)) throw error;
    await recordDecline(db.everywhere, order, (error as Error).message);
    return 'declined';
  }
}

async function endWith(intent: Stripe.PaymentIntent, order: CardOrder, db: AutoTopupDatabase): Promise<AutoTopupEnd> {
  if (UNPAID.includes(intent.status)) {
    await recordDecline(db.everywhere, order, reasonOf(intent));
    return 'declined';
  }
  if (intent.status !== 'succeeded') {
    await recordProcessing(db.pool, order.topupId);
    return 'processing';
  }
  await applyFacts(db, factsOfIntent(intent));
  await recordCardPaid(db.pool, order.workspaceId);
  return 'paid';
}

const reasonOf = ({ status, last_payment_error: error }: Stripe.PaymentIntent): string => {
  if (status === 'requires_action') return 'The card asks for a confirmation, which an automatic payment cannot give.';
  return error?.message ?? 'The card was declined.';
};

/**
 * Ends an order that Stripe knows with another card or another address: the answer to its first request was lost, and they have changed
 * since. Its payment is in Stripe's list. Without one that may succeed it is given up: the next order is made of what is set now.
 */
async function endChanged(stripe: Stripe, order: CardOrder, db: AutoTopupDatabase, error: unknown) {
  const intent = await findIntent(stripe, { ...order, createdAt: new Date(Date.now() - DAY_MS) });
  if (intent && !UNPAID.includes(intent.status)) return endWith(intent, order, db);
  if (!(await giveUpOrder(db.pool, order.topupId, { isAnswered: intent !== undefined }))) throw error;
  return 'none';
}

/** The payment of an order, in the list of its customer since the order was made: it is sent within two days. */
export async function findIntent(
  stripe: Stripe,
  { customerId, topupId, createdAt }: SentOrder,
): Promise<Stripe.PaymentIntent | undefined> {
  const second = Math.floor(createdAt.getTime() / 1000);
  // The clock of Stripe may be behind.
  const created = { gte: second - MINUTE_SECONDS, lt: second + 2 * DAY_SECONDS };
  for await (const intent of stripe.paymentIntents.list({ customer: customerId, created, limit: PAGE_SIZE }))
    if (intent.metadata.topup_id === topupId) return intent;
  return undefined;
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
