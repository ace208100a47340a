import type { z } from 'zod';
import type { FoundIssue } from './firstIssue.ts';
import { InvalidRequest, unsupportedParameter } from '../../../base/errors/invalidRequest.ts';

type Issue<Code extends z.core.$ZodIssue['code']> = Extract<z.core.$ZodIssue, { code: Code }>;

/** Renders an issue with OpenAI's words and codes, which clients and their users know. */
export function explainIssue({ issue, path, value, wantsInteger }: FoundIssue): InvalidRequest {
  const param = paramOf(path);
  const number = wantsInteger ? 'integer' : 'decimal';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'null') return unsupportedParameter(param);
      return wrongType(param, value, wantsInteger ? 'an integer' : (EXPECTED[issue.expected] ?? issue.expected));
    case 'invalid_union':
      return noOption(param, issue, value);
    case 'invalid_value':
      return wrongValue(param, value, issue.values);
    case 'too_big':
      return outOfBounds(param, value, number, { ...TOO_BIG, limit: issue.maximum, origin: issue.origin });
    case 'too_small':
      return outOfBounds(param, value, number, { ...TOO_SMALL, limit: issue.minimum, origin: issue.origin });
    case 'invalid_format':
      return refuse(
        'invalid_value',
        param,
        `Invalid '${param}': string does not match pattern ${issue.pattern ?? ''}.`,
      );
    case 'unrecognized_keys':
      return unsupportedParameter(paramOf([...path, issue.keys[0]!]));
    case 'not_multiple_of':
      if (issue.divisor === 1) return wrongType(param, value, 'an integer');
      return otherwise(param, issue);
    case 'invalid_key':
      if (!issue.issues[0]) return otherwise(param, issue);
      return explainIssue({ issue: issue.issues[0], path, value: path.at(-1), wantsInteger: false });
    case 'invalid_element':
    case 'custom':
    default:
      return otherwise(param, issue);
  }
}

const otherwise = (param: string, { message }: z.core.$ZodIssue): InvalidRequest =>
  refuse('invalid_value', param, `Invalid '${param}': ${message}.`);

const PARAM_CHARACTERS_MAX = 200;

/** `['messages', 0, 'content']` is written `messages[0].content`. The length is bounded because keys are the caller's. */
export function paramOf(path: PropertyKey[]): string {
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
  // A field of a form that is no number.
  if (Number.isNaN(value)) return 'a string';
  // JSON's 1e400 is read as infinity.
  if (value === Infinity || value === -Infinity) return 'a number that is too large';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** No option of the union matches: either a tag such as `role` is wrong, or the type is. */
function noOption(param: string, issue: Issue<'invalid_union'>, value: unknown): InvalidRequest {
  const tag = 'discriminator' in issue ? issue.discriminator : undefined;
  if (tag !== undefined && typeof value === 'object' && value !== null) {
    const sent: unknown = Object.hasOwn(value, tag) ? (value as Record<string, unknown>)[tag] : undefined;
    const options = 'options' in issue ? (issue.options ?? []) : [];
    // An optional tag has undefined among its values.
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
  return refuse('invalid_value', param, `Invalid value: ${shown(value)}. Supported values are: ${listed(supported)}.`);
}

/** A value for the caller, to whom it is repeated: its length is bounded. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 100)}'`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

function listed(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')}${quoted.length > 2 ? ',' : ''} and ${quoted.at(-1)}`;
}

/** An array or a text of the wrong length, or a number out of range. */
function outOfBounds(param: string, value: unknown, number: string, bound: Bound): InvalidRequest {
  const { codes, words, limit, origin: sized } = bound;
  // A query has its numbers as text, so the value does not tell.
  if (sized === 'array' || sized === 'string') {
    const { length } = value as string | unknown[];
    const article = sized === 'array' ? 'an array' : 'a string';
    return refuse(
      codes[sized],
      param,
      `Invalid '${param}': ${sized} too ${words.size}. Expected ${article} with ${words.extreme} length ${limit}, but got ${article} with length ${length} instead.`,
    );
  }
  return refuse(
    `${number}_${codes.number}`,
    param,
    `Invalid '${param}': ${number} ${words.side} ${words.extreme} value. Expected a value ${words.sign} ${limit}, but got ${String(value)} instead.`,
  );
}

interface Bound {
  codes: { array: string; string: string; number: string };
  words: { size: string; extreme: string; side: string; sign: string };
  limit: number | bigint;
  /** What is bounded. */
  origin: string;
}

const TOO_BIG = {
  codes: { array: 'array_above_max_length', string: 'string_above_max_length', number: 'above_max_value' },
  words: { size: 'long', extreme: 'maximum', side: 'above', sign: '<=' },
};

const TOO_SMALL = {
  codes: { array: 'empty_array', string: 'empty_string', number: 'below_min_value' },
  words: { size: 'short', extreme: 'minimum', side: 'below', sign: '>=' },
};

function refuse(code: string, param: string, message: string): InvalidRequest {
  return new InvalidRequest(code, param === '' ? null : param, message);
}
