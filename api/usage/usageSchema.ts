import { z } from 'zod';
import { USAGE_GROUPS } from '../../db/accounting/usageReport.ts';
import { timeRange } from '../body/timeRange.ts';
import { MINUTES_RANGE_HOURS } from './usageRange.ts';

const GROUPS_PER_QUERY = 2;

export const group = z.enum(USAGE_GROUPS);

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
    .describe(
      `One or two of ${known}, separated by a comma. By minute, a range has at most ${MINUTES_RANGE_HOURS} hours.`,
    ),
  ...timeRange,
  model: z.string().min(1).max(200).optional(),
  key: z.string().min(1).max(100).optional().describe('The id or the prefix of a key.'),
  format: z.enum(['json', 'csv']).default('json'),
});
