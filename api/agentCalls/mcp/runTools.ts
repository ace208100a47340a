import { z } from 'zod';
import type { ActionAnswer } from '../../../db/runs/states/pauseRun.ts';
import { seenBy } from '../../guard/projects.ts';
import { findRun, type RunRow } from '../../../db/runs/runRow.ts';
import { parseBody } from '../../body/parseWith.ts';
import type { Context } from '../../context.ts';
import { validationError } from '../../../base/errors/requestErrors.ts';
import { runNotFound } from '../../../orders/errors.ts';
import { giveAnswer } from '../../runs/inputRun.ts';
import { RunAnswer } from '../../runs/runSchema.ts';
import type { Services } from '../../services.ts';

const runId = z.string().describe('The run_id of an earlier call.');

/** The tools for the runs that agents' tools have started. No agent's tool can have one of these names. */
export const RUN_TOOLS = [
  {
    name: 'answer_run',
    title: 'Answer a run',
    description: 'Answers the question of a run that waits for its caller, and returns what the agent does with it.',
    input: z.strictObject({
      run_id: runId,
      answer: z.string().optional().describe('The answer to its question.'),
      text: z.string().optional().describe('The same, by its earlier name.'),
      max_cost_usd: z
        .number()
        .optional()
        .describe('For a run that stopped at its limit: the higher limit, in US dollars.'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  },
  {
    name: 'get_run',
    title: 'Wait for a run',
    description: 'Waits until a run has ended or asks a question, and returns its answer.',
    input: z.strictObject({ run_id: runId }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
] as const;

const [answerRun, getRun] = RUN_TOOLS;
const parseAnswer = parseBody(answerRun.input, 'arguments');
type Answer = z.output<typeof answerRun.input>;
const parseGet = parseBody(getRun.input, 'arguments');

export const isRunTool = (name: string): boolean => RUN_TOOLS.some((tool) => tool.name === name);

/** The run that a call of one of these tools names, after `answer_run` has answered it. Throws 404 for a run of another workspace. */
export async function runOfTool(
  ctx: Context,
  services: Services,
  call: { name: string; arguments?: Record<string, unknown> },
): Promise<RunRow> {
  const given = call.arguments ?? {};
  if (call.name === answerRun.name) {
    const { run_id: id, ...answer } = parseAnswer(given);
    return giveAnswer(ctx, services, { runId: id, answer: answerOf(answer) });
  }
  const { run_id: id } = parseGet(given);
  const run = await findRun(seenBy(services.db, ctx.state.key), id);
  if (!run) throw runNotFound(id);
  return run;
}

function answerOf({ answer, text = answer, max_cost_usd: maxCostUsd }: Partial<Answer>): ActionAnswer {
  const sent = text === undefined ? { type: 'raise_limit', max_cost_usd: maxCostUsd } : { type: 'text', text };
  const checked = RunAnswer.safeParse(sent);
  if (checked.success && (answer === undefined || answer === text)) return checked.data;
  const msg = 'Send the answer to the question, once, or a higher max_cost_usd.';
  throw validationError([{ loc: ['arguments', 'answer'], msg, type: 'value_error' }]);
}
