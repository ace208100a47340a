import { z } from 'zod';
import { FINAL_STATUSES } from '../../db/entities/runStates.ts';
import { costUsd, version } from '../../orders/order.ts';
import { runFilters } from './runSchema.ts';

const RUNS_MAX = 100;
const { status: _status, ...filters } = runFilters;
const usd = z.number().describe('US dollars.');
const replayable = z.enum(FINAL_STATUSES).exclude(['completed']);

/** Which ended runs are repeated, and how. */
export const ReplayOrder = z.strictObject({
  ...filters,
  status: z.array(replayable).min(1).max(3).default(['failed']).describe('Of runs that have ended so.'),
  replay_version: version
    .optional()
    .describe('The version that repeats them: a date label or `aver_…`; that of each run when left out.'),
  max_cost_usd: costUsd.optional().describe('For each run; the limit of the run that it repeats when left out.'),
  limit: z.int().min(1).max(RUNS_MAX).default(RUNS_MAX),
  cursor: z.string().max(200).optional().describe('The `next_cursor` of the last answer.'),
});

const next = {
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('Send it as `cursor` for the next runs that fit.'),
};

/** What a replay would cost. */
export const ReplayQuote = z.object({
  object: z.literal('run.replay_quote'),
  count: z.int().describe('Runs that would be repeated, of this page.'),
  refused: z.int().describe('Runs that cannot be repeated: their agent, version or limit is gone.'),
  p50_usd: usd.nullable().describe('The sum of what half of such runs cost at most. Null when too few are known.'),
  p90_usd: usd.nullable(),
  max_usd: usd.describe('They cost at most this together, and this is held when they start.'),
  run_ids: z.array(z.string()),
  ...next,
});

/** What a replay has started. */
export const Replay = z.object({
  object: z.literal('run.replay'),
  data: z.array(
    z.object({
      run_id: z.string().describe('The run that is repeated.'),
      new_run_id: z.string().nullable().describe('Null when it was refused.'),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  stopped_by: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why it ended before the last run: no money, or too many open runs. Go on later, at `next_cursor`.'),
  ...next,
});
