import { faultsOfData, textOfFaults } from '../../base/jsonSchema.ts';
import { storableBeginning, storableText } from '../../base/json.ts';
import { dataIn } from '../../db/agents/modelSettings.ts';
import type { CheckResult, EvaluationCheck } from '../../db/entities/evaluation.ts';
import { matchPattern } from './matchPattern.ts';

/** What a run did, as far as checks look at it. */
export interface Observed {
  text: string;
  /** Its data, or the JSON in its text; undefined for neither. */
  data: unknown;
  tools: string[];
  costUsd: number;
  durationSeconds: number;
}

type OutputItem = { type: string; text?: string; data?: object };

/** The text of a run's output, with data as JSON; and its data. */
export function observeOutput(output: unknown): Pick<Observed, 'text' | 'data'> {
  const items = output as OutputItem[];
  const texts = items.map(({ text, data }) => text ?? (data === undefined ? undefined : JSON.stringify(data)));
  const text = texts.filter((one) => one !== undefined).join('\n');
  return { text, data: items.findLast(({ data }) => data !== undefined)?.data ?? dataIn(text) };
}

/** The checks that need no model. */
export type PlainCheck = Exclude<EvaluationCheck, { type: 'score_model' }>;

/** Checks what a run did. */
export async function runCheck(check: PlainCheck, observed: Observed): Promise<CheckResult> {
  const { type } = check;
  switch (check.type) {
    case 'string_check':
      return checkText(check, observed.text);
    case 'json_schema':
      return checkData(check.schema, observed.data);
    case 'tool_called': {
      const count = observed.tools.filter((name) => name === check.tool).length;
      return resultOf(type, count > 0, `${check.tool} was called ${count} times`);
    }
    case 'cost':
      return resultOf(type, observed.costUsd <= check.max_cost_usd, `${observed.costUsd} of ${check.max_cost_usd} USD`);
    case 'latency':
      return resultOf(
        type,
        observed.durationSeconds <= check.max_seconds,
        `${observed.durationSeconds} of ${check.max_seconds} s`,
      );
    default:
      return check satisfies never;
  }
}

type TextCheck = Extract<EvaluationCheck, { type: 'string_check' }>;

async function checkText(check: TextCheck, text: string): Promise<CheckResult> {
  const { type, operation, reference, ignore_case: ignoresCase } = check;
  const fold = (one: string) => (ignoresCase ? one.toLowerCase() : one).trim();
  const isEqual = fold(text) === fold(reference);
  const isContained = fold(text).includes(fold(reference));
  const shown = JSON.stringify(short(reference));
  switch (operation) {
    case 'equals':
      return resultOf(type, isEqual, isEqual ? 'equals the reference' : `is not ${shown}`);
    case 'not_equals':
      return resultOf(type, !isEqual, isEqual ? `is ${shown}` : 'differs from the reference');
    case 'contains':
      return resultOf(type, isContained, `${isContained ? 'contains' : 'does not contain'} ${shown}`);
    case 'not_contains':
      return resultOf(type, !isContained, `${isContained ? 'contains' : 'does not contain'} ${shown}`);
    case 'regex': {
      const matches = await matchPattern(text, { pattern: reference, ignoresCase });
      if (matches === 'too_slow') return errorOf(type, `the pattern ${shown} takes too long on this output`);
      if (matches === 'invalid') return errorOf(type, `the pattern ${shown} cannot be used`);
      return resultOf(type, matches, `${matches ? 'matches' : 'does not match'} ${shown}`);
    }
    default:
      return operation satisfies never;
  }
}

function checkData(schema: Record<string, unknown>, data: unknown): CheckResult {
  if (data === undefined) return resultOf('json_schema', false, 'the output has no data, and its text is no JSON');
  const faults = textOfFaults(faultsOfData(schema, data));
  return resultOf('json_schema', faults === '', faults === '' ? 'fits the schema' : faults);
}

/** The result of a check that was decided. */
export const resultOf = (type: CheckResult['type'], hasPassed: boolean, message: string): CheckResult => ({
  type,
  status: hasPassed ? 'passed' : 'failed',
  message: short(message, MESSAGE_CHARACTERS_MAX),
});

/** The result of a check that could not be decided. */
export const errorOf = (type: CheckResult['type'], message: string): CheckResult => ({
  ...resultOf(type, false, message),
  status: 'errored',
});

const MESSAGE_CHARACTERS_MAX = 1_000;
const SHOWN_CHARACTERS_MAX = 100;

const short = (text: string, charactersMax = SHOWN_CHARACTERS_MAX) =>
  text.length <= charactersMax ? storableText(text) : `${storableBeginning(text, charactersMax)}…`;
