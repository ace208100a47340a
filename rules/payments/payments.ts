import { reportTax } from './tax.ts';
import { nowSeconds, type Members, type Store, type StripeObject } from './store.ts';

/** A Stripe test card that can be saved and is then declined. */
export const DECLINING_CARD = '0341';

/** Called with each event: its type, and the object at that time. */
export type Emit = (type: string, object: StripeObject) => void;

/** The actions of a payer on a session's page, and those of a bank or the platform's operator afterwards. */
export const ACTIONS = [
  'pay',
  'save_declining',
  'decline',
  'pay_later',
  'clear',
  'bounce',
  'expire',
  'refund',
  'fail_refund',
  'dispute',
  'win_dispute',
  'lose_dispute',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Test payments: applies actions to a session and emits the events that Stripe would send, in Stripe's order. */
export function createPayments(store: Store, emit: Emit, receiptUrl: (chargeId: string) => string) {
  const actions: Record<Action, (session: StripeObject, cents: number) => void> = {
    pay: (session) => {
      if (session.mode === 'setup') return saveCard(session);
      const intent = succeed(intentOf(session));
      complete(session, { payment_status: 'paid', payment_intent: intent.id });
      return undefined;
    },
    save_declining: (session) => saveCard(session, DECLINING_CARD),
    // As with Stripe, the page stays open for another card.
    decline: () => {},
    pay_later: (session) => {
      const intent = store.change(intentOf(session), { status: 'processing' });
      complete(session, { payment_status: 'unpaid', payment_intent: intent.id });
    },
    clear: (session) => {
      succeed(intentOf(session));
      store.change(session, { payment_status: 'paid' });
      emit('checkout.session.async_payment_succeeded', session);
    },
    bounce: (session) => {
      store.change(intentOf(session), { status: 'requires_payment_method' });
      emit('checkout.session.async_payment_failed', session);
    },
    expire: (session) => emit('checkout.session.expired', store.change(session, { status: 'expired', url: null })),
    refund: (session, cents) => refund(String(session.payment_intent), cents),
    fail_refund: (session) => {
      const [last] = store.list(
        'refund',
        (one) => one.payment_intent === session.payment_intent && one.status !== 'failed',
      );
      if (last) emit('refund.failed', store.change(last, { status: 'failed' }));
    },
    dispute: (session) => openDispute(String(session.payment_intent)),
    win_dispute: (session) => closeDispute(session, 'won', 'charge.dispute.funds_reinstated'),
    lose_dispute: (session) => closeDispute(session, 'lost'),
  };

  /** Performs an action that is valid in the session's state. False: it is not valid. */
  function act(session: StripeObject, action: Action, cents = 0): boolean {
    if (!actionsOf(session).includes(action)) return false;
    actions[action](session, cents);
    return true;
  }

  /** The payment of a session, created at its first attempt as Stripe does. */
  function intentOf(session: StripeObject): StripeObject {
    const made = store.find('payment_intent', String(session.payment_intent));
    if (made) return made;
    const { metadata, description } = session.payment_intent_data as Members;
    return createIntent({ amount: session.amount_total, customer: session.customer, metadata, description });
  }

  function createIntent(members: Members, idempotencyKey?: string): StripeObject {
    const defaults = { amount_received: 0, currency: 'usd', customer: null, status: 'requires_confirmation' };
    return store.create('payment_intent', 'pi', { ...defaults, latest_charge: null, ...members }, idempotencyKey);
  }

  function succeed(intent: StripeObject): StripeObject {
    const charge = store.create('charge', 'ch', {
      amount: intent.amount,
      amount_refunded: 0,
      currency: intent.currency,
      payment_intent: intent.id,
      paid: true,
      refunded: false,
      status: 'succeeded',
      receipt_url: null,
      metadata: intent.metadata,
    });
    store.change(charge, { receipt_url: receiptUrl(charge.id) });
    store.change(intent, { status: 'succeeded', amount_received: intent.amount, latest_charge: charge.id });
    reportTax(store, intent, 'transaction');
    emit('charge.succeeded', charge);
    emit('payment_intent.succeeded', intent);
    return intent;
  }

  function complete(session: StripeObject, members: Members): void {
    emit('checkout.session.completed', store.change(session, { ...members, status: 'complete', url: null }));
  }

  function saveCard(session: StripeObject, last4 = '4242'): void {
    const { customer } = session;
    const method = store.create('payment_method', 'pm', {
      customer,
      type: 'card',
      card: { brand: 'visa', last4 },
    });
    const { metadata } = session.setup_intent_data as Members;
    const members = { customer, payment_method: method.id, status: 'succeeded', metadata };
    const intent = store.create('setup_intent', 'seti', members);
    emit('setup_intent.succeeded', intent);
    complete(session, { setup_intent: intent.id });
  }

  function chargeOf(paymentIntent: string): StripeObject {
    return store.list('charge', (one) => one.payment_intent === paymentIntent)[0]!;
  }

  function refund(paymentIntent: string, cents: number, members: Members = {}, idempotencyKey?: string): StripeObject {
    const charge = chargeOf(paymentIntent);
    const left = Number(charge.amount) - Number(charge.amount_refunded);
    const amount = cents > 0 ? Math.min(cents, left) : left;
    const { currency } = charge;
    const common = { amount, currency, charge: charge.id, payment_intent: paymentIntent, status: 'succeeded' };
    const made = store.create('refund', 're', { ...common, reason: null, ...members }, idempotencyKey);
    const amountRefunded = Number(charge.amount_refunded) + amount;
    store.change(charge, { amount_refunded: amountRefunded, refunded: amountRefunded === charge.amount });
    reportTax(store, store.find('payment_intent', paymentIntent)!, 'reversal', amount / Number(charge.amount));
    emit('refund.created', made);
    emit('charge.refunded', charge);
    return made;
  }

  function openDispute(paymentIntent: string): void {
    const charge = chargeOf(paymentIntent);
    const amount = Number(charge.amount) - Number(charge.amount_refunded);
    const dispute = store.create('dispute', 'du', {
      amount,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: paymentIntent,
      reason: 'fraudulent',
      status: 'needs_response',
    });
    emit('charge.dispute.created', dispute);
    emit('charge.dispute.funds_withdrawn', dispute);
  }

  function closeDispute(session: StripeObject, status: 'won' | 'lost', moneyEvent?: string): void {
    const dispute = disputeOf(store, session)!;
    store.change(dispute, { status });
    emit('charge.dispute.closed', dispute);
    if (moneyEvent !== undefined) emit(moneyEvent, dispute);
  }

  /** The valid actions in a session's current state. */
  function actionsOf(session: StripeObject): Action[] {
    if (session.status === 'open')
      return session.mode === 'setup' ? ['pay', 'save_declining', 'expire'] : ['pay', 'decline', 'pay_later', 'expire'];
    const intent = store.find('payment_intent', String(session.payment_intent));
    if (intent?.status === 'processing') return ['clear', 'bounce'];
    if (intent?.status !== 'succeeded') return [];
    const dispute = disputeOf(store, session);
    if (dispute) return dispute.status === 'needs_response' ? ['win_dispute', 'lose_dispute'] : [];
    const { amount, amount_refunded: refunded } = chargeOf(intent.id);
    const isRefundable = Number(refunded) < Number(amount);
    return [
      ...(isRefundable ? (['refund', 'dispute'] as const) : []),
      ...(Number(refunded) > 0 ? (['fail_refund'] as const) : []),
    ];
  }

  function deleteCustomer(customer: StripeObject): StripeObject {
    emit('customer.deleted', store.change(customer, { deleted: true }));
    return customer;
  }

  return { act, actionsOf, createIntent, succeed, refund, deleteCustomer };
}

const disputeOf = (store: Store, session: StripeObject): StripeObject | undefined =>
  store.list('dispute', (one) => one.payment_intent === session.payment_intent)[0];

/** An event as Stripe sends it: a copy of the object at that moment. */
export function eventOf(type: string, object: StripeObject, apiVersion: string, id: string): Members {
  return {
    id,
    object: 'event',
    api_version: apiVersion,
    created: nowSeconds(),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
