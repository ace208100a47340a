import { isObject } from '../../../base/json.ts';
import type { RunRow } from '../../../db/runs/runRow.ts';
import { openActionsOf, type ActionAnswer } from '../../../db/runs/waiting/actions.ts';
import { OneAnswer } from '../../runs/runSchema.ts';
import { sentenceOf } from '../../body/fastApiWords.ts';
import { answerOfText } from '../asked.ts';
import { invalidMessage, unsupportedOperation } from './a2aErrors.ts';
import { maxCostOf, type MessageRequest } from './message.ts';
import { isPluginAction } from './task.ts';

const ANSWER_TYPES = ['text', 'form', 'tool_approval', 'raise_limit'];

/**
 * The answers in a message to a waiting task: data parts are answers as `POST /v1/runs/{run_id}/input` takes them, one or `answers`, or the
 * data of the first open form; texts answer the first action that is left.
 */
export function answersOfMessage(request: MessageRequest, run: RunRow): ActionAnswer[] {
  const open = openActionsOf(run);
  const [first] = open;
  if (isPluginAction(run.required_action)) throw unsupportedOperation(String(run.required_action!.message));
  if (first?.type === 'raise_limit') return [higherLimit(request)];
  const form = open.find(({ type }) => type === 'form');
  const given: ActionAnswer[] = [];
  const texts: string[] = [];
  for (const [at, { text, data }] of request.message.parts.entries()) {
    if (text) texts.push(text);
    else if (isObject(data) && Array.isArray(data.answers)) {
      given.push(...data.answers.map((one, index) => checked(one, `${placeOf(at)}.answers[${index}]`)));
    } else if (isObject(data) && ANSWER_TYPES.includes(data.type as string)) given.push(checked(data, placeOf(at)));
    else if (isObject(data) && form) given.push({ type: 'form', step_id: form.step_id as string, data });
    else if (data !== undefined) texts.push(JSON.stringify(data));
  }
  const left = open.find(
    ({ step_id: id, type }) =>
      !given.some((one) => (one.step_id === undefined ? one.type === type : one.step_id === id)),
  );
  const text = texts.join('\n');
  if (text !== '' && left) given.push(answerOfText(left, text));
  if (given.length === 0) throw invalidMessage('message.parts', 'the answer is a text, or data.');
  return given;
}

const placeOf = (at: number) => `message.parts[${at}].data`;

function higherLimit(request: MessageRequest): ActionAnswer {
  const maxCostUsd = maxCostOf(request);
  if (maxCostUsd === undefined) throw invalidMessage('metadata.max_cost_usd', 'the task waits for a higher limit.');
  return { type: 'raise_limit', max_cost_usd: maxCostUsd };
}

function checked(value: unknown, place: string): ActionAnswer {
  const parsed = OneAnswer.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw invalidMessage([place, ...issue.path.map(String)].join('.'), sentenceOf(issue, value));
}
