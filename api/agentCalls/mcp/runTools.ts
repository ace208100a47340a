import { z } from 'zod';
import type { ActionAnswer } from '../../../db/runs/waiting/actions.ts';
import { seenBy } from '../../guard/projects.ts';
import { findRun, type RunRow } from '../../../db/runs/runRow.ts';
import { parseBody } from '../../body/parseWith.ts';
import type { Context } from '../../context.ts';
import { validationErrorAt } from '../../../base/errors/requestErrors.ts';
import { runNotFound } from '../../../orders/errors.ts';
import { giveAnswer } from '../../runs/inputRun.ts';
import { OneAnswer } from '../../runs/runSchema.ts';
import type { Services } from '../../services.ts';
import { record } from '../../../base/record.ts';

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
      data: record(z.string(), z.unknown()).optional().describe('The fields of a form, as its schema says.'),
      decision: z.enum(['approve', 'refuse']).optional().describe('Of a tool’s call that waits for approval.'),
      arguments: record(z.string(), z.unknown()).optional().describe('With `approve`: other arguments for the tool.'),
      reason: z.string().optional().describe('With `refuse`: why.'),
      step_id: z.string().optional().describe('Which of several actions is answered.'),
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

function answerOf({ answer, text = answer, step_id, ...sent }: Omit<Answer, 'run_id'>): ActionAnswer {
  const checked = OneAnswer.safeParse({ ...typed(text, sent), ...(step_id !== undefined && { step_id }) });
  if (checked.success && (answer === undefined || answer === text)) return checked.data;
  const msg =
    'Send one answer: answer to a question, data for a form, a decision about a tool, or a higher max_cost_usd.';
  throw validationErrorAt(['arguments', 'answer'], msg);
}

// Members of another kind of answer stay, and are refused.
function typed(text: string | undefined, sent: Partial<Answer>): object {
  if (text !== undefined) return { type: 'text', text, ...sent };
  if (sent.data !== undefined) return { type: 'form', ...sent };
  return sent.decision === undefined ? { type: 'raise_limit', ...sent } : { type: 'tool_approval', ...sent };
}
