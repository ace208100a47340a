import { z } from 'zod';
import { pageOf } from '../http/documentedRoute.ts';
import { pageQuery } from '../http/page.ts';
import { DETAILS } from './detailsSchema.ts';

const [usd, text] = [z.number(), z.string().nullable()];

export const InvoiceQuery = z.strictObject(pageQuery);

const InvoiceSummary = z.object({
  id: z.string(),
  object: z.literal('invoice'),
  number: z.string().describe('Without gaps within the installation; those of test workspaces begin with `TEST-`.'),
  month: z.string().describe('`YYYY-MM`, UTC.'),
  status: z.literal('paid').describe('Credit is paid when it is bought, so nothing is due.'),
  currency: z.literal('USD'),
  is_test: z.boolean(),
  net_usd: usd.describe('Credit that was bought, less what was refunded or disputed.'),
  tax_usd: usd.describe('On that credit.'),
  total_usd: usd.describe('What was paid: net and tax.'),
  opening_balance_usd: usd,
  usage_usd: usd.describe('What calls and runs used of the balance. It is not charged again.'),
  closing_balance_usd: usd,
  created_at: z.iso.datetime(),
});

const InvoiceLine = z.object({
  type: z.enum(['payment', 'refund', 'dispute', 'adjustment', 'payout', 'usage']),
  amount_usd: usd.describe('Signed by its effect on the balance: all lines add up to its change.'),
  tax_usd: usd.nullable().describe('Paid or returned with the amount; null where there is no tax.'),
  tax_reason: text.describe('Why no tax is due, such as `reverse_charge`.'),
  source: z.enum(['checkout', 'auto']).nullable(),
  reference: text.describe('The payment, or the subject of the ledger’s entry.'),
  at: z.iso.datetime().nullable(),
  product: text,
  name: text.describe('The model or agent of usage.'),
  requests: z.int().nullable(),
});

export const InvoiceAnswer = InvoiceSummary.extend({
  seller: z.object({ name: z.string(), address: z.array(z.string()), tax_id: text, email: text }),
  customer: z.object({ workspace_name: z.string(), ...DETAILS }),
  lines: z.array(InvoiceLine),
});

export const InvoicePage = pageOf(InvoiceSummary);
