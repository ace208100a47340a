import { z } from 'zod';
import { TIME_GROUPS, isTime } from '../../db/accounting/callGroups.ts';
import { ERROR_DIMENSIONS } from '../../db/accounting/callErrors.ts';
import { LATENCY_DIMENSIONS } from '../../db/accounting/callLatency.ts';
import { USAGE_GROUPS } from '../../db/accounting/usageReport.ts';
import { timeRange } from '../body/timeRange.ts';
import { MINUTES_RANGE_HOURS } from './usageRange.ts';

const model = z.string().min(1).max(200).optional();

const key = z.string().min(1).max(100).optional().describe('The id or the prefix of a key.');

const project = z.string().min(1).max(100).optional().describe('The id of a project; `default` for the default one.');

const GROUPS_PER_QUERY = 2;

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

export const group = z.enum(USAGE_GROUPS);

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
      `One or two of ${quoted(USAGE_GROUPS)}, separated by a comma. By minute, a range has at most ${MINUTES_RANGE_HOURS} hours.`,
    ),
  ...timeRange,
  model,
  key,
  project,
  format: z.enum(['json', 'csv']).default('json'),
});

/** A query of calls, grouped by a time, a dimension, or both, separated by a comma. The time comes first. */
const callsQuery = <Dimension extends string>(dimensions: readonly [Dimension, ...Dimension[]]) =>
  z.strictObject({
    group_by: z
      .string()
      .default('day')
      .transform((text) => text.split(','))
      .pipe(
        z
          .array(z.enum([...TIME_GROUPS, ...dimensions]))
          .max(GROUPS_PER_QUERY)
          .refine(
            (names) => names.filter(isTime).length <= 1 && names.filter((name) => !isTime(name)).length <= 1,
            'Group by one time and one other group.',
          ),
      )
      .transform((names) => names.toSorted((one, other) => Number(isTime(other)) - Number(isTime(one))))
      .describe(
        `A time (${quoted(TIME_GROUPS)}), one of ${quoted(dimensions)}, or both, separated by a comma. By minute, a range has at ` +
          `most ${MINUTES_RANGE_HOURS} hours.`,
      ),
    ...timeRange,
    model,
    key,
    project,
  });

export const latencyGroup = z.enum([...TIME_GROUPS, ...LATENCY_DIMENSIONS]);

/** Query of `GET /platform/v1/usage/latency`. */
export const LatencyQuery = callsQuery(LATENCY_DIMENSIONS);

export const errorGroup = z.enum([...TIME_GROUPS, ...ERROR_DIMENSIONS]);

/** Query of `GET /platform/v1/usage/errors`. */
export const ErrorQuery = callsQuery(ERROR_DIMENSIONS);
