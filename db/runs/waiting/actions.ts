import type { JsonSchema } from '../../../base/jsonSchema.ts';
import { isObject, parseData, storableJson } from '../../../base/json.ts';
import type { RequiredAction } from '../../entities/runStates.ts';
import type { PluginNeed } from '../../plugins/plugins.ts';
import { stepIdOf, type RunRow } from '../runRow.ts';
import { questionIn, readQuestion } from './question.ts';

/** A question or an approval that a run waits for, before it is stored. */
export type NewAction =
  | { type: 'text'; question: string; default?: string }
  | { type: 'form'; question: string; schema: JsonSchema; default?: object }
  | {
      type: 'tool_approval';
      name: string;
      arguments: object;
      /** The tool's schema, by which changed arguments are checked. */
      input_schema: object | null;
      /** What the call probably costs, and the most; null where nobody knows. US dollars. */
      expected_cost_usd: number | null;
      maximum_cost_usd: number | null;
    };

/** A caller's answer to one action. `step_id` names the action; without it the first open one of the type is answered. */
export type ActionAnswer = { step_id?: string | undefined } & (
  | { type: 'text'; text: string }
  | { type: 'raise_limit'; max_cost_usd: number }
  | { type: 'form'; data: Record<string, unknown> }
  | {
      type: 'tool_approval';
      decision: 'approve' | 'refuse';
      arguments?: Record<string, unknown> | undefined;
      reason?: string | undefined;
    }
);

/** A caller's answer, or the mark that what a plugin needs was supplied; the need itself is stored elsewhere. */
export type GivenAnswer = ActionAnswer | { type: PluginNeed['type']; step_id?: undefined };

/** All that a waiting run waits for, the answered ones too. A run of an older worker has only the one action. */
export const actionsOf = ({ required_action: action, required_actions: all }: ActionRow): RequiredAction[] =>
  all ?? (action === null ? [] : [action]);

type ActionRow = Pick<RunRow, 'required_action' | 'required_actions'>;

/** Those that still wait for an answer. */
export const openActionsOf = (row: ActionRow): RequiredAction[] => actionsOf(row).filter(({ answer }) => !answer);

/** Whether the time of an action without an answer and a default was up at `at`: then its run ends, and no answer counts any more. */
export const isOver = (actions: RequiredAction[], at: Date): boolean =>
  actions.some((action) => !action.answer && action.default === undefined && isLate(action, at));

/** Whether the time of an action was up at `at`. */
export const isLate = ({ expires_at: expiresAt }: RequiredAction, at: Date): boolean =>
  new Date(expiresAt as string).getTime() <= at.getTime();

/** The action of a step. */
export const actionAt = (actions: RequiredAction[], runId: string, step: number): RequiredAction | undefined =>
  actions.find(({ step_id: id }) => id === stepIdOf(runId, step));

/** Actions as events have them. A tool's schema is in the run alone: it can be long. */
const forEvents = (actions: RequiredAction[]): object[] =>
  actions.map(({ input_schema: _schema, answer: _answer, taken: _taken, ...action }) => action);

/** The data of the event of a run that waits. `required_action` is the first one, for clients that know only one. */
export const waitingData = (actions: RequiredAction[], heldUsd: number): object => {
  const shown = forEvents(actions);
  return { required_action: shown[0], required_actions: shown, held_usd: heldUsd };
};

/** A tool's call by a model. `proposed`: the arguments that it wrote, where the caller has changed them. */
export interface WaitingCall {
  name: string;
  arguments: string;
  proposed?: string | null;
}

/** The content of an action, from the call that it is about. `hasForms`: its agent's questions may be forms. */
export function contentOfAction(type: string, call: WaitingCall, hasForms: boolean): object {
  const written = call.proposed ?? call.arguments;
  if (type === 'tool_approval') return { name: call.name, arguments: storableJson(argumentsIn(written) ?? {}) };
  const read = hasForms ? readQuestion(written) : undefined;
  if (!read || 'fault' in read) return { question: questionIn(written) };
  const { timeoutSeconds: _timeout, ...content } = read;
  return content;
}

/** The arguments of a call as an object; undefined for those that no tool takes. */
export function argumentsIn(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const value = parseData(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
