import { z } from 'zod';
import { type RouteDoc, pageOf } from '../http/documentedRoute.ts';
import { LedgerQuery } from './billingSchema.ts';

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
      '`topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a failed run that is not billed.',
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

const LedgerPage = pageOf(LedgerEntry);

/** Documentation of the balance and the ledger. */
export const balanceDocs = {
  retrieveBalance: {
    tag: 'Billing',
    summary: 'Read the balance',
    answer: { id: 'Balance', schema: Balance },
  },
  listLedger: {
    tag: 'Billing',
    summary: 'List the entries of the ledger',
    description: 'Newest first. Send `next_cursor` as `cursor` for the next page.',
    query: LedgerQuery,
    answer: { id: 'LedgerPage', schema: LedgerPage },
  },
} satisfies Record<string, RouteDoc>;
