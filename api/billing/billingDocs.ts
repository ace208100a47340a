import { z } from 'zod';
import { PRODUCTS } from '../../db/catalog/products.ts';
import { type RouteDoc, pageOf } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import { AutoTopupChangeBody, StatementQuery, TopupQuery } from './billingSchema.ts';

const TAG = 'Billing';
const usd = z.number();
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
  amount_usd: usd,
  refunded_usd: usd,
  disputed_usd: usd,
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
  last_error: z.string().nullable().describe('Why the card was declined the last time; null once it has paid.'),
});

/** Documentation of statements, payments and the automatic top-up. */
export function billingDocs() {
  return {
    statement: {
      tag: TAG,
      summary: 'Read the statement of a month',
      description:
        'How the balance moved in a month (UTC), and the spend by product: exact, as the ledger has it. As JSON, CSV or PDF; or as lines of JSON with every entry, the hashes and the signed roots, which `docs/examples/checkStatement.ts` checks offline.',
      query: StatementQuery,
      answer: { id: 'AccountStatement', schema: AccountStatementAnswer },
      alsoAs: ['text/csv', 'application/pdf', 'application/jsonl'],
      answerHeaders: { ...headers.NAMED },
    },
    topups: {
      tag: TAG,
      summary: 'List payments into the balance',
      description: 'Newest first, with what was refunded or disputed of each, and its receipt.',
      query: TopupQuery,
      answer: { id: 'TopupPage', schema: pageOf(TopupAnswer) },
    },
    retrieveAutoTopup: {
      tag: TAG,
      summary: 'Read the automatic top-up',
      answer: { id: 'AutoTopup', schema: AutoTopupAnswer },
    },
    changeAutoTopup: {
      tag: TAG,
      summary: 'Change or stop the automatic top-up',
      description:
        'Changes what is sent; `enabled: false` stops it. Earlier declines are forgotten. 409 `no_card` before a card is saved: `POST /platform/v1/billing/card`.',
      input: {
        id: 'AutoTopupChange',
        schema: AutoTopupChangeBody,
        example: { enabled: true, threshold_usd: 10, amount_usd: 25, monthly_cap_usd: 100 },
      },
      answer: { id: 'AutoTopup', schema: AutoTopupAnswer },
      errors: [409],
    },
  } satisfies Record<string, RouteDoc>;
}
