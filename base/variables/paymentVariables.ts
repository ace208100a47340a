import * as z from 'zod';
import { address, oneOf, wholeNumber } from './variableTypes.ts';

const sellerText = z.string().min(1).max(400);

/** How customers pay and publishers are paid. */
export const PAYMENTS = {
  EARNINGS_MATURE_DAYS: wholeNumber(0, 365)
    .default(14)
    .meta({ about: 'Days before earnings of agents can be paid out: as long as card payments are often taken back' }),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(live|test)_\w+$/, 'must be sk_live_, sk_test_, rk_live_ or rk_test_ and what follows')
    .optional()
    .meta({ isSecret: true, about: "Stripe's secret key", unset: 'npm start runs a page for test payments' }),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+(,\s*whsec_\w+)*$/, 'must be whsec_ and what follows; several have commas between')
    .optional()
    .meta({
      isSecret: true,
      about: 'What signs the events of Stripe; while it is rotated, the old one follows after a comma',
    }),
  STRIPE_API_URL: address('https?', 'http://127.0.0.1:12111')
    .optional()
    .meta({ about: "Another address that speaks Stripe's API, for tests", unset: 'Stripe' }),
  STRIPE_WEBHOOK_URL: address('https?', 'http://127.0.0.1:4000/platform/v1/billing/stripe/webhook')
    .optional()
    .meta({ about: 'Where the test payments send their events', unset: 'npm start sets it' }),
  STRIPE_TAX: oneOf('on', 'off').default('off').meta({ about: 'Whether Stripe Tax adds tax to payments: on or off' }),
  SELLER_NAME: sellerText.default('Ledgerline').meta({ about: 'Who sells, on invoices' }),
  SELLER_ADDRESS: sellerText.optional().meta({
    about: "The seller's address on invoices, with a semicolon between its lines",
    unset: 'invoices show none',
  }),
  SELLER_TAX_ID: sellerText
    .optional()
    .meta({ about: "The seller's tax number on invoices", unset: 'invoices show none' }),
  SELLER_EMAIL: z.email('must be a mail address').optional().meta({
    about: 'Where customers ask about invoices',
    unset: 'invoices show none',
  }),
  INVOICE_PREFIX: z
    .string()
    .regex(/^[A-Z0-9][A-Z0-9-]{0,19}$/, 'must be up to 20 capital letters, digits and hyphens')
    .default('INV-')
    .meta({ about: 'What stands before the number of an invoice; TEST- stands before those of tests' }),
  TEST_PAYMENTS_PORT: wholeNumber(0, 65_535)
    .default(0)
    .meta({ about: 'Port of the page for test payments', unset: 'any free one' }),
};
