import { z } from 'zod';
import type { StepRow } from '../../db/runs/steps/readSteps.ts';
import {
  argumentsIn,
  ARGUMENTS_BYTES_MAX,
  PREVIEW_BYTES_MAX,
  previewIn,
  timesIn,
  usageIn,
} from '../../db/runs/stepFacts.ts';
import { stepIdOf } from '../../db/runs/runRow.ts';
import { usdOf } from '../../db/money.ts';
import { isUnbegun } from '../../db/runs/steps/rerunSteps.ts';
import { isTerminal, type RunRow } from '../../db/runs/runRow.ts';
import { pageOf } from '../http/documentedRoute.ts';

/** The answers of a run's steps. Step events use the same field names. */

const time = z.iso.datetime();
const kinds = z.enum(['model', 'tool', 'sandbox', 'file', 'compaction']);

/** The kind and name of a step, in answers and in all its events. */
export const stepNames = {
  step_id: z.string(),
  kind: kinds.describe(
    '`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads.',
  ),
  name: z.string().describe('The tool, or the model; of a compaction `summarize` or `truncate`.'),
  attempt: z.int().describe('Counts from 1. A step is retried when its worker or its upstream fails.'),
};

/** The call behind a tool's step. */
export const stepCall = {
  arguments: z.string().describe(`As the model wrote them, at most ${ARGUMENTS_BYTES_MAX} bytes.`),
  arguments_truncated: z.boolean(),
};

/** The usage of a step. */
export const stepUsage = {
  input_tokens: z.number().nullable().describe('Of a model, and of a compaction.'),
  output_tokens: z.number().nullable().describe('Of a model, and of a compaction.'),
  sandbox_seconds: z.number().nullable().describe('Of a sandbox.'),
  cost_usd: z.number().describe('US dollars, before the fee, the minimum and the limit of the whole run.'),
};

/** The beginning of a step's result. */
export const stepPreview = {
  result_preview: z.string().describe(`At most ${PREVIEW_BYTES_MAX} bytes.`),
  result_truncated: z.boolean(),
};

const answered = {
  id: z.string().describe('The same as `step_id`.'),
  object: z.literal('run.step'),
  run_id: z.string(),
  number: z.int().describe('Orders the steps of the run.'),
  ...stepNames,
  model: z.string().nullable(),
  status: z
    .enum(['in_progress', 'retrying', 'completed', 'failed', 'cancelled'])
    .describe(
      '`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or ' +
        '`output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first.',
    ),
  retry_at: time.nullable().describe('When the next attempt begins, while one waits.'),
  is_error: z.boolean(),
  error_code: z.string().nullable(),
  reused_from: z
    .string()
    .nullable()
    .describe(
      'The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one ' +
        'failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself.',
    ),
  child_run: z
    .object({
      id: z.string(),
      status: z.string(),
      total_usd: z.number().describe('With the runs below it, US dollars.'),
    })
    .nullable()
    .describe('The run of another agent that the step has started. It is billed as a run of its own.'),
  started_at: time.describe('Of the first attempt.'),
  ended_at: time.nullable().describe('Of the last attempt.'),
  duration_ms: z.int().nullable(),
  ...stepUsage,
};

/** A step in a list. */
export const Step = z.object({
  ...answered,
  arguments: stepCall.arguments.nullable(),
  arguments_truncated: z.boolean(),
  result_preview: stepPreview.result_preview.nullable(),
  result_truncated: z.boolean(),
});

export const StepPage = pageOf(Step);

/** A step with its whole result. */
export const WholeStep = z.object({
  ...answered,
  arguments: z.string().nullable().describe('The whole arguments.'),
  result: z
    .object({
      text: z.string().describe('What the model wrote, what the tool returned, or the summary.'),
      refusal: z.string().nullable().describe('Why the output in it does not fit its schema, as the model reads it.'),
      tool_calls: z.array(
        z.object({
          step_id: z
            .string()
            .nullable()
            .describe(
              'Null for a call that is not run: the output of the run, over the limit of 20 in one answer, or cut by the ' +
                'model’s limit.',
            ),
          id: z.string(),
          name: z.string(),
          arguments: z.string(),
        }),
      ),
    })
    .nullable(),
  instructions: z.string().nullable().describe('What the agent tells its model; only for the workspace of the agent.'),
});

/** A step in a list. */
export function presentStep(run: RunRow, row: StepRow): z.infer<typeof Step> {
  if (isWithheld(run, row)) return presentBareStep(run, row);
  return { ...factsOf(run, row), ...NO_CONTENT, ...argumentsIn(row), ...previewIn(row.result) };
}

/** A step without text by the caller, the model or a tool. */
export function presentBareStep(run: RunRow, row: StepRow): z.infer<typeof Step> {
  return { ...factsOf(run, row), ...NO_CONTENT };
}

const NO_CONTENT = { arguments: null, arguments_truncated: false, result_preview: null, result_truncated: false };

/** A step with its whole arguments and result. */
export function presentWholeStep(run: RunRow, row: StepRow, instructions: string | null): z.infer<typeof WholeStep> {
  const isHidden = isWithheld(run, row);
  const result = isHidden ? null : row.result;
  const calls = (result?.toolCalls ?? []).map(({ step, cutAfter: _cutAfter, ...call }) => ({
    step_id: step === null ? null : stepIdOf(run.id, step),
    ...call,
  }));
  return {
    ...factsOf(run, row),
    arguments: isHidden ? null : row.arguments,
    result: result && { text: result.text, refusal: result.repair ?? null, tool_calls: calls },
    instructions: row.kind === 'model' ? instructions : null,
  };
}

// A reused step that is not paid for yet.
const isWithheld = (run: RunRow, { reusedFrom }: StepRow) => reusedFrom !== null && isUnbegun(run);

function factsOf(run: RunRow, row: StepRow) {
  const { id, step, kind, name, attempt, retryAt, errorCode, reusedFrom, child, startedAt, endedAt, meters } = row;
  const status = statusOf(run, row);
  const isOver = status !== 'in_progress' && status !== 'retrying';
  return {
    id,
    object: 'run.step' as const,
    run_id: run.id,
    number: step,
    step_id: id,
    kind,
    name,
    attempt,
    model: kind === 'model' ? name : null,
    status,
    retry_at: status === 'retrying' ? retryAt!.toISOString() : null,
    is_error: errorCode !== null,
    error_code: errorCode,
    reused_from: reusedFrom,
    child_run: child && { id: child.id, status: child.status, total_usd: usdOf(BigInt(child.costNanos)) },
    ...timesIn(startedAt, isOver ? (endedAt ?? run.completed_at) : null),
    ...usageIn(run, kind, meters),
  };
}

function statusOf(run: RunRow, { state, retryAt, errorCode }: StepRow): z.infer<typeof Step>['status'] {
  if (state === 'completed') return errorCode === null ? 'completed' : 'failed';
  if (state === 'failed' && retryAt === null) return 'failed';
  if (isTerminal(run.status)) return 'cancelled';
  return state === 'failed' ? 'retrying' : 'in_progress';
}
