import type Stripe from 'stripe';
import type { Details } from '../../db/invoices/details.ts';
import type { CardOrder } from '../../db/payments/cardOrders.ts';
import { NANOS_PER_CENT } from '../../db/money.ts';

/** An address as Stripe takes it. */
export const addressOf = (details: Details & { country: string }) => ({
  line1: details.line1 ?? '',
  line2: details.line2 ?? '',
  city: details.city ?? '',
  state: details.region ?? '',
  postal_code: details.postalCode ?? '',
  country: details.country,
});

/** What a payment page needs to add tax, to collect address and tax number, and to keep them with the customer. */
export const pageTax = (customer: string) =>
  ({
    customer,
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    billing_address_collection: 'required',
    customer_update: { address: 'auto', name: 'auto' },
  }) satisfies Stripe.Checkout.SessionCreateParams;

/** The tax of a payment by a saved card. */
export interface CardTax {
  calculationId: string;
  totalCents: number;
  taxCents: number;
  reason: string | null;
}

/**
 * Computes the tax of a payment by a saved card from the workspace's billing details. A retry computes the same. Throws when Stripe cannot
 * place the address.
 */
export async function computeTax(
  stripe: Stripe,
  { topupId, amountNanos }: CardOrder,
  details: Details & { country: string },
): Promise<CardTax> {
  const { taxIdType: type, taxId: value } = details;
  const calculation = await stripe.tax.calculations.create(
    {
      currency: 'usd',
      line_items: [{ amount: Number(amountNanos / NANOS_PER_CENT), reference: topupId, tax_behavior: 'exclusive' }],
      customer_details: {
        address: addressOf(details),
        address_source: 'billing',
        ...(type !== null && value !== null && { tax_ids: [{ type, value }] }),
      },
    },
    { idempotencyKey: `${topupId}-tax` },
  );
  const reasons = calculation.tax_breakdown.map(({ taxability_reason: reason }) => reason);
  return {
    calculationId: calculation.id!,
    totalCents: calculation.amount_total,
    taxCents: calculation.tax_amount_exclusive,
    reason: reasons.includes('reverse_charge') ? 'reverse_charge' : null,
  };
}
