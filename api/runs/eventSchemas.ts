import { z } from 'zod';
import type { RunEventType } from '../../db/events/eventTypes.ts';
import type { NamedSchema } from '../http/documentedRoute.ts';
import { outputData, outputFile, requiredAction, rerunOf, Run } from './runAnswers.ts';
import { stepCall, stepNames, stepPreview, stepUsage } from './stepAnswers.ts';
import { capitalised } from '../../base/sentences.ts';

/** The events of runs: the meaning of each type, and its `data`. */

const time = z.iso.datetime();
const usd = z.number().describe('US dollars.');
const { attempt, step_id } = stepNames;

const delta = {
  delta: z.string(),
  offset: z
    .int()
    .describe('How many characters (UTF-16 units) came before: what a reader already has beyond them is replaced.'),
};

const names = { ...stepNames, model: z.string().optional().describe('Of a step of the kind `model`.') };

const ended = {
  ...names,
  is_error: z.boolean(),
  error_code: z.string().nullable(),
  started_at: time.describe('Of the first attempt.'),
  ended_at: time,
  duration_ms: z.int(),
  ...stepUsage,
  result_preview: stepPreview.result_preview.optional(),
  result_truncated: stepPreview.result_truncated.optional(),
};

const outputItem = z
  .string()
  .describe(
    'Names the text. A later attempt of the step writes it anew under another id; a step that goes on with a text that a limit cut keeps ' +
      'its id, and a later attempt of that step begins again at the `offset` where it went on.',
  );

const DATA: Record<RunEventType, [when: string, data: z.ZodType]> = {
  'run.created': [
    'The run is stored, and its money held.',
    z.object({
      agent: z.string(),
      version: z.string(),
      session_id: z.string(),
      status: z.string(),
      max_cost_usd: usd,
      held_usd: usd,
      rerun_of: rerunOf.optional().describe('Of a rerun.'),
      parent_run_id: z.string().optional().describe('The run whose agent started this one.'),
    }),
  ],
  'run.queued': [
    'It waits for its time, its session, its turn or a worker.',
    z.object({
      status: z.string(),
      waiting: z.boolean().describe('For an earlier run of its session, or for its turn: see `queue` of the run.'),
      start_at: time,
    }),
  ],
  'run.in_progress': ['It has begun, or goes on after an answer.', z.object({})],
  'run.requires_action': [
    'It waits for you: answer by `POST /v1/runs/{run_id}/input`, or give to a plugin what it needs. It comes again with what is left ' +
      'when one of several actions was answered.',
    z.object({
      required_action: requiredAction.describe('The first of `required_actions`.'),
      required_actions: z.array(requiredAction).optional().describe('All that are open. Older events lack it.'),
      held_usd: usd,
    }),
  ],
  'run.step.reused': [
    'A rerun has taken over a step with its result. It costs nothing, unless the repeated run failed and was not billed.',
    z.object({
      ...names,
      reused_from: z.string().describe('The step of the repeated run.'),
      is_error: z.boolean(),
      error_code: z.string().nullable(),
      arguments: stepCall.arguments.optional(),
      arguments_truncated: stepCall.arguments_truncated.optional(),
      result_preview: stepPreview.result_preview.optional(),
      result_truncated: stepPreview.result_truncated.optional(),
    }),
  ],
  'run.step.started': [
    'An attempt of a step has begun.',
    z.object({
      ...names,
      arguments: stepCall.arguments.optional(),
      arguments_truncated: stepCall.arguments_truncated.optional(),
    }),
  ],
  'run.step.retrying': [
    'An attempt failed; the next one begins at `retry_at`.',
    z.object({ ...ended, code: z.string().describe('The same as `error_code`.'), retry_at: time }),
  ],
  'run.step.completed': ['A step has its result.', z.object(ended)],
  'run.step.failed': [
    'A step failed; or has an error as its result, which the model reads: of a tool, or about an output that does not fit; or was ' +
      'open when its run ended.',
    z.object({
      ...ended,
      reason: z.string().describe('The same as `error_code`.'),
      message: z.string().optional().describe('What the model reads.'),
    }),
  ],
  'run.reasoning.delta': [
    'What the model thinks, where its upstream shows it.',
    z.object({ step_id, attempt, ...delta }),
  ],
  'run.progress': [
    'The model works, but has nothing to show yet.',
    z.object({ step_id, attempt, elapsed_ms: z.int(), output_tokens: z.number() }),
  ],
  'run.tool.progress': [
    'A tool that is code of its publisher says how far it is.',
    z.object({
      step_id,
      attempt,
      tool: z.string(),
      message: z.string(),
      percentage: z.number().nullable().describe('From 0 to 100.'),
    }),
  ],
  'run.output_text.delta': ['A piece of a text.', z.object({ item_id: outputItem, ...delta })],
  'run.output_text.done': [
    'A whole text, which replaces its pieces. It comes when no step goes on with it.',
    z.object({ item_id: outputItem, text: z.string() }),
  ],
  'run.output_file.created': ['A file was written.', outputFile],
  'run.output_data.done': ['Data was returned.', outputData],
  'run.state.updated': [
    'The state of its session was changed: by a step, or by a caller while it works or waits.',
    z.object({ session_id: z.string(), version: z.int(), step_id: step_id.nullable().describe('Null: by a caller.') }),
  ],
  'run.usage.updated': [
    'What the run has consumed and costs so far.',
    z.object({
      meters: Run.shape.usage.shape.meters,
      total_usd: usd,
      children_usd: usd
        .optional()
        .describe(
          'What the agents have cost that it called, beside `total_usd`. Missing in events of earlier releases.',
        ),
      held_usd: usd,
    }),
  ],
  'run.budget.warning': [
    'The run and the agents that it called have used four fifths of its limit: `total_usd` is what all of them cost.',
    z.object({ total_usd: usd, max_cost_usd: usd, share: z.number() }),
  ],
  'run.cancelling': [
    'It is being cancelled.',
    z.object({
      status: z.literal('cancelling'),
      mode: z.enum(['graceful', 'immediate']),
      reason: z.string().nullable(),
    }),
  ],
  'run.completed': ['The end: the work is done.', Run],
  'run.limit_reached': ['The end: money, time or steps were used up.', Run],
  'run.cancelled': ['The end: it was cancelled.', Run],
  'run.failed': ['The end: it failed, and costs nothing.', Run],
};

/** The members of every event. */
export const eventMembers = {
  id: z.string().describe('Send it as `Last-Event-ID` to go on after it.'),
  object: z.literal('event'),
  created_at: time,
  timestamp: time.describe('The same as `created_at`.'),
  sequence: z
    .int()
    .describe(
      'Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing.',
    ),
  run_id: z.string().nullable(),
  resource: z.object({ type: z.string(), id: z.string() }),
};

/** `run.step.started` -> `RunStepStartedEvent`. */
const nameOf = (type: string): string => `${type.split(/[._]/).map(capitalised).join('')}Event`;

const variants = Object.entries(DATA).map(([type, [when, data]]) => ({
  id: nameOf(type),
  schema: z.object({ ...eventMembers, type: z.literal(type), data }).describe(when),
}));

const [first, ...others] = variants.map(({ schema }) => schema);

/** An event of a run, by its type. Later versions may add types. */
export const RunEvent: NamedSchema = {
  id: 'RunEvent',
  schema: z
    .discriminatedUnion('type', [first!, ...others])
    .meta({ description: 'One of these, by `type`. New types may come: ignore those you do not know.' }),
  parts: variants,
};

/** For the table of the docs: each type, when it occurs, and the members of its `data`. */
export const runEventTable = Object.entries(DATA).map(([type, [when, data]]) => ({
  type,
  when,
  members: data === Run ? ['the run'] : Object.keys((data as z.ZodObject).shape),
}));
