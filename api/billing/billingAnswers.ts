import { z } from 'zod';
import { COUNTED_MAX } from '../../db/postgres/countedRows.ts';
import { PRODUCTS } from '../../db/catalog/products.ts';

const usd = z.number();

export const Balance = z.object({
  balance_usd: usd,
  held_usd: usd.describe(
    'What running calls and runs may still cost, at most. Calls of other server processes are counted within a second.',
  ),
  available_usd: usd,
});

export const LedgerEntry = z.object({
  id: z.string(),
  object: z.literal('ledger.entry'),
  kind: z
    .string()
    .describe(
      '`topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of ' +
        'earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a ' +
        'failed run that is not billed.',
    ),
  amount_usd: usd,
  balance_after_usd: usd.nullable().describe('Null where the entry does not change the balance.'),
  request_id: z.string().nullable(),
  run_id: z.string().nullable(),
  key_prefix: z.string().nullable(),
  model: z.string().nullable().describe('Of the call.'),
  route: z.string().nullable(),
  agent: z.string().nullable().describe('Of the run: `<namespace>/<slug>`.'),
  receipt_url: z.string().nullable().describe('The receipt of a payment.'),
  created_at: z.iso.datetime(),
  hash: z
    .string()
    .nullable()
    .describe('Hash of the entry and of the previous hash. Null where the entry does not change the balance.'),
  prev_hash: z.string().nullable(),
});

export const LedgerTotals = z.object({
  object: z.literal('ledger.totals'),
  count: z.int().describe('Entries of the list.'),
  amount_usd: usd.nullable().describe('The sum of the entries that change the balance; null when `is_capped`.'),
  beside_usd: usd
    .nullable()
    .describe('The sum of the others: earnings of agents, and costs of failed runs that are not billed.'),
  is_capped: z.boolean().describe(`There are more than ${COUNTED_MAX} entries: they are not counted further.`),
});

const time = z.iso.datetime();

export const StatementRow = z.object({
  line: z.enum(['opening_balance', 'topups', 'refunds', 'adjustments', 'payouts', 'spend', 'closing_balance']),
  label: z.string(),
  product: z.enum(PRODUCTS).nullable(),
  name: z.string().nullable().describe('The model or agent of a spend line.'),
  requests: z.int().nullable(),
  amount_usd: usd.describe('Signed by its effect on the balance.'),
});

export const AccountStatementAnswer = z.object({
  object: z.literal('statement'),
  month: z.string(),
  currency: z.literal('USD'),
  opening_balance_usd: usd,
  topups_usd: usd,
  refunds_usd: usd.describe('Payments that were refunded or disputed: below zero.'),
  adjustments_usd: usd.describe('Changes by operators, and credit of the first start.'),
  payouts_usd: usd.describe('Earnings of agents that were paid out to the balance.'),
  spend: z.array(
    z.object({
      product: z.enum(PRODUCTS),
      model: z.string().nullable(),
      agent: z.string().nullable(),
      requests: z.int().describe('Calls or runs that were billed.'),
      cost_usd: usd.describe('Their bills, less what was refunded.'),
    }),
  ),
  spend_by_project: z
    .array(z.object({ project_id: z.string(), name: z.string(), requests: z.int(), cost_usd: usd }))
    .describe('The same spending by project, the largest first: it adds up to `spend_usd` too.'),
  spend_usd: usd,
  closing_balance_usd: usd.describe(
    'Opening balance + top-ups + refunds + adjustments + payouts - spend, exactly. Of a month that has not ended: up to now.',
  ),
  rows: z
    .array(StatementRow)
    .describe('The same as the rows of the CSV and the PDF: all before the last one sum up to the closing balance.'),
  earnings_usd: usd.describe('What agents of the workspace earned. It is beside the balance, and in no row.'),
});

export const TopupAnswer = z.object({
  id: z.string(),
  object: z.literal('topup'),
  source: z.enum(['checkout', 'auto']),
  status: z.enum(['open', 'processing', 'paid', 'failed', 'expired']),
  amount_usd: usd.describe('What the balance gets.'),
  tax_usd: usd.nullable().describe('On top of it, once it is paid; null where no tax is added.'),
  total_usd: usd.describe('What is paid: amount and tax.'),
  refunded_usd: usd.describe('Of the amount.'),
  disputed_usd: usd,
  returned_tax_usd: usd.describe('The tax that went back with it, in proportion.'),
  receipt_url: z.string().nullable().describe('Stripe’s receipt.'),
  created_at: time,
  paid_at: time.nullable(),
});

export const AutoTopupAnswer = z.object({
  enabled: z.boolean(),
  threshold_usd: usd.nullable().describe('The card pays when the balance falls below this.'),
  amount_usd: usd.nullable().describe('How much it pays each time.'),
  monthly_cap_usd: usd.nullable().describe('The most it pays in a month (UTC).'),
  spent_this_month_usd: usd,
  card: z.object({ brand: z.string(), last4: z.string() }).nullable().describe('Null before a card is saved.'),
  last_error: z
    .string()
    .nullable()
    .describe('Why the card was declined the last time, or that it was removed; null once one has paid.'),
});

export const CheckoutSession = z.object({
  url: z.string().describe('The page where it is paid.'),
  session_id: z.string(),
  amount: z.number().describe('In US dollars.'),
});

export const CardSession = CheckoutSession.omit({ amount: true });

export const WebhookAnswer = z.object({
  received: z.literal(true),
  outcome: z
    .enum(['credited', 'noted', 'repeated', 'ignored', 'unknown', 'mismatch'])
    .describe('What came of the event. `unknown` and `mismatch` credit nothing.'),
});

const proof = z.array(z.string()).describe('Hexadecimal SHA-256, from the leaf to the root, as in RFC 6962.');

const Day = z.object({
  leaf: z
    .string()
    .describe('JSON, to be hashed as these bytes: the account at the end of the day, and the root of its entries.'),
  index: z.int(),
  proof,
});

const Root = z.object({
  signed: z
    .string()
    .describe('JSON, signed as these bytes: the day, the root over all accounts, and the hash of the root before.'),
  signature: z.string().describe('Ed25519, in base64. The keys: `/.well-known/ledgerline-bill-keys.json`.'),
});

export const ReceiptAnswer = z.object({
  object: z.literal('receipt'),
  id: z.string(),
  status: z
    .enum(['signed', 'pending', 'not_billed'])
    .describe('`pending`: the day of an entry has no signed root yet. `not_billed`: nothing was charged.'),
  entries: z.array(
    z.object({
      entry: LedgerEntry,
      due_at: z.iso.datetime().nullable().describe('When the root of its day is due; null once it is signed.'),
      leaf: z
        .string()
        .describe(
          'JSON, to be hashed as these bytes: the fields of the entry’s hash, and what the call or run consumed.',
        ),
      index: z.int().nullable().describe('Its place among the day’s entries, from 0.'),
      proof: proof.nullable(),
      day: Day.nullable(),
      root: Root.nullable(),
    }),
  ),
});

export const PublishedKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
      valid_from: z.iso.datetime(),
      valid_until: z.iso.datetime().nullable().describe('When the next key replaced it; null for the current one.'),
    }),
  ),
});

export const PublishedRoot = Root.extend({ date: z.string() });
