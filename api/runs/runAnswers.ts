import { z } from 'zod';
import { FAULTS, REQUIRED_ACTION_TYPES } from '../../db/entities/runStates.ts';
import { AHEAD_MAX, readQueues, type Queue } from '../../db/runs/flow/queues.ts';
import { runObject } from '../../db/runs/runObject.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { RUN_STATUSES, type RunRow } from '../../db/runs/runRow.ts';
import { COUNTED_MAX } from '../../db/postgres/countedRows.ts';
import { RETENTION_DAYS } from '../../base/limits.ts';
import { pageOf } from '../http/documentedRoute.ts';

/** The answers of runs, their feedback and usage. */

const usd = z.number().describe('US dollars.');
const time = z.iso.datetime();

export const outputFile = z.object({
  type: z.literal('output_file'),
  file_id: z.string(),
  filename: z.string(),
  media_type: z.string(),
  size_bytes: z.int(),
});

export const outputData = z.object({ type: z.literal('output_data'), data: z.unknown() });

const output = z.discriminatedUnion('type', [
  z.object({ type: z.literal('output_text'), text: z.string() }),
  outputFile,
  outputData,
]);

/** One item of a run's `output`. */
export type RunOutput = z.infer<typeof output>;

const usage = z.object({
  meters: z.array(
    z.object({
      id: z.string(),
      unit: z.string(),
      quantity: z.number(),
      price_usd: usd,
      platform_cost_usd: z.number().describe('The part of the price that passes through to the platform, US dollars.'),
      cost_usd: usd,
    }),
  ),
  subtotal_usd: usd,
  platform_cost_usd: z
    .number()
    .describe('The platform’s part for model and sandbox in US dollars, from the subtotal and its own subsidy.'),
  network_fee_usd: usd,
  total_usd: usd,
  children_usd: usd.describe(
    'What the runs have cost that this one started: billed as theirs, and not in `total_usd`. US dollars.',
  ),
  settled: z.boolean().describe('`true`: this is the bill. `false`: the cost so far.'),
});

/** What a run waits for: events have it without `input_schema`. */
export const requiredAction = z.looseObject({
  type: z.enum(REQUIRED_ACTION_TYPES),
  step_id: z.string().optional().describe('Names the action in an answer.'),
  expires_at: time
    .optional()
    .describe('Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`.'),
  question: z.string().optional().describe('For `text` and `form`.'),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation.'),
  default: z.unknown().optional().describe('For `text` and `form`: what is taken when the time is up.'),
  name: z.string().optional().describe('For `tool_approval`: the tool.'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('For `tool_approval`: what the tool is called with, as the model wrote it.'),
  input_schema: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events.'),
  expected_cost_usd: usd
    .nullish()
    .describe('For `tool_approval`: what the call probably costs; null when it is not known. US dollars.'),
  maximum_cost_usd: usd
    .nullish()
    .describe('For `tool_approval`: the most that it costs; null without a limit. US dollars.'),
  max_cost_usd: usd.optional().describe('For `raise_limit`: the limit now.'),
  held_usd: usd
    .optional()
    .describe(
      'For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used.',
    ),
  plugin: z.string().optional().describe('For what a plugin needs: its id.'),
  secret: z.string().optional().describe('For `plugin_secret`: the name of the secret.'),
  message: z.string().optional().describe('For what a plugin needs: how it is given.'),
  url: z.string().optional().describe('For what a plugin needs: the page of the console where it is given.'),
});

/** The origin of a rerun. */
export const rerunOf = z.object({
  run_id: z.string(),
  from_step: z.int().describe('The first step that ran anew; the results of those before are reused.'),
});

const queue = z
  .object({
    waits_for: z
      .enum(['session', 'concurrency', 'rate', 'debounce', 'start_time'])
      .describe(
        'The end of its session’s runs, a place for its key, its share of a rate, the end of a burst, or its time.',
      ),
    position: z
      .int()
      .nullable()
      .describe(`1: the next one; at most ${AHEAD_MAX + 1}. Null for a time.`),
    key: z.string().nullable().describe('Whose runs are counted together.'),
    limit: z.int().nullable(),
    period_seconds: z.int().nullable().describe('Of a rate.'),
    starts_at: time.nullable().describe('At the earliest, when it waits for a time.'),
  })
  .describe('What a queued run waits for. Null for a run that waits for nothing, and in events and lists of events.');

export const Run = z.object({
  id: z.string(),
  object: z.literal('run'),
  agent: z.string(),
  agent_id: z.string(),
  version_id: z.string(),
  version: z.string(),
  session_id: z.string(),
  status: z.enum(RUN_STATUSES).describe('The last four are final.'),
  status_reason: z
    .string()
    .nullable()
    .describe('Why it ended so. `waits_for_worker`: it goes on when a worker is free, until its timeout.'),
  input: z.unknown().describe(`As it was sent; null when it was deleted, ${RETENTION_DAYS} days after the end.`),
  response_format: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('As it was sent: the schema of this run’s `output_data`.'),
  output: z.array(output),
  required_action: requiredAction
    .nullable()
    .describe('What it waits for: the first of `required_actions`, for clients that show one.'),
  required_actions: z
    .array(requiredAction)
    .describe('All that it waits for: the questions and approvals of one turn. Each is answered once, in any order.'),
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }).nullable(),
  fault: z.enum(FAULTS).nullable().describe('The cause of a failure.'),
  limit: z
    .object({
      kind: z
        .enum(['max_cost', 'key_spend', 'balance', 'timeout', 'steps', 'model_output_limit'])
        .describe('`model_output_limit`: the answer is longer than the model writes; in tokens of one call.'),
      value: z.number(),
      used: z.number(),
    })
    .nullable(),
  max_cost_usd: usd,
  held_usd: usd.describe('The hold of the run in US dollars.'),
  usage,
  rerun_of: rerunOf.nullable(),
  parent_run_id: z.string().nullable().describe('The run whose agent started this one.'),
  priority: z.int().describe('As it was sent.'),
  concurrency: z.object({ key: z.string(), limit: z.int() }).nullable().describe('As it was sent.'),
  debounce: z
    .object({ key: z.string(), seconds: z.int(), max_seconds: z.int().optional() })
    .nullable()
    .describe('As it was sent.'),
  queue: queue.nullable(),
  source: z.string(),
  metadata: z.record(z.string(), z.string()),
  user: z.string().nullable().describe('The end user that the order named.'),
  created_at: time,
  started_at: time.nullable(),
  completed_at: time.nullable(),
  cancel_requested_at: time.nullable(),
  duration_seconds: z.number().nullable(),
  last_event_id: z.string().nullable(),
  links: z.object({ self: z.string(), events: z.string(), cancel: z.string() }),
});

type RunAnswer = z.infer<typeof Run>;
// Columns whose database type is wider than their values.
type WideColumns = Pick<
  RunAnswer,
  'output' | 'required_action' | 'required_actions' | 'error' | 'fault' | 'limit' | 'concurrency' | 'debounce'
>;

/** A run in its public form. Its last event holds the same object. */
export function presentRun(row: RunRow): RunAnswer {
  const run = runObject(row);
  return run as Omit<typeof run, keyof WideColumns> & WideColumns;
}

/** Runs as they are now: those that wait with their place in the queue. */
export async function presentQueued(rows: Rows, runs: RunRow[]): Promise<RunAnswer[]> {
  const queues = await readQueues(rows, runs);
  return runs.map((row) => {
    const found = queues.get(row.id);
    return { ...presentRun(row), queue: found ? presentQueue(found) : null };
  });
}

const presentQueue = ({ waitsFor, ahead, key, limit, periodSeconds, startsAt }: Queue): RunAnswer['queue'] => ({
  waits_for: waitsFor,
  position: ahead === null ? null : ahead + 1,
  key,
  limit,
  period_seconds: periodSeconds,
  starts_at: startsAt && startsAt.toISOString(),
});

export const RunPage = pageOf(Run);

export const RunTotals = z.object({
  object: z.literal('run.totals'),
  count: z.int().describe('Runs of the list.'),
  cost_usd: usd
    .nullable()
    .describe('The sum of their bills, in US dollars: a run is billed when it ends. Null when `is_capped`.'),
  is_capped: z.boolean().describe(`There are more than ${COUNTED_MAX} runs: they are not counted further.`),
});

export const FeedbackAnswer = z
  .object({
    id: z.string(),
    object: z.literal('run.feedback'),
    run_id: z.string(),
    session_id: z.string(),
    agent: z.string(),
    outcome: z.string(),
    reason: z.string(),
    source: z.string(),
    created_at: time,
    updated_at: time,
  })
  .nullable();

const totals = z.object({
  spent_usd: usd,
  tasks: z.int(),
  completed: z.int(),
  failed: z.int(),
  limit_reached: z.int(),
  failed_cost_usd: usd.describe('The cost of failed runs, which is not billed.'),
  completion_rate: z.number().describe('From 0 to 1.'),
  median_cost_usd: usd.nullable().describe('Null for fewer than five completed runs.'),
  median_duration_seconds: z.number().nullable(),
});

export const WorkspaceUsage = z.object({
  object: z.literal('workspace.usage'),
  range: z.enum(['7d', '30d', '90d']),
  range_start: time,
  range_end: time.describe('The end of today: the range is of whole days, UTC.'),
  totals,
  prior: totals.nullable().describe('The same of as many days before; null when no run ended on them.'),
  daily: z.array(
    z.object({ date: z.iso.date(), spent_usd: usd, completed: z.int(), failed: z.int(), cancelled: z.int() }),
  ),
  by_agent: z.array(
    z.object({
      agent_id: z.string(),
      agent_name: z.string(),
      spent_usd: usd,
      tasks: z.int(),
      completed: z.int(),
      failed: z.int(),
      failed_cost_usd: usd,
      median_cost_usd: usd.nullable(),
      daily_spent_usd: z.array(usd),
    }),
  ),
  by_source: z.array(z.object({ source: z.string(), label: z.string(), spent_usd: usd, tasks: z.int() })),
  by_meter: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      unit: z.string(),
      quantity: z.number(),
      cost_usd: usd,
      share: z.number().describe('Part of the whole spending, from 0 to 1. The network fee is one of the parts.'),
    }),
  ),
  sample_size: z.int().describe('Number of completed runs in the medians.'),
});
