import { defineEntity, p } from '@mikro-orm/core';

/** A payment into the balance of a workspace, from its order on: on a payment page, or by a saved card. */
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
    /** Stripe's ids of the page and of the payment. Both are unique, so that neither is credited twice. */
    sessionId: p.text().nullable().unique(),
    paymentIntent: p.text().nullable().unique(),
    amountNanos: p.bigint(),
    livemode: p.boolean(),
    status: p.text().default('open'),
    receiptUrl: p.text().nullable(),
    /** The part posted as reversed. */
    refundedNanos: p.bigint().default(0),
    disputedNanos: p.bigint().default(0),
    /** Whether Stripe adds tax to the amount, the tax that was paid, and the part of it that was returned. */
    isTaxed: p.boolean().default(false),
    taxNanos: p.bigint().default(0),
    refundedTaxNanos: p.bigint().default(0),
    disputedTaxNanos: p.bigint().default(0),
    /** The number of posted reversing entries: part of their keys. */
    reversalCount: p.integer().default(0),
    requestId: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    paidAt: p.datetime().nullable(),
  },
});

/** A refund or dispute in the latest state that Stripe reported, even if its payment is still unknown. */
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
    /** `refunded_total` is the sum of all refunds of a charge in an event. */
    kind: p.text(),
    amountNanos: p.bigint(),
    state: p.text(),
    /** A later stage overrides an earlier one, in whatever order they arrive. */
    stage: p.smallint(),
    toldAt: p.datetime(),
  },
});

/** A workspace's Stripe customer, with its saved card. */
export const PaymentCustomer = defineEntity({
  name: 'PaymentCustomer',
  tableName: 'payment_customers',
  properties: {
    workspaceId: p.text().primary(),
    customerId: p.text().unique(),
    paymentMethodId: p.text().nullable(),
    /** When its owner saved the card, as Stripe says; null before cards had it. */
    cardSavedAt: p.datetime().nullable(),
    /** Display data of the card, read from Stripe on first use. */
    cardBrand: p.text().strictNullable(),
    cardLast4: p.text().strictNullable(),
    /** Automatic payments; amounts are null until they are first configured. */
    autoEnabled: p.boolean().default(true),
    thresholdNanos: p.bigint().nullable(),
    amountNanos: p.bigint().nullable(),
    monthlyCapNanos: p.bigint().nullable(),
    /** Consecutive declines, and the time of the next attempt. */
    declineCount: p.integer().default(0),
    retryAt: p.datetime().nullable(),
    /** The reason of the last decline, as a sentence; null after a payment. */
    lastError: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A received Stripe event and its result. A record for operators: no logic depends on it. */
export const PaymentEvent = defineEntity({
  name: 'PaymentEvent',
  tableName: 'payment_events',
  indexes: [
    {
      name: 'payment_events_uncredited_index',
      expression:
        "create index payment_events_uncredited_index on payment_events (received_at) where outcome in ('mismatch', 'unknown')",
    },
  ],
  properties: {
    id: p.text().primary(),
    type: p.text(),
    outcome: p.text(),
    livemode: p.boolean(),
    receivedAt: p.datetime().defaultRaw('now()'),
  },
});

/** An operator's request to change a balance. Money moves only after another operator's approval. */
export const Adjustment = defineEntity({
  name: 'Adjustment',
  tableName: 'adjustments',
  checks: [
    { name: 'adjustments_status_check', expression: "status in ('pending', 'approved', 'rejected')" },
    { name: 'adjustments_amount_check', expression: 'amount_nanos <> 0' },
    {
      name: 'adjustments_persons_check',
      expression: "status <> 'approved' or decided_by <> requested_by",
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    amountNanos: p.bigint(),
    reason: p.text(),
    status: p.text().$type<'pending' | 'approved' | 'rejected'>().default('pending'),
    /** The persons by id, who must differ, and their names. */
    requestedBy: p.text(),
    requester: p.text(),
    decidedBy: p.text().strictNullable(),
    decider: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    decidedAt: p.datetime().strictNullable(),
  },
});

/** Marks that an event about a low or exhausted balance was sent. Deleted when the balance is sufficient again. */
export const BalanceNotice = defineEntity({
  name: 'BalanceNotice',
  tableName: 'balance_notices',
  checks: [{ name: 'balance_notices_level_check', expression: "level in ('low', 'depleted')" }],
  properties: {
    workspaceId: p.text().primary(),
    level: p.text().$type<'low' | 'depleted'>(),
  },
});

/** Marks that an event about a key's spending was sent in this period. `level`: 1 for the threshold, 2 for the limit. */
export const KeyNotice = defineEntity({
  name: 'KeyNotice',
  tableName: 'key_notices',
  checks: [{ name: 'key_notices_level_check', expression: 'level in (0, 1, 2)' }],
  properties: {
    keyId: p.text().primary(),
    periodStart: p.date(),
    level: p.smallint(),
  },
});

/** A mail to a person about an event of a workspace: recorded with the event, and sent once. */
export const EventMail = defineEntity({
  name: 'EventMail',
  tableName: 'event_mails',
  indexes: [
    {
      name: 'event_mails_due_index',
      expression: 'create index event_mails_due_index on event_mails (due_at) where due_at is not null',
    },
  ],
  properties: {
    eventId: p.text().primary(),
    recipient: p.text().primary(),
    attempts: p.smallint().default(0),
    /** When to send it. Null: an attempt has begun, so that it is not sent twice, or all attempts failed. */
    dueAt: p.datetime().nullable().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()').index(),
  },
});

/** A payout is `paid` to the balance at once; a transfer is `requested`, then `sent` or `rejected`. */
export type PayoutStatus = 'paid' | 'requested' | 'sent' | 'rejected';

/** A caller's part of a payout's earnings. */
export interface PayoutSource {
  workspaceId: string;
  /** A decimal number in text, because JSON numbers are not exact. */
  nanos: string;
}

/** A payout of what a workspace's agents earned. */
export const Payout = defineEntity({
  name: 'Payout',
  tableName: 'payouts',
  checks: [
    {
      name: 'payouts_status_check',
      expression:
        "status in ('paid', 'requested', 'sent', 'rejected') and (status = 'paid') = (destination = 'balance')",
    },
    { name: 'payouts_destination_check', expression: "destination in ('balance', 'transfer')" },
    { name: 'payouts_amount_check', expression: 'amount_nanos > 0' },
    { name: 'payouts_sent_check', expression: "(status = 'sent') = (reference is not null)" },
    { name: 'payouts_persons_check', expression: "status <> 'sent' or decided_by <> requested_by" },
  ],
  indexes: [
    {
      name: 'payouts_workspace_index',
      expression: 'create index payouts_workspace_index on payouts (workspace_id, created_at, id)',
    },
    {
      name: 'payouts_requested_index',
      expression: "create index payouts_requested_index on payouts (created_at) where status = 'requested'",
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    amountNanos: p.bigint(),
    destination: p.text().$type<'balance' | 'transfer'>(),
    status: p.text().$type<PayoutStatus>(),
    /** It includes no earnings after this time; null for payouts from before earnings matured. */
    maturedBefore: p.datetime().strictNullable(),
    /** When its oldest and newest earnings were earned, and from whose runs. */
    earnedFrom: p.datetime().strictNullable(),
    earnedUntil: p.datetime().strictNullable(),
    sources: p.json().$type<PayoutSource[]>().strictNullable(),
    /** The reference of a sent transfer at the bank or payment service. */
    reference: p.text().strictNullable(),
    /** Why it was rejected. */
    reason: p.text().strictNullable(),
    /** The persons by id, who must differ, and their names. */
    requestedBy: p.text(),
    requester: p.text(),
    decidedBy: p.text().strictNullable(),
    decider: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    decidedAt: p.datetime().strictNullable(),
  },
});
