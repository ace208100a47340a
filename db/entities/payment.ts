import { defineEntity, p } from '@mikro-orm/core';

/** A payment into the balance of a workspace, from its order on: by a page that its customer pays on, or by a saved card. */
export const Topup = defineEntity({
  name: 'Topup',
  tableName: 'topups',
  checks: [
    { name: 'topups_origin_check', expression: "origin in ('checkout', 'auto')" },
    { name: 'topups_status_check', expression: "status in ('open', 'processing', 'paid', 'failed', 'expired')" },
    {
      name: 'topups_amounts_check',
      expression:
        'amount_nanos > 0 and refunded_nanos >= 0 and disputed_nanos >= 0 and refunded_nanos + disputed_nanos <= amount_nanos',
    },
  ],
  indexes: [
    {
      name: 'topups_one_auto_index',
      expression:
        "create unique index topups_one_auto_index on topups (workspace_id) where origin = 'auto' and status in ('open', 'processing')",
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    origin: p.text(),
    /** Stripe's id of the page, and of the payment: both unique, so that neither is credited twice. */
    sessionId: p.text().nullable().unique(),
    paymentIntent: p.text().nullable().unique(),
    amountNanos: p.bigint(),
    livemode: p.boolean(),
    status: p.text().default('open'),
    receiptUrl: p.text().nullable(),
    /** What of it is posted as taken back. */
    refundedNanos: p.bigint().default(0),
    disputedNanos: p.bigint().default(0),
    /** How many reversing entries were posted: part of their keys. */
    reversalCount: p.integer().default(0),
    requestId: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    paidAt: p.datetime().nullable(),
  },
});

/** A refund or a dispute of a payment as Stripe last described it, also of a payment that is not known yet. */
export const TopupReversal = defineEntity({
  name: 'TopupReversal',
  tableName: 'topup_reversals',
  checks: [
    { name: 'topup_reversals_kind_check', expression: "kind in ('refund', 'refunded_total', 'dispute')" },
    { name: 'topup_reversals_state_check', expression: "state in ('none', 'taken', 'returned')" },
  ],
  properties: {
    id: p.text().primary(),
    paymentIntent: p.text().index(),
    /** `refunded_total` is the sum of all refunds of a charge that an event named. */
    kind: p.text(),
    amountNanos: p.bigint(),
    state: p.text(),
    /** A later stage overrides an earlier one, whichever arrives first. */
    stage: p.smallint(),
    toldAt: p.datetime(),
  },
});

/** A workspace as Stripe knows it, with its saved card. */
export const PaymentCustomer = defineEntity({
  name: 'PaymentCustomer',
  tableName: 'payment_customers',
  properties: {
    workspaceId: p.text().primary(),
    customerId: p.text().unique(),
    paymentMethodId: p.text().nullable(),
    /** When the card pays by itself; null: never. */
    thresholdNanos: p.bigint().nullable(),
    amountNanos: p.bigint().nullable(),
    monthlyCapNanos: p.bigint().nullable(),
    /** How often it was declined since it last paid, and when it may be asked again. */
    declineCount: p.integer().default(0),
    retryAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** An event of Stripe that arrived, and what came of it. A record for operators: nothing depends on it. */
export const PaymentEvent = defineEntity({
  name: 'PaymentEvent',
  tableName: 'payment_events',
  properties: {
    id: p.text().primary(),
    type: p.text(),
    outcome: p.text(),
    livemode: p.boolean(),
    receivedAt: p.datetime().defaultRaw('now()'),
  },
});
