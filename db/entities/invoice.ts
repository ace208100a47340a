import { defineEntity, p } from '@mikro-orm/core';

/** Who issues invoices. */
export interface Seller {
  name: string;
  /** The lines of its address. */
  address: string[];
  taxId: string | null;
  email: string | null;
}

/** Whom an invoice names: a copy of the workspace and its billing details. */
export interface InvoiceCustomer {
  workspaceName: string;
  company: string | null;
  line1: string | null;
  line2: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  country: string | null;
  taxIdType: string | null;
  taxId: string | null;
  purchaseOrder: string | null;
  email: string | null;
}

/** A line of an invoice. Amounts are nano-USD as text, signed by their effect on the balance; JSON numbers are not exact. */
export interface InvoiceLine {
  kind: 'payment' | 'refund' | 'dispute' | 'adjustment' | 'payout' | 'usage';
  nanos: string;
  /** Only of payments, refunds and disputes: on top of the amount. */
  taxNanos?: string;
  taxReason?: string | null;
  /** The payment or the ledger's subject, and its time. */
  reference?: string;
  at?: string;
  source?: 'checkout' | 'auto';
  /** Of usage. */
  product?: string;
  name?: string | null;
  requests?: number;
}

/** What the invoices of a workspace say about it. Every issued invoice keeps its own copy. */
export const BillingDetails = defineEntity({
  name: 'BillingDetails',
  tableName: 'billing_details',
  properties: {
    workspaceId: p.text().primary(),
    company: p.text().strictNullable(),
    line1: p.text().strictNullable(),
    line2: p.text().strictNullable(),
    city: p.text().strictNullable(),
    region: p.text().strictNullable(),
    postalCode: p.text().strictNullable(),
    country: p.text().strictNullable(),
    /** A type of Stripe's tax ids. */
    taxIdType: p.text().strictNullable(),
    taxId: p.text().strictNullable(),
    purchaseOrder: p.text().strictNullable(),
    /** Of accounts payable. */
    email: p.text().strictNullable(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** An invoice of a month of a workspace: never changed, and numbered without gaps within its series. */
export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'invoices',
  uniques: [
    { name: 'invoices_workspace_month_unique', properties: ['workspaceId', 'month'] },
    { name: 'invoices_series_sequence_unique', properties: ['isTest', 'sequence'] },
  ],
  indexes: [{ name: 'invoices_workspace_index', properties: ['workspaceId', 'createdAt', 'id'] }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    /** `YYYY-MM` in UTC. */
    month: p.text(),
    isTest: p.boolean(),
    sequence: p.bigint(),
    number: p.text(),
    seller: p.json().$type<Seller>(),
    customer: p.json().$type<InvoiceCustomer>(),
    lines: p.json().$type<InvoiceLine[]>().lazy(),
    /** Credit that was bought, less what was returned; and the tax on it. */
    netNanos: p.bigint(),
    taxNanos: p.bigint(),
    openingNanos: p.bigint(),
    closingNanos: p.bigint(),
    usageNanos: p.bigint(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** The numbers of invoices: one series for live workspaces, and one for tests. Its row is locked while an invoice takes its number. */
export const InvoiceSeries = defineEntity({
  name: 'InvoiceSeries',
  tableName: 'invoice_series',
  properties: {
    isTest: p.boolean().primary(),
    /** The month before the first one with invoices. */
    beginsAfter: p.text(),
    lastSequence: p.bigint().default(0),
  },
});

/** The last month of a workspace that was invoiced, or found without any change of the balance. */
export const InvoiceMark = defineEntity({
  name: 'InvoiceMark',
  tableName: 'invoice_marks',
  properties: {
    workspaceId: p.text().primary(),
    month: p.text(),
  },
});

/** The tax of a payment, or of the part of it that was returned, beside its ledger entry with this key. */
export const PaymentTax = defineEntity({
  name: 'PaymentTax',
  tableName: 'payment_taxes',
  properties: {
    kind: p.text().primary(),
    subject: p.text().primary(),
    workspaceId: p.text().index(),
    taxNanos: p.bigint(),
    /** Why none is due, as Stripe says it: `reverse_charge`. */
    reason: p.text().strictNullable(),
  },
});
