import { z } from 'zod';
import { FINAL_STATUSES } from '../../db/entities/runStates.ts';
import { pageOf } from '../http/documentedRoute.ts';
import { Run } from '../runs/runAnswers.ts';
import { Step, WholeStep } from '../runs/stepAnswers.ts';
import { faults } from './runQueries.ts';

const time = z.iso.datetime();
const usd = z.number();
const seconds = z.number().nullable();

/** A run of an agent, for its publisher. */
export const PublishedRun = z.object({
  id: z.string(),
  object: z.literal('publisher.run'),
  agent_id: z.string(),
  version_id: z.string(),
  version: z.string(),
  caller_id: z
    .string()
    .describe(
      'The same for all runs of one caller; it says nothing about who they are, and another publisher has another one.',
    ),
  is_own: z.boolean().describe('Of the publisher’s own workspace.'),
  status: z.enum(FINAL_STATUSES),
  error_code: z.string().nullable().describe('Why it failed, or which limit it reached.'),
  fault: faults.nullable().describe('Whose fault a failure is.'),
  source: z.string(),
  is_called_by_agent: z.boolean(),
  is_rerun: z.boolean(),
  is_rehearsed: z.boolean().describe('Rules replaced the model.'),
  created_at: time,
  started_at: time.nullable(),
  ended_at: time,
  duration_seconds: seconds,
  meters: z.array(z.object({ id: z.string(), unit: z.string(), quantity: z.number() })),
  total_usd: usd.describe('What the caller paid.'),
  earned_usd: usd,
  platform_cost_usd: usd,
  unbilled_usd: usd.describe('The worth of what a failed run has used: nobody paid for it.'),
  steps_deleted_at: time.nullable(),
  content_access: z
    .enum(['none', 'shared', 'own'])
    .describe('`shared`: its caller shares what was asked and answered. `own`: it is a run of this workspace.'),
  shared_until: time.nullable(),
});

export const PublishedRunPage = pageOf(PublishedRun);

const runContent = Run.pick({ input: true, output: true }).extend({
  error_message: z.string().nullable(),
});

/** A run with its content, where that may be read. */
export const PublishedRunDetail = PublishedRun.extend({
  content: runContent.nullable().describe('Null without access, and once it is deleted. Files are never part of it.'),
});

const stepContent = Step.pick({
  arguments: true,
  arguments_truncated: true,
  result_preview: true,
  result_truncated: true,
});

/** A step of a run, for the publisher of its agent. */
export const PublishedStep = Step.pick({
  id: true,
  number: true,
  kind: true,
  attempt: true,
  status: true,
  is_error: true,
  error_code: true,
  started_at: true,
  ended_at: true,
  duration_ms: true,
  input_tokens: true,
  output_tokens: true,
  sandbox_seconds: true,
  cost_usd: true,
}).extend({
  object: z.literal('publisher.run.step'),
  name: z
    .string()
    .nullable()
    .describe('The model, the tool, or the plugin; null for a tool that the agent does not have.'),
  is_reused: z.boolean().describe('A result of the run that this one repeats.'),
  content: stepContent.nullable().describe('Null without access.'),
});

export const PublishedStepPage = pageOf(PublishedStep);

/** A step with its whole content. */
export const WholePublishedStep = PublishedStep.omit({ content: true }).extend({
  content: WholeStep.pick({ arguments: true, result: true }).nullable().describe('Null without access.'),
});

const ending = z.object({
  status: z.enum(FINAL_STATUSES),
  error_code: z.string().nullable(),
  fault: faults.nullable(),
  runs: z.int(),
});

const figures = z.object({
  runs: z.int(),
  completed: z.int(),
  limit_reached: z.int(),
  cancelled: z.int(),
  failed: z.int(),
  success_rate: z.number().nullable().describe('Completed runs among those not cancelled, 0 to 1.'),
  p50_seconds: seconds.describe('Of completed runs, to within 2.5 %.'),
  p95_seconds: seconds,
  total_usd: usd.describe('What callers paid.'),
  mean_cost_usd: usd.nullable().describe('Of a run that is not failed.'),
  earned_usd: usd,
  platform_cost_usd: usd,
  unbilled_usd: usd.describe('The worth of what failed runs have used: nobody paid for it.'),
  refunded_runs: z.int(),
  refunded_usd: usd,
});

/** The figures of an agent. */
export const AgentMetrics = z.object({
  object: z.literal('publisher.agent.metrics'),
  agent_id: z.string(),
  whose: z.enum(['callers', 'own', 'all']),
  interval: z.enum(['hour', 'day']),
  from: time,
  to: time,
  open_runs: z.int().describe('Runs that have not ended, now.'),
  totals: figures.extend({ errors: z.array(ending).describe('The most frequent first.') }),
  versions: z
    .array(figures.extend({ version_id: z.string(), version: z.string(), errors: z.array(ending) }))
    .describe('Side by side, the one that ended a run last first.'),
  data: z.array(figures.extend({ start: time })).describe('Over time; an interval without a run is left out.'),
});
