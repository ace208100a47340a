import { z } from 'zod';
import { pageQuery } from '../http/page.ts';
import { timeRange } from '../body/timeRange.ts';
import { usdAmount } from '../body/usdAmount.ts';

export const WorkspaceQuery = z.strictObject({
  query: z.string().trim().min(1).max(100).optional().describe('The id of a workspace, or a part of its name.'),
  ...pageQuery,
});

export const AuditQuery = z.strictObject({
  workspace: z.string().min(1).max(100).optional(),
  action: z.string().min(1).max(100).optional(),
  subject: z.string().min(1).max(100).optional().describe('The id of what was changed.'),
  person: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Who did it: the id of a person or key, a mail address, or a part of a person’s name.'),
  ...timeRange,
  ...pageQuery,
});

const AMOUNT_USD_MAX = 100_000;

export const AdjustmentBody = z.strictObject({
  workspace_id: z.string().min(1).max(100),
  amount_usd: usdAmount
    .min(-AMOUNT_USD_MAX)
    .max(AMOUNT_USD_MAX)
    .refine((usd) => usd !== 0, 'must not be zero')
    .describe('What is added to the balance; below zero, what is taken away.'),
  reason: z.string().trim().min(1).max(500).describe('Kept in the ledger with the entry.'),
});

export const AdjustmentQuery = z.strictObject({
  status: z.enum(['pending', 'approved', 'rejected']).optional(),
  workspace: z.string().min(1).max(100).optional(),
  ...pageQuery,
});

const text = z.string().trim().min(1).max(500);

export const PayoutListQuery = z.strictObject({
  status: z.enum(['paid', 'requested', 'sent', 'rejected']).optional(),
  workspace: z.string().min(1).max(100).optional(),
  ...pageQuery,
});

export const SentBody = z.strictObject({ reference: text.describe('The bank’s reference of the transfer.') });

export const RejectedBody = z.strictObject({ reason: text.describe('The publisher reads it.') });
