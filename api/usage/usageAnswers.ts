import { z } from 'zod';
import { REFUSAL_DAYS } from '../../db/accounting/refusals.ts';
import { percentiles } from './percentiles.ts';
import { errorGroup, group, latencyGroup } from './usageSchema.ts';

const sums = {
  requests: z.int().describe('Calls that have ended.'),
  runs: z.int().describe('Runs of agents that have ended.'),
  errors: z.int().describe('Calls that failed, and runs. Calls whose clients disconnected are none.'),
  cost_usd: z.number(),
};

const label = z.string().optional().describe('The name of the key, agent, member or project.');

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
      label,
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

const latency = {
  requests: z.int().describe('Calls that succeeded.'),
  duration_ms: percentiles.describe('From the beginning of a call to the end of its answer; null without a call.'),
  first_byte_ms: percentiles.describe(
    'Of streams, from the beginning of a call to its first event: the time to first token. Null without a stream.',
  ),
};

export const LatencyReport = z.object({
  object: z.literal('usage.latency'),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  group_by: z.array(latencyGroup),
  data: z.array(z.looseObject({ label, ...latency })),
  total: z.object(latency),
});

const errors = {
  calls: z.int().describe('Refused and failed ones.'),
  refused: z.int().describe('Calls that were refused before anything ran.'),
  failed: z.int().describe('Calls that ran and failed.'),
};

export const ErrorReport = z.object({
  object: z.literal('usage.errors'),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  refused_since: z.iso
    .datetime()
    .describe(
      `Refused calls and codes are kept for ${REFUSAL_DAYS} days: before this time there are only failed calls, with the code null.`,
    ),
  group_by: z.array(errorGroup),
  data: z.array(z.looseObject({ label, ...errors })),
  total: z.object(errors),
});
