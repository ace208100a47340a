import { z } from 'zod';
import { REFUSAL_DAYS } from '../../db/accounting/refusals.ts';
import { group } from './usageSchema.ts';

const sums = {
  requests: z.int().describe('Calls that have ended.'),
  runs: z.int().describe('Runs of agents that have ended.'),
  errors: z.int().describe('Calls that failed, and runs. Calls whose clients disconnected are none.'),
  cost_usd: z.number(),
};

/** The number of answers with a code. */
export const RefusalCount = z.object({
  status: z.int(),
  code: z.string(),
  calls: z.int(),
  message: z.string().describe('Of the last one.'),
  last_request_id: z.string(),
});

export const UsageReport = z.object({
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
      'Calls that were refused or failed, by status and code, the most frequent first: they are kept for ' +
        `${REFUSAL_DAYS} days. Refused calls are in no other number of this report.`,
    ),
});
