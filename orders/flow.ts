import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { newFlowOf, type NewFlow } from '../db/runs/flow/lanes.ts';
import { readRuleOf, type FlowRuleRow } from '../db/runs/flow/rules.ts';

const DAY_SECONDS = 86_400;
const PRIORITY_SECONDS_MAX = 600;

const key = z.string().min(1).max(200);

const concurrency = z
  .strictObject({
    key: key.describe('Runs of the workspace with the same key are counted together, whichever agent they are of.'),
    limit: z.int().min(1).max(1_000).describe('A run starts when fewer than so many of them run.'),
  })
  .describe('Waits in a queue while as many runs with this key run. A run keeps its place until it has ended.');

const debounce = z
  .strictObject({
    key: key.describe('Orders of the same agent with the same key are one burst.'),
    seconds: z.int().min(1).max(DAY_SECONDS).describe('The run starts so long after the last order of its burst.'),
    max_seconds: z
      .int()
      .min(1)
      .max(DAY_SECONDS)
      .optional()
      .describe('At the latest so long after the first order; while orders come, it waits on when left out.'),
  })
  .refine(({ seconds, max_seconds: max }) => max === undefined || max >= seconds, {
    path: ['max_seconds'],
    message: 'It is not less than seconds.',
  })
  .describe(
    'Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its ' +
      '`status_reason` is `superseded by run_…`.',
  );

/** The members of an order that say when its run may start. */
export const flowMembers = {
  concurrency: concurrency.optional(),
  priority: z
    .int()
    .min(-PRIORITY_SECONDS_MAX)
    .max(PRIORITY_SECONDS_MAX)
    .default(0)
    .describe(
      'Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first.',
    ),
  debounce: debounce.optional(),
};

interface Timed {
  debounce?: object | undefined;
  start_after_seconds: number;
}

/** A debounce decides itself when its run starts. */
export const isTimedOnce = ({ debounce: isDebounced, start_after_seconds: after }: Timed) =>
  !isDebounced || after === 0;
export const TIMED_TWICE = {
  path: ['start_after_seconds'],
  message: 'A run with a debounce starts when its burst has ended: leave start_after_seconds out.',
};

/** The workspace's rule for the runs of an agent; null: none. */
export const readRule = (
  { db }: { db: Pick<Database, 'pool'> },
  workspaceId: string,
  agent: string,
): Promise<FlowRuleRow | null> => readRuleOf(db.pool, { workspaceId, agent });

type Flowing = Parameters<typeof newFlowOf>[0] & z.output<z.ZodObject<typeof flowMembers>>;

/** The places that an ordered run takes among the workspace's runs; undefined when it takes none. */
export const flowOf = (
  { agent, metadata, input, concurrency: sent, debounce: burst }: Omit<Flowing, 'priority'>,
  rule: FlowRuleRow | null,
): NewFlow | undefined =>
  newFlowOf(
    { agent, metadata, input },
    { ...(sent && { concurrency: sent }), ...(burst && { debounce: burst }) },
    rule,
  );
