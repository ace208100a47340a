import { z } from 'zod';
import type { Percentiles } from '../../db/accounting/callLatency.ts';

/** The median and the 95th percentile of times, in whole milliseconds. */
export const percentiles = z.object({ p50: z.int(), p95: z.int() }).nullable();

/** Percentiles as answers have them. */
export const presentPercentiles = (found: Percentiles): z.infer<typeof percentiles> =>
  found && { p50: found[0], p95: found[1] };
