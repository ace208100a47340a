import type { components } from '../api/openapi.d.ts';
import type { Tone } from '../parts/Status.tsx';

export type EvaluationSet = components['schemas']['EvaluationSet'];
export type EvaluationRun = components['schemas']['EvaluationRun'];
export type EvaluationRunSummary = components['schemas']['EvaluationRunPage']['data'][number];
export type Case = EvaluationSet['cases'][number];
export type Check = Case['checks'][number];
export type CaseResult = EvaluationRun['cases'][number];

/** What the tab needs of an agent and its draft. */
export interface Evaluated {
  agentId: string;
  /** It takes data by a schema. */
  isTyped: boolean;
  examples: string[];
  /** A version of it is public. */
  isPublic: boolean;
}

type State = { tone: Tone; word: string };

export const CASE_STATES: Record<CaseResult['status'], State> = {
  queued: { tone: 'quiet', word: 'Waiting' },
  passed: { tone: 'good', word: 'Passed' },
  failed: { tone: 'bad', word: 'Failed' },
  errored: { tone: 'held', word: 'Not decided' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
};

export const RUN_STATES: Record<EvaluationRun['status'], State> = {
  queued: { tone: 'quiet', word: 'Queued' },
  in_progress: { tone: 'busy', word: 'Running' },
  passed: { tone: 'good', word: 'Passed' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
};

export const CHECK_NAMES: Record<Check['type'], string> = {
  string_check: 'Text',
  json_schema: 'JSON schema',
  score_model: 'Model as judge',
  tool_called: 'Tool called',
  cost: 'Cost',
  latency: 'Latency',
};

export const OPERATIONS = {
  contains: 'contains',
  not_contains: 'does not contain',
  equals: 'equals',
  not_equals: 'is not',
  regex: 'matches the pattern',
};

/** What a check asks for, in a few words. */
export function checkText(check: Check): string {
  switch (check.type) {
    case 'string_check':
      return `${OPERATIONS[check.operation]} “${check.reference}”`;
    case 'json_schema':
      return 'fits a JSON schema';
    case 'score_model':
      return `judged ${check.pass_threshold} or better`;
    case 'tool_called':
      return `calls ${check.tool}`;
    case 'cost':
      return `at most $${check.max_cost_usd}`;
    case 'latency':
      return `at most ${check.max_seconds} s`;
    default:
      return check satisfies never;
  }
}

/** An input as a person edits it: a text as it is, data and items as JSON. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  const [item] = input as { type: string; data?: object }[];
  const isData = (input as unknown[]).length === 1 && item?.type === 'input_data';
  return JSON.stringify(isData ? item.data : input, null, 2);
}

/** The input in that text: of a typed agent data, of others a text, or the items that it was. Throws for what is no JSON. */
export function inputOf(text: string, { isTyped, isItems }: { isTyped: boolean; isItems: boolean }): Case['input'] {
  if (isTyped) return [{ type: 'input_data', data: JSON.parse(text) as Record<string, unknown> }];
  return isItems ? (JSON.parse(text) as Case['input']) : text;
}

/** A new check of a kind, to be filled in. */
export function newCheck(type: Check['type']): Check {
  switch (type) {
    case 'string_check':
      return { type, operation: 'contains', reference: '', ignore_case: true };
    case 'json_schema':
      return { type, schema: { type: 'object', properties: {} } };
    case 'score_model':
      return { type, model: null, rubric: '', pass_threshold: 0.7 };
    case 'tool_called':
      return { type, tool: '' };
    case 'cost':
      return { type, max_cost_usd: 0.05 };
    case 'latency':
      return { type, max_seconds: 30 };
    default:
      return type satisfies never;
  }
}

/** An example of an agent as a case: an input that has an answer. */
export const caseOfExample = (example: string, isTyped: boolean, at: number): Case => ({
  name: example.length > 60 || isTyped ? `Example ${at + 1}` : example,
  input: isTyped ? [{ type: 'input_data', data: JSON.parse(example) as Record<string, unknown> }] : example,
  checks: [{ type: 'string_check', operation: 'regex', reference: '\\S', ignore_case: false }],
});

export const hasEnded = ({ ended_at: endedAt }: Pick<EvaluationRunSummary, 'ended_at'>): boolean => endedAt !== null;
