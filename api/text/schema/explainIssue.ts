import type { z } from 'zod';
import type { FoundIssue } from './firstIssue.ts';
import { InvalidRequest, unsupportedParameter } from './refusal.ts';

type Issue<Code extends z.core.$ZodIssue['code']> = Extract<z.core.$ZodIssue, { code: Code }>;

/** Puts a fault into the words and codes that OpenAI answers with, which clients and their users know. */
export function explainIssue({ issue, path, value, wantsInteger }: FoundIssue): InvalidRequest {
  const param = paramOf(path);
  const number = wantsInteger ? 'integer' : 'decimal';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'null') return unsupportedParameter(param);
      return wrongType(param, value, EXPECTED[issue.expected] ?? issue.expected);
    case 'invalid_union':
      return noOption(param, issue, value);
    case 'invalid_value':
      return wrongValue(param, value, issue.values);
    case 'too_big':
      return tooBig(param, issue, value, number);
    case 'too_small':
      return tooSmall(param, issue, value, number);
    case 'invalid_format':
      return refuse(
        'invalid_value',
        param,
        `Invalid '${param}': string does not match pattern ${issue.pattern ?? ''}.`,
      );
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'custom':
    default:
      return refuse('invalid_value', param, `Invalid '${param}': ${issue.message}.`);
  }
}

const PARAM_CHARACTERS_MAX = 200;

/** `['messages', 0, 'content']` is written `messages[0].content`. Keys are the caller's, so the length is bounded. */
function paramOf(path: PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '').slice(0, PARAM_CHARACTERS_MAX);
}

const EXPECTED: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function wrongType(param: string, value: unknown, expected: string): InvalidRequest {
  if (value === undefined) {
    return refuse('missing_required_parameter', param, `Missing required parameter: '${param}'.`);
  }
  return refuse(
    'invalid_type',
    param,
    `Invalid type for '${param}': expected ${expected}, but got ${kindOf(value)} instead.`,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** None of several kinds of value was recognised: either a tag such as `role` is wrong, or the type is. */
function noOption(param: string, issue: Issue<'invalid_union'>, value: unknown): InvalidRequest {
  const tag = 'discriminator' in issue ? issue.discriminator : undefined;
  if (tag !== undefined && typeof value === 'object' && value !== null) {
    const sent: unknown = Object.hasOwn(value, tag) ? (value as Record<string, unknown>)[tag] : undefined;
    const options = 'options' in issue ? (issue.options ?? []) : [];
    // A tag that may be left out has undefined among its values.
    return wrongValue(
      param,
      sent,
      options.filter((option) => option !== undefined),
    );
  }
  const kinds = new Set(issue.errors.flatMap((errors) => errors.slice(0, 1).map(kindExpected)));
  if (kinds.size === 0) return wrongType(param, value, 'an object');
  return wrongType(param, value, `one of ${[...kinds].join(' or ')}`);
}

function kindExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return EXPECTED[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return listed(issue.values);
  return 'an object';
}

function wrongValue(param: string, value: unknown, supported: readonly unknown[]): InvalidRequest {
  if (value === undefined) return wrongType(param, value, '');
  if (typeof value !== 'string') return wrongType(param, value, `one of ${listed(supported)}`);
  // The value is repeated to the caller, so its length is bounded.
  return refuse(
    'invalid_value',
    param,
    `Invalid value: '${value.slice(0, 100)}'. Supported values are: ${listed(supported)}.`,
  );
}

function listed(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')}${quoted.length > 2 ? ',' : ''} and ${quoted.at(-1)}`;
}

function tooBig(param: string, issue: Issue<'too_big'>, value: unknown, number: string): InvalidRequest {
  const limit = String(issue.maximum);
  if (Array.isArray(value)) {
    return refuse(
      'array_above_max_length',
      param,
      `Invalid '${param}': array too long. Expected an array with maximum length ${limit}, but got an array with length ${value.length} instead.`,
    );
  }
  if (typeof value === 'string') {
    return refuse(
      'string_above_max_length',
      param,
      `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${value.length} instead.`,
    );
  }
  return refuse(
    `${number}_above_max_value`,
    param,
    `Invalid '${param}': ${number} above maximum value. Expected a value <= ${limit}, but got ${String(value)} instead.`,
  );
}

function tooSmall(param: string, issue: Issue<'too_small'>, value: unknown, number: string): InvalidRequest {
  const limit = String(issue.minimum);
  if (Array.isArray(value)) {
    return refuse(
      'empty_array',
      param,
      `Invalid '${param}': array too short. Expected an array with minimum length ${limit}, but got an array with length ${value.length} instead.`,
    );
  }
  if (typeof value === 'string') {
    return refuse(
      'empty_string',
      param,
      `Invalid '${param}': string too short. Expected a string with minimum length ${limit}, but got a string with length ${value.length} instead.`,
    );
  }
  return refuse(
    `${number}_below_min_value`,
    param,
    `Invalid '${param}': ${number} below minimum value. Expected a value >= ${limit}, but got ${String(value)} instead.`,
  );
}

function refuse(code: string, param: string, message: string): InvalidRequest {
  return new InvalidRequest(code, param === '' ? null : param, message);
}
