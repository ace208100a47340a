import { z } from 'zod';
import { USAGE_GROUPS } from '../../db/accounting/usageReport.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { REFUSAL_DAYS } from '../../db/accounting/refusals.ts';
import { timeRange } from '../body/timeRange.ts';

const GROUPS_PER_QUERY = 2;
const group = z.enum(USAGE_GROUPS);
const known = USAGE_GROUPS.map((name) => `\`${name}\``).join(', ');

/** Query of `GET /platform/v1/usage`. */
export const UsageReportQuery = z.strictObject({
  group_by: z
    .string()
    .default('day')
    .transform((text) => text.split(','))
    .pipe(
      z
        .array(group)
        .max(GROUPS_PER_QUERY)
        .refine((names) => new Set(names).size === names.length, 'The two groups are different ones.'),
    )
    .describe(`One or two of ${known}, separated by a comma.`),
  ...timeRange,
  model: z.string().min(1).max(200).optional(),
  key: z.string().min(1).max(100).optional().describe('The id or the prefix of a key.'),
  format: z.enum(['json', 'csv']).default('json'),
});

const sums = {
  requests: z.int().describe('Calls that have ended.'),
  runs: z.int().describe('Runs of agents that have ended.'),
  errors: z.int().describe('Calls that failed, and runs. Calls whose clients disconnected are none.'),
  cost_usd: z.number(),
};

/** How often a code was answered. */
export const RefusalCount = z.object({
  status: z.int(),
  code: z.string(),
  calls: z.int(),
  message: z.string().describe('Of the last one.'),
  last_request_id: z.string(),
});

const UsageReport = z.object({
  object: z.literal('usage'),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  group_by: z.array(group),
  data: z.array(
    z.looseObject({
      label: z.string().optional().describe('The name of the key, agent or member.'),
      ...sums,
      units: z.array(z.object({ unit: z.string(), quantity: z.number() })),
    }),
  ),
  total: z.object(sums),
  errors_by_code: z
    .array(RefusalCount)
    .describe(
      `Calls that were refused or failed, by status and code, the most frequent first: they are kept for ${REFUSAL_DAYS} days. Refused calls are in no other number of this report.`,
    ),
});

/** Documentation of usage reports. */
export const usageReportDoc = {
  tag: 'Billing',
  summary: 'Read what was used, grouped',
  description:
    'Calls and runs of all products. An entry has a member for each group, null where the group does not apply: a run has no model, a call no agent. The total is the sum of the ledger’s debits, refunds and corrections of the same time, to the nano-USD. The meter `rounding` is what remains of bills after their units: rounding, refunds, and amounts above a hold that were not charged. Without `from`, the last 30 days.',
  query: UsageReportQuery,
  answer: { id: 'UsageReport', schema: UsageReport },
  alsoAs: ['text/csv'],
} satisfies RouteDoc;
