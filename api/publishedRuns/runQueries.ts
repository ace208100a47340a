import { z } from 'zod';
import { FINAL_STATUSES } from '../../db/entities/runStates.ts';
import { queryFlag } from '../body/queryFlag.ts';
import { timeRange } from '../body/timeRange.ts';
import { pageQuery } from '../http/page.ts';

const id = z.string().min(1).max(100);

const whose = z
  .enum(['callers', 'own', 'all'])
  .default('callers')
  .describe('Runs of other workspaces, of the publisher’s own one, or both. Trials of reviews are in none.');

/** Whose fault a failure is. */
export const faults = z.enum(['agent', 'caller', 'platform', 'provider']);

/** The query of an agent's runs. */
export const PublishedRunsQuery = z.strictObject({
  ...pageQuery,
  whose,
  status: z.enum(FINAL_STATUSES).optional(),
  error_code: z.string().min(1).max(100).optional().describe('Why they failed, or which limit they reached.'),
  fault: faults.optional().describe('Of failed runs.'),
  version_id: id.optional(),
  caller_id: z.string().min(1).max(500).optional().describe('Of one caller, as the list names it.'),
  shared: queryFlag.optional().describe('Whether their callers share the content.'),
  ...timeRange,
});

/** The query of an agent's figures. */
export const MetricsQuery = z.strictObject({
  whose,
  interval: z
    .enum(['hour', 'day'])
    .optional()
    .describe('Of `data`: an hour for a range of up to three days, else a day.'),
  ...timeRange,
});

export const StepsQuery = z.strictObject(pageQuery);
