import { z } from 'zod';
import { KEY_POINTER } from '../../db/runs/flow/lanes.ts';
import { agentName } from '../../orders/order.ts';

const DAY_SECONDS = 86_400;
const POINTER_CHARACTERS_MAX = 200;

const key = z
  .string()
  .max(POINTER_CHARACTERS_MAX)
  .regex(KEY_POINTER, 'A key is a JSON pointer below /metadata or /input/data, such as /metadata/customer_id.')
  .nullable()
  .default(null)
  .describe(
    'A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are ' +
      'counted together, and so are those without one. Null: all runs of the agent.',
  );

const concurrency = z
  .strictObject({
    limit: z.int().min(1).max(1_000).describe('Further runs wait in a queue.'),
    key,
  })
  .nullable()
  .describe('How many runs of the agent run at once.');

const rate = z
  .strictObject({
    limit: z.int().min(1).max(1_000),
    period_seconds: z.int().min(1).max(DAY_SECONDS).describe('At most `limit` runs start within any such period.'),
    key,
    when_exceeded: z
      .enum(['queue', 'refuse'])
      .default('queue')
      .describe('`queue`: further runs wait (throttle). `refuse`: 429 `run_rate_exceeded` with `retry-after`.'),
  })
  .nullable()
  .describe('How many runs of the agent start in a period.');

const hasOne = ({ concurrency: one, rate: other }: { concurrency?: unknown; rate?: unknown }) => Boolean(one ?? other);
const NEEDS_ONE = { path: ['concurrency'], message: 'A rule has a concurrency, a rate, or both.' };

export const NewFlowRuleBody = z
  .strictObject({
    agent: agentName.describe('`<namespace>/<slug>`: the runs of this agent that the workspace orders.'),
    concurrency: concurrency.default(null),
    rate: rate.default(null),
  })
  .refine(hasOne, NEEDS_ONE);

export const FlowRuleChangeBody = z
  .strictObject({ concurrency, rate })
  .partial()
  .describe('What is sent is replaced as a whole; null removes it.');

export const FlowRuleAnswer = z.object({
  id: z.string(),
  object: z.literal('flow_rule'),
  agent: z.string(),
  concurrency: z.object({ limit: z.int(), key: z.string().nullable() }).nullable(),
  rate: z
    .object({
      limit: z.int(),
      period_seconds: z.int(),
      key: z.string().nullable(),
      when_exceeded: z.enum(['queue', 'refuse']),
    })
    .nullable(),
  created_at: z.iso.datetime(),
});

export const FlowRuleList = z.object({ object: z.literal('list'), data: z.array(FlowRuleAnswer) });

export const DeletedFlowRule = z.object({ id: z.string(), object: z.literal('flow_rule'), deleted: z.literal(true) });
