import { z } from 'zod';
import { listFormat } from '../http/csvList.ts';
import { pageQuery } from '../http/page.ts';
import { month, timeRange } from '../body/timeRange.ts';
import { isWholeCents } from '../../db/money.ts';
import { usdAmount } from '../body/usdAmount.ts';
import { TOPUP_USD_MAX, TOPUP_USD_MIN } from '../../base/limits.ts';

const ledgerFilters = {
  kind: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'A kind is a word as entries show it: topup, debit, refund, …')
    .optional(),
  key: z.string().min(1).max(100).optional().describe('The id or the prefix of a key: entries of its calls and runs.'),
  ...timeRange,
};

export const LedgerQuery = z.strictObject({ ...ledgerFilters, ...pageQuery, format: listFormat });

export const LedgerTotalsQuery = z.strictObject(ledgerFilters);

export const StatementQuery = z.strictObject({
  month: month.optional().describe('A month of UTC, `YYYY-MM`; the current one unless sent.'),
  format: z
    .enum(['json', 'csv', 'pdf', 'jsonl'])
    .default('json')
    .describe('`jsonl`: each entry with its hash, and the signed roots of the days, to be checked offline.'),
});

export const TopupQuery = z.strictObject(pageQuery);

const AMOUNT = `Send an amount in US dollars from ${TOPUP_USD_MIN} to ${TOPUP_USD_MAX} with at most two decimals.`;

const amount = z.number(AMOUNT).min(TOPUP_USD_MIN, AMOUNT).max(TOPUP_USD_MAX, AMOUNT).refine(isWholeCents, AMOUNT);

/** Part 4.1 of the specification: one amount and no other member. */
export const CheckoutBody = z.strictObject({ amount });

/** The limits of the automatic top-up: threshold, amount and monthly maximum. */
const AUTO_TOPUP_AMOUNTS = {
  threshold_usd: usdAmount.min(1).max(500).describe('The card pays when the balance falls below this.'),
  amount_usd: amount.describe('How much it pays each time.'),
  monthly_cap_usd: usdAmount.min(TOPUP_USD_MIN).max(100_000).describe('The most it pays in a month (UTC).'),
};

export const AutoTopupChangeBody = z.strictObject({
  enabled: z.boolean().optional(),
  ...z.object(AUTO_TOPUP_AMOUNTS).partial().shape,
});

const AutoTopup = z
  .strictObject(AUTO_TOPUP_AMOUNTS)
  .refine(({ amount_usd, monthly_cap_usd }) => amount_usd <= monthly_cap_usd, {
    path: ['monthly_cap_usd'],
    error: 'The cap of a month is smaller than one payment.',
  });

export const CardBody = z.strictObject({
  return_url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    // `https://ledgerline.example@evil.example` looks like an address of ledgerline.example.
    .refine((url) => !/^[a-z]+:[/\\]*[^/?#\\]*@/i.test(url), 'must have no user name')
    .optional()
    .describe('Where the page leads back to. A member in the console comes back to the console, whatever is sent.'),
  auto_topup: AutoTopup.optional().describe(
    'The card pays by itself once it is saved. Without it, what is set stays: the card pays nothing unless that is on already.',
  ),
});

export const Day = z.iso.date('must be a day, YYYY-MM-DD');

const ROOTS_MAX = 400;

export const RootsQuery = z.strictObject({
  before: Day.optional().describe('Only roots of days before this one.'),
  limit: z.coerce.number().int().min(1).max(ROOTS_MAX).default(31),
});
