import type { Details } from '../invoices/details.ts';

/** The fact that an order was paid, from one of Stripe's objects. Amounts in nano-USD; null when the object lacks them. */
export interface Paid {
  type: 'paid';
  topupId: string;
  workspaceId: string | null;
  sessionId: string | null;
  paymentIntent: string;
  /** With its tax. */
  amountNanos: bigint;
  /** Its tax, and why none is due; omitted where Stripe adds none. */
  tax?: { nanos: bigint; reason: string | null };
  /** What a payment page with tax asked for. */
  collected?: Details;
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
  /** Why its card was declined, if that is known. */
  reason?: string | undefined;
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

/** The address of a payment's receipt. It often arrives before the payment: then the order has it, if the charge names that. */
export interface Receipt {
  type: 'receipt';
  paymentIntent: string;
  topupId?: string | undefined;
  url: string;
}

export type PaymentFact = Paid | Unpaid | Reversal | Receipt;

/** The result of a fact. `unknown` and `mismatch` need an operator: nothing is credited, or the credit of an erased workspace. */
export type FactOutcome = 'credited' | 'noted' | 'repeated' | 'unknown' | 'mismatch';
