import { z } from 'zod';
import { isPrintable } from '../../base/pdf/printable.ts';
import { TAX_ID_TYPES } from './taxIds.ts';

const UNPRINTABLE =
  'Invoices are printed in Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew or Arabic letters: write it with them.';

const line = (charactersMax: number) => z.string().trim().min(1).max(charactersMax).refine(isPrintable, UNPRINTABLE);

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
// Groups of countries and codes without a country, which have names too.
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be a country code of ISO 3166: two capital letters')
  .refine((code) => !NO_COUNTRIES.has(code) && isNamed(code), 'is no country of ISO 3166');

function isNamed(code: string): boolean {
  try {
    return COUNTRIES.of(code) !== undefined;
  } catch {
    // Not two letters, which the form says already.
    return true;
  }
}

const fields = {
  company: line(200).describe('The name on invoices; without it the workspace’s.'),
  line1: line(200),
  line2: line(200),
  city: line(100),
  region: line(100).describe('State, province or county.'),
  postal_code: line(20),
  country: country.describe('ISO 3166, two letters.'),
  tax_id: z
    .strictObject({
      type: z.enum(TAX_ID_TYPES as [string, ...string[]]).describe('A type of Stripe’s tax IDs, such as `eu_vat`.'),
      value: line(60),
    })
    .describe('The form of the value is checked for common types.'),
  purchase_order: line(100).describe('Stands on each invoice.'),
  email: z
    .email()
    .max(254)
    .describe('Of accounts payable: gets the invoices. Without it owners and finance people do.'),
};

type Fields = typeof fields;
type Nullable = { [Name in keyof Fields]: z.ZodOptional<z.ZodNullable<Fields[Name]>> };

export const DetailsChangeBody = z
  .strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.nullable().optional()])) as Nullable,
  )
  .describe('What is sent is changed; null removes it. Invoices that were issued before keep what they say.');

const text = z.string().nullable();

/** What billing details say in an answer; an invoice keeps a copy of them. */
export const DETAILS = {
  company: text,
  line1: text,
  line2: text,
  city: text,
  region: text,
  postal_code: text,
  country: text,
  tax_id: z.object({ type: z.string(), value: z.string() }).nullable(),
  purchase_order: text,
  email: text,
};

export const DetailsAnswer = z.object({
  object: z.literal('billing_details'),
  ...DETAILS,
  updated_at: z.iso.datetime().nullable().describe('Null before they are first set.'),
});
