import { z } from 'zod';
import { isObject } from '../../base/json.ts';
import { CANCEL_GRACE_MS } from '../../base/limits.ts';
import { FAULTS } from '../../db/entities/runStates.ts';
import { RUN_STATUSES } from '../../db/runs/runRow.ts';
import { id, text } from '../../orders/inputItems.ts';
import {
  agentName,
  canNotice,
  costUsd,
  eventGroup,
  EVENTS_STREAM,
  hasEvents,
  INCLUDE,
  members,
  metadata,
  MUST_STREAM,
  version,
  agentReference,
  NAME_ONE_RELEASE,
  namesOneRelease,
} from '../../orders/order.ts';
import { user } from '../../orders/stateOfOrder.ts';
import { parseBody } from '../body/parseWith.ts';
import { timeRange } from '../body/timeRange.ts';
import { pageQuery } from '../http/page.ts';
import { record } from '../../base/record.ts';

const { stream: _stream, include: _include, on_disconnect: _onDisconnect, ...unattended } = members;

/** The order of a schedule's runs, for which no caller waits. */
export const ScheduledRunOrder = z
  .strictObject({
    agent: agentReference,
    version: version.optional().describe('A date label or `aver_…`; at each firing the current one when left out.'),
    visibility: z.enum(['public', 'private']).default('public'),
    ...unattended,
  })
  .refine(namesOneRelease, NAME_ONE_RELEASE);

/** A test of a draft. */
export const TestRunOrder = z.strictObject(members).refine(canNotice, MUST_STREAM).refine(hasEvents, EVENTS_STREAM);

const { session_id: _session, if_session_busy: _busy, state: _state, input, ...rerunMembers } = members;

/** A repetition of a run from one of its steps. */
export const RerunOrder = z
  .strictObject({
    from_step: z
      .union([z.int().min(1).max(10_000), id('step')], 'A step is its number or its id, step_….')
      .describe('The first step to run anew, by number or id. The results of the steps before it are reused.'),
    version: version.optional().describe('A date label or `aver_…` of the same agent; that of the run when left out.'),
    visibility: z.enum(['public', 'private']).optional().describe('That of the run when left out.'),
    ...rerunMembers,
    input: input.optional().describe('That of the run when left out.'),
    source: z.enum(['api', 'chat', 'workstream']).default('api'),
  })
  .refine(canNotice, MUST_STREAM)
  .refine(hasEvents, EVENTS_STREAM);

/** The query of a comparison. */
export const ComparisonQuery = z.strictObject({
  with: id('run').optional().describe('The other run of the workspace; the run that it repeats when left out.'),
});

export const CancelOrder = z.strictObject({
  reason: z.string().max(500).optional(),
  mode: z
    .enum(['graceful', 'immediate'])
    .default('immediate')
    .describe(
      `\`graceful\` lets the running tool finish, within ${CANCEL_GRACE_MS / 1000} seconds, unless \`immediate\` is sent.`,
    ),
});

const step_id = id('step')
  .optional()
  .describe('The action that is answered; the first open one of the type when left out.');

/** An answer to one action. */
export const OneAnswer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), step_id, text }),
  z.strictObject({
    type: z.literal('form'),
    step_id,
    data: record(z.string(), z.unknown()).describe('The fields of the form: fits the `schema` of the action.'),
  }),
  z.strictObject({
    type: z.literal('tool_approval'),
    step_id,
    decision: z.enum(['approve', 'refuse']),
    arguments: record(z.string(), z.unknown())
      .optional()
      .describe('With `approve`: the arguments to use instead. They fit the `input_schema` of the action.'),
    reason: z.string().max(2_000).optional().describe('With `refuse`: what the model reads.'),
  }),
  z.strictObject({ type: z.literal('raise_limit'), step_id, max_cost_usd: costUsd }),
]);

const ANSWERS_MAX = 20;

const ManyAnswers = z.strictObject({ answers: z.array(OneAnswer).min(1).max(ANSWERS_MAX) });

/** One answer, or several. */
export const RunAnswer = z
  .union([OneAnswer, ManyAnswers])
  .describe('One answer, or `answers` to several actions: all of them are taken or none.');

/** Where an answer has data of any form. */
export const ANSWER_DATA = [['data'], ['arguments'], ['answers']] as const;

const parseOne = parseBody(OneAnswer);
const parseMany = parseBody(ManyAnswers);

/** Reads either form: errors name the members of the one that was sent. */
export const parseRunAnswer = (value: unknown): z.output<typeof RunAnswer> =>
  isObject(value) && 'answers' in value ? parseMany(value) : parseOne(value);

/** Where runs come from. */
const RUN_SOURCES = ['api', 'chat', 'workstream', 'schedule', 'agent', 'test'] as const;

/** The filters of lists of runs. */
export const runFilters = {
  agent: agentName.optional(),
  version: version.optional().describe('A date label or `aver_…`.'),
  session_id: id('ses').optional(),
  schedule_id: id('sched').optional().describe('The runs that this schedule has started.'),
  parent_run_id: id('run').optional().describe('The runs that the agent of this run has started.'),
  source: z.enum(RUN_SOURCES).optional(),
  user: user.optional().describe('The `user` of the order.'),
  status: z.enum(RUN_STATUSES).optional(),
  fault: z.enum(FAULTS).optional().describe('The cause of a failure.'),
  error_code: z.string().min(1).max(100).optional().describe('The `code` of a failed run’s error.'),
  error: z.string().min(1).max(200).optional().describe('A part of the message of a failed run’s error, in any case.'),
  metadata: metadata.optional().describe('Runs that have all of these pairs: `metadata[team]=support`.'),
  ...timeRange,
};

export const RunListQuery = z.strictObject({ ...runFilters, ...pageQuery });

export const RunTotalsQuery = z.strictObject(runFilters);

export const FeedbackOrder = z.strictObject({
  outcome: z.enum(['complete', 'partial', 'failed']).describe('Whether the run did what it was asked.'),
  reason: z.string().max(2000).default(''),
  source: z.enum(['api', 'chat', 'workstream']).optional().describe('The run’s own when left out.'),
});

export const UsageQuery = z.strictObject({ range: z.enum(['7d', '30d', '90d']).default('30d') });

export const EventsQuery = z.strictObject({
  starting_after: z.string().max(100).optional().describe('The id of the last event you have.'),
  cursor: z.string().max(100).optional().describe('For a list: the next_cursor of the last page.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('For a list.'),
  include: z
    .string()
    .max(100)
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(eventGroup))
    .optional()
    .describe(`With commas between: \`steps,cost\`. ${INCLUDE}`),
});
