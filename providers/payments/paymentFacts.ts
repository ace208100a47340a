import type Stripe from 'stripe';
import { NO_DETAILS, type Details } from '../../db/invoices/details.ts';
import type { Paid, PaymentFact, Reversal } from '../../db/payments/facts.ts';
import { NANOS_PER_CENT } from '../../db/money.ts';

const REASON_CHARACTERS_MAX = 500;

/** The handled Stripe event types: a webhook endpoint must subscribe to them. */
export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.succeeded',
  'charge.updated',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'setup_intent.succeeded',
  'payment_method.detached',
  'customer.deleted',
] as const satisfies Stripe.Event['type'][];

/** The facts about this platform's payments in an event of a handled type. */
export function factsOf(event: Stripe.Event): PaymentFact[] {
  const toldAt = new Date(event.created * 1000);
  const { object } = event.data;
  // An event's type starts with the type of its object.
  if (event.type.startsWith('checkout.session.')) return factsOfSession(object as Stripe.Checkout.Session, event.type);
  if (event.type.startsWith('payment_intent.')) return factsOfIntent(object as Stripe.PaymentIntent);
  if (event.type.startsWith('charge.dispute.')) return factsOfDispute(object as Stripe.Dispute, toldAt);
  if (event.type.startsWith('charge.')) return factsOfCharge(object as Stripe.Charge, toldAt);
  return event.type.startsWith('refund.') ? factsOfRefund(object as Stripe.Refund, toldAt) : [];
}

/** The state of a payment page. `eventType` separates a failed payment from a pending one; a listed page has no event type. */
export function factsOfSession(session: Stripe.Checkout.Session, eventType?: string): PaymentFact[] {
  const topupId = session.metadata?.topup_id;
  if (session.mode !== 'payment' || topupId === undefined) return [];
  const paymentIntent = idOf(session.payment_intent);
  if (session.payment_status === 'paid' && paymentIntent !== undefined) {
    return [
      {
        type: 'paid',
        topupId,
        workspaceId: session.client_reference_id,
        sessionId: session.id,
        paymentIntent,
        amountNanos: nanosOf(session.amount_total ?? 0),
        ...taxOfSession(session),
        currency: session.currency ?? '',
        livemode: session.livemode,
      },
    ];
  }
  if (eventType === 'checkout.session.async_payment_failed') return [{ type: 'unpaid', topupId, status: 'failed' }];
  if (session.status === 'expired') return [{ type: 'unpaid', topupId, status: 'expired' }];
  return session.status === 'complete' ? [{ type: 'unpaid', topupId, status: 'processing' }] : [];
}

/** The tax of a page that asked for it, and what it asked for. */
function taxOfSession(session: Stripe.Checkout.Session): Pick<Paid, 'tax' | 'collected'> {
  if (!session.automatic_tax?.enabled) return {};
  const customer = session.customer_details;
  const reason = customer?.tax_exempt === 'reverse' ? 'reverse_charge' : null;
  const tax = { nanos: nanosOf(session.total_details?.amount_tax ?? 0), reason };
  return customer?.address ? { tax, collected: detailsOf(customer, customer.address) } : { tax };
}

function detailsOf(customer: Stripe.Checkout.Session.CustomerDetails, address: Stripe.Address): Details {
  const [taxId] = customer.tax_ids ?? [];
  return {
    ...NO_DETAILS,
    company: customer.business_name ?? customer.name,
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    region: address.state,
    postalCode: address.postal_code,
    country: address.country,
    taxIdType: taxId?.value ? taxId.type : null,
    taxId: taxId?.value ?? null,
  };
}

/** The metadata of a payment whose page has its tax. */
export const TAXED_BY_PAGE = { tax: 'page' };

/** The metadata of a payment that says its tax itself. */
export const taxMetadata = (cents: number, reason: string | null) => ({
  tax_cents: String(cents),
  ...(reason !== null && { tax_reason: reason }),
});

function taxOfMetadata({ tax_cents: cents, tax_reason: reason }: Stripe.Metadata): Pick<Paid, 'tax'> {
  return cents !== undefined && /^\d{1,11}$/.test(cents)
    ? { tax: { nanos: nanosOf(Number(cents)), reason: reason ?? null } }
    : {};
}

/** Success or failure of a payment, from its payment intent. The payment of a page with tax counts by its page, which has the tax. */
export function factsOfIntent(intent: Stripe.PaymentIntent): PaymentFact[] {
  const { topup_id: topupId, workspace_id: workspaceId } = intent.metadata ?? {};
  if (topupId === undefined) return [];
  // A page stays open after a declined card: only a pending payment has failed.
  if (intent.status === 'requires_payment_method' || intent.status === 'canceled')
    return [
      {
        type: 'unpaid',
        topupId,
        status: 'failed',
        from: 'processing',
        reason:
          intent.status === 'canceled'
            ? 'The payment was cancelled.'
            : intent.last_payment_error?.message?.slice(0, REASON_CHARACTERS_MAX),
      },
    ];
  if (intent.status !== 'succeeded' || intent.metadata.tax === TAXED_BY_PAGE.tax) return [];
  return [
    {
      type: 'paid',
      topupId,
      workspaceId: workspaceId ?? null,
      sessionId: null,
      paymentIntent: intent.id,
      amountNanos: nanosOf(intent.amount_received ?? 0),
      ...taxOfMetadata(intent.metadata),
      currency: intent.currency,
      livemode: intent.livemode,
    },
  ];
}

function factsOfCharge(charge: Stripe.Charge, toldAt: Date): PaymentFact[] {
  const paymentIntent = idOf(charge.payment_intent);
  if (paymentIntent === undefined) return [];
  const facts: PaymentFact[] = [];
  // Stripe copies the metadata of the payment intent.
  const topupId = charge.metadata?.topup_id;
  if (charge.receipt_url) facts.push({ type: 'receipt', paymentIntent, topupId, url: charge.receipt_url });
  if (charge.amount_refunded > 0) {
    // The total refunded so far, one row for each amount: the largest counts, in whatever order they arrive.
    const amountNanos = nanosOf(charge.amount_refunded);
    const common = { type: 'reversal', paymentIntent, currency: charge.currency, toldAt } as const;
    facts.push({
      ...common,
      id: `${charge.id}/${charge.amount_refunded}`,
      kind: 'refunded_total',
      amountNanos,
      state: 'taken',
      stage: 0,
    });
  }
  return facts;
}

type StateAndStage = [Reversal['state'], number];

const REFUND_STATES: Record<string, StateAndStage> = {
  pending: ['taken', 0],
  requires_action: ['taken', 0],
  succeeded: ['taken', 1],
  failed: ['returned', 2],
  canceled: ['returned', 2],
};

/** The latest state of a refund, as reported at that time. */
export function factsOfRefund(refund: Stripe.Refund, toldAt: Date): PaymentFact[] {
  return reversalOf('refund', refund, REFUND_STATES[refund.status ?? ''], toldAt);
}

// An inquiry (`warning_*`) takes no money yet.
const DISPUTE_STATES: Record<string, StateAndStage> = {
  warning_needs_response: ['none', 0],
  warning_under_review: ['none', 0],
  warning_closed: ['none', 1],
  needs_response: ['taken', 1],
  under_review: ['taken', 1],
  appeal_needs_response: ['taken', 1],
  appeal_under_review: ['taken', 1],
  // Of two results, as after an appeal, the later one counts.
  lost: ['taken', 2],
  won: ['returned', 2],
  prevented: ['none', 2],
};

/** The latest state of a dispute, as reported at that time. */
export function factsOfDispute(dispute: Stripe.Dispute, toldAt: Date): PaymentFact[] {
  return reversalOf('dispute', dispute, DISPUTE_STATES[dispute.status], toldAt);
}

/** Undefined for an unknown state, and for an object without a payment intent. */
function reversalOf(
  kind: 'refund' | 'dispute',
  { id, amount, currency, payment_intent: intent }: Stripe.Refund | Stripe.Dispute,
  known: StateAndStage | undefined,
  toldAt: Date,
): PaymentFact[] {
  const paymentIntent = idOf(intent);
  if (paymentIntent === undefined || !known) return [];
  const [state, stage] = known;
  return [{ type: 'reversal', id, kind, paymentIntent, amountNanos: nanosOf(amount), currency, state, stage, toldAt }];
}

const nanosOf = (cents: number): bigint => BigInt(cents) * NANOS_PER_CENT;

/** The id of a referenced object, expanded or not. */
export function idOf(reference: string | { id: string } | null): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}
