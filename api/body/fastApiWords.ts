import type { z } from 'zod';
import { countText } from '../../base/sentences.ts';

interface Words {
  msg: string;
  type: string;
}

export const UNKNOWN_MEMBER: Words = { msg: 'Extra inputs are not permitted', type: 'extra_forbidden' };

/** An issue in FastAPI's words; its 422 format is used here. `value` is the invalid value. */
export function inFastApiWords(issue: z.core.$ZodIssue, value: unknown): Words {
  if (value === undefined && issue.code === 'invalid_union') return MISSING;
  // A schema's own sentence is more specific.
  if (!IS_STANDARD.test(issue.message)) return { msg: issue.message, type: 'value_error' };
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? MISSING : wrongType(issue.expected, value);
    case 'too_small':
      return outOfBounds(issue, Number(issue.minimum), SMALL, value);
    case 'too_big':
      return outOfBounds(issue, Number(issue.maximum), BIG, value);
    case 'invalid_value':
      if (value === undefined) return MISSING;
      return { msg: `Input should be ${listed(issue.values)}`, type: 'literal_error' };
    case 'invalid_format':
      if (issue.format !== 'regex') return { msg: `Input should be a valid ${issue.format}`, type: 'value_error' };
      return { msg: `String should match pattern '${String(issue.pattern)}'`, type: 'string_pattern_mismatch' };
    case 'not_multiple_of':
      return { msg: `Input should be a multiple of ${issue.divisor}`, type: 'multiple_of' };
    case 'invalid_union':
      // Of forms that are told apart by a member, such as `type`.
      if ('options' in issue && issue.options) {
        return { msg: `Input should be ${listed(issue.options)}`, type: 'literal_error' };
      }
      return { msg: 'Input should be one of the documented forms', type: 'value_error' };
    case 'unrecognized_keys':
      return UNKNOWN_MEMBER;
    case 'invalid_key':
      return wrongKey(issue);
    case 'invalid_element':
    case 'custom':
    default:
      return { msg: issue.message, type: 'value_error' };
  }
}

/** The sentence about an issue, for errors that have one message. `value` is the whole checked value. */
export const sentenceOf = (issue: z.core.$ZodIssue, value: unknown): string =>
  inFastApiWords(issue, valueAt(value, issue.path)).msg;

/** The value at a path, or the text that it leads into: one that is split before its parts are checked. */
export function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => {
    if (typeof at === 'object' && at !== null) return (at as Record<PropertyKey, unknown>)[step];
    return typeof at === 'string' ? at : undefined;
  }, value);
}

/** The path as far as the caller knows it: not into a text. */
export const sentPath = (value: unknown, path: PropertyKey[]): PropertyKey[] =>
  path.filter((_, at) => typeof valueAt(value, path.slice(0, at)) !== 'string');

const MISSING: Words = { msg: 'Field required', type: 'missing' };
// Messages of the schema library that use its own terms: "received undefined", "received NaN".
const IS_STANDARD = /^(Invalid|Too small|Too big|Unrecognized)\b/;

const KINDS: Record<string, [noun: string, reason: string]> = {
  string: ['string', 'string'],
  number: ['number', 'float'],
  int: ['integer', 'int'],
  boolean: ['boolean', 'bool'],
  array: ['list', 'list'],
  object: ['dictionary', 'dict'],
  record: ['dictionary', 'dict'],
  date: ['datetime', 'datetime'],
};

/** Text instead of a number, as in queries and forms, could not be parsed; any other value has the wrong type. */
function wrongType(expected: string, value: unknown): Words {
  const [noun, reason] = KINDS[expected] ?? [expected, expected];
  const isParsed = typeof value === 'string' && ['float', 'int', 'bool', 'datetime'].includes(reason);
  if (!isParsed) return { msg: `Input should be a valid ${noun}`, type: `${reason}_type` };
  return {
    msg: `Input should be a valid ${noun}, unable to parse string as ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`,
    type: `${reason}_parsing`,
  };
}

/** What the schema of a dictionary's keys says about one. */
function wrongKey({ issues: [about], path, message }: z.core.$ZodIssueInvalidKey): Words {
  if (!about) return { msg: message, type: 'value_error' };
  const { msg, type } = inFastApiWords(about, path.at(-1));
  return { msg: msg.replace(/^(String|Input)\b/, 'Key'), type };
}

interface Bound {
  side: string;
  extreme: string;
  size: string;
  number: string;
}

const SMALL: Bound = { side: 'greater than', extreme: 'least', size: 'short', number: 'greater_than' };
const BIG: Bound = { side: 'less than', extreme: 'most', size: 'long', number: 'less_than' };

type SizeIssue = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

function outOfBounds({ origin, inclusive }: SizeIssue, limit: number, bound: Bound, value: unknown): Words {
  const { side, extreme, size, number } = bound;
  const units = (noun: string) => countText(limit, noun);
  if (origin === 'string')
    return { msg: `String should have at ${extreme} ${units('character')}`, type: `string_too_${size}` };
  if (origin === 'array') {
    const count = Array.isArray(value) ? `, not ${value.length}` : '';
    return { msg: `List should have at ${extreme} ${units('item')} after validation${count}`, type: `too_${size}` };
  }
  if (inclusive === false) return { msg: `Input should be ${side} ${limit}`, type: number };
  return { msg: `Input should be ${side} or equal to ${limit}`, type: `${number}_equal` };
}

function listed(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
