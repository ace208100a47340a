import { StripeRefusal } from './refusal.ts';
import type { Members, Store, StripeObject } from './store.ts';

/** Rates of test taxes, in hundredths of a per cent, by country. All others have none. */
const RATES: Partial<Record<string, number>> = {
  AT: 2000,
  CH: 810,
  DE: 1900,
  ES: 2100,
  FR: 2000,
  GB: 2000,
  IT: 2200,
  NL: 2100,
  PL: 2300,
  US: 725,
};

/** What is known of a customer: their address, and their tax number if they are a business. */
export interface TaxedCustomer {
  country: string | undefined;
  taxIdType: string | undefined;
}

/** The tax on an amount in cents. A business in the EU accounts for it itself. */
export function taxOf(cents: number, { country, taxIdType }: TaxedCustomer): { cents: number; reason: string } {
  const rate = RATES[country ?? ''] ?? 0;
  if (rate === 0) return { cents: 0, reason: 'not_collecting' };
  if (taxIdType === 'eu_vat') return { cents: 0, reason: 'reverse_charge' };
  return { cents: Math.round((cents * rate) / 10_000), reason: 'standard_rated' };
}

/** What Stripe asks of a page that adds tax: a customer who keeps what it collects. */
export function checkTaxedSession({
  customer,
  automatic_tax: tax,
  tax_id_collection: ids,
  customer_update: update,
}: Members): void {
  if (!isOn(tax) && !isOn(ids)) return;
  if (customer === undefined) return;
  const kept = (update ?? {}) as { address?: string; name?: string };
  if (isOn(ids) && kept.name !== 'auto')
    throw new StripeRefusal(
      400,
      'parameter_missing',
      'Tax ID collection requires updating business name on the customer. Please set `customer_update[name]` to `auto`.',
      'customer_update[name]',
    );
  if (isOn(tax) && kept.address !== 'auto')
    throw new StripeRefusal(
      400,
      'customer_tax_location_invalid',
      'Automatic tax calculation in Checkout requires a valid address on the Customer, or `customer_update[address]` set to `auto`.',
      'customer_update[address]',
    );
}

export const isOn = (setting: unknown): boolean =>
  String((setting as { enabled?: unknown } | undefined)?.enabled) === 'true';

/** What a buyer writes on the page of a session: it is kept with the session and its customer, and the session has its tax. */
export function taxSession(store: Store, session: StripeObject, form: URLSearchParams): void {
  if (!isOn(session.automatic_tax)) return;
  const text = (name: string) => form.get(name)?.trim() || null;
  const [country, taxId] = [text('country'), text('tax_id')];
  if (country === null) throw new StripeRefusal(400, 'parameter_missing', 'The country is needed to compute the tax.');
  const address = {
    line1: text('line1'),
    line2: null,
    city: text('city'),
    state: null,
    postal_code: text('postal_code'),
    country,
  };
  const type = taxId === null ? undefined : (TAX_ID_TYPES[country] ?? 'eu_vat');
  const subtotal = Number(session.amount_subtotal);
  const tax = taxOf(subtotal, { country, taxIdType: type });
  store.change(session, {
    amount_total: subtotal + tax.cents,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax.cents },
    automatic_tax: { enabled: true, status: 'complete' },
    customer_details: {
      address,
      email: null,
      name: text('company'),
      business_name: taxId === null ? null : text('company'),
      tax_exempt: tax.reason === 'reverse_charge' ? 'reverse' : 'none',
      tax_ids: taxId === null ? [] : [{ type, value: taxId }],
    },
  });
  const customer = store.find('customer', String(session.customer));
  if (customer) store.change(customer, { address, name: text('company') });
}

const TAX_ID_TYPES: Partial<Record<string, string>> = { CH: 'ch_vat', GB: 'gb_vat', US: 'us_ein' };

/** `POST /v1/tax/calculations`: the tax of a payment by a saved card. */
export function createCalculation(store: Store, form: Members, idempotencyKey: string | undefined): StripeObject {
  const items = Object.values((form.line_items ?? {}) as Record<string, { amount?: string }>);
  const customer = (form.customer_details ?? {}) as {
    address?: { country?: string };
    tax_ids?: Record<string, { type: string }>;
  };
  const country = customer.address?.country;
  if (!country || !/^[A-Z]{2}$/.test(country))
    throw new StripeRefusal(
      400,
      'customer_tax_location_invalid',
      "We could not determine the customer's tax location based on the provided customer address.",
      'customer_details[address]',
    );
  const amount = items.reduce((sum, item) => sum + Number(item.amount), 0);
  const taxIdType = Object.values(customer.tax_ids ?? {})[0]?.type;
  const tax = taxOf(amount, { country, taxIdType });
  const members = {
    currency: form.currency,
    amount_total: amount + tax.cents,
    tax_amount_exclusive: tax.cents,
    tax_amount_inclusive: 0,
    tax_breakdown: [{ amount: tax.cents, inclusive: false, taxability_reason: tax.reason, taxable_amount: amount }],
    line_items: items,
  };
  return store.create('tax.calculation', 'taxcalc', members, idempotencyKey);
}

/** The tax report's line of a payment, or of a part of it that went back. */
export function reportTax(store: Store, intent: StripeObject, type: 'transaction' | 'reversal', share = 1): void {
  const id = (intent.hooks as { inputs?: { tax?: { calculation?: string } } } | undefined)?.inputs?.tax?.calculation;
  const calculation = id === undefined ? undefined : store.find('tax.calculation', id);
  if (!calculation) return;
  const cents = Math.round(Number(calculation.tax_amount_exclusive) * share);
  store.create('tax.transaction', 'tax', { type, reference: intent.id, tax: type === 'reversal' ? -cents : cents });
}
