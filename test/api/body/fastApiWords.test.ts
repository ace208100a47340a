import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseBody, parseWith } from '../../../api/body/parseWith.ts';
import type { ApiError, ValidationIssue } from '../../../base/errors/apiError.ts';

const Body = z.strictObject({
  text: z.string().min(1).max(3),
  seed: z.int().min(0).optional(),
  speed: z.number().max(4).optional(),
  cost: z.number().positive().lt(9).optional(),
  labels: z.record(z.string().min(1).max(3), z.string()).optional(),
  tags: z.array(z.string()).min(2).optional(),
  kind: z.enum(['a', 'b', 'c']).optional(),
  isLoud: z.boolean().optional(),
  settings: z.object({ style: z.number() }).optional(),
  end: z.union([z.string(), z.object({ id: z.string() })]).optional(),
  part: z
    .discriminatedUnion('type', [z.object({ type: z.literal('x') }), z.object({ type: z.literal('y') })])
    .optional(),
  own: z
    .string()
    .refine((value) => value === 'x', 'Say x.')
    .optional(),
});

function issueOf(parse: (value: unknown) => unknown, value: unknown): ValidationIssue {
  try {
    parse(value);
  } catch (error) {
    return (error as ApiError & { detail: ValidationIssue[] }).detail[0]!;
  }
  throw new Error('it was accepted');
}

test.each<[object, string, string, string]>([
  [{}, 'text', 'Field required', 'missing'],
  [{ text: 5 }, 'text', 'Input should be a valid string', 'string_type'],
  [{ text: '' }, 'text', 'String should have at least 1 character', 'string_too_short'],
  [{ text: 'long' }, 'text', 'String should have at most 3 characters', 'string_too_long'],
  [{ text: 'a', seed: 1.5 }, 'seed', 'Input should be a valid integer', 'int_type'],
  [{ text: 'a', seed: -1 }, 'seed', 'Input should be greater than or equal to 0', 'greater_than_equal'],
  [{ text: 'a', speed: 5 }, 'speed', 'Input should be less than or equal to 4', 'less_than_equal'],
  [{ text: 'a', cost: 0 }, 'cost', 'Input should be greater than 0', 'greater_than'],
  [{ text: 'a', cost: 9 }, 'cost', 'Input should be less than 9', 'less_than'],
  [{ text: 'a', labels: { long: 'b' } }, 'labels.long', 'Key should have at most 3 characters', 'string_too_long'],
  [{ text: 'a', labels: { '': 'b' } }, 'labels.', 'Key should have at least 1 character', 'string_too_short'],
  [{ text: 'a', tags: ['b'] }, 'tags', 'List should have at least 2 items after validation, not 1', 'too_short'],
  [{ text: 'a', tags: 'b' }, 'tags', 'Input should be a valid list', 'list_type'],
  [{ text: 'a', kind: 'd' }, 'kind', "Input should be 'a', 'b' or 'c'", 'literal_error'],
  [
    { text: 'a', isLoud: 'yes' },
    'isLoud',
    'Input should be a valid boolean, unable to parse string as a boolean',
    'bool_parsing',
  ],
  [{ text: 'a', settings: {} }, 'settings.style', 'Field required', 'missing'],
  [{ text: 'a', settings: [] }, 'settings', 'Input should be a valid dictionary', 'dict_type'],
  [{ text: 'a', end: {} }, 'end.id', 'Field required', 'missing'],
  [{ text: 'a', part: { type: 'z' } }, 'part.type', "Input should be 'x' or 'y'", 'literal_error'],
  [{ text: 'a', part: {} }, 'part.type', 'Field required', 'missing'],
  [{ text: 'a', own: 'y' }, 'own', 'Say x.', 'value_error'],
  [{ text: 'a', odd: 1 }, 'odd', 'Extra inputs are not permitted', 'extra_forbidden'],
])('%j is refused in the words of FastAPI', (body, place, msg, type) => {
  expect(issueOf(parseBody(Body), body)).toEqual({ loc: ['body', ...place.split('.')], msg, type });
});

test('a union that is missing is so, whatever its own sentence says', () => {
  const parse = parseBody(z.object({ input: z.union([z.string(), z.array(z.string())], 'A text, or texts.') }));
  const loc = ['body', 'input'];
  expect(issueOf(parse, {})).toEqual({ loc, msg: 'Field required', type: 'missing' });
  expect(issueOf(parse, { input: 5 })).toEqual({ loc, msg: 'A text, or texts.', type: 'value_error' });
});

test.each<[object, string, string]>([
  [{}, 'Field required', 'missing'],
  [{ limit: 'abc' }, 'Input should be a valid number, unable to parse string as a number', 'float_parsing'],
  [{ limit: '1.5' }, 'Input should be a valid integer, unable to parse string as an integer', 'int_parsing'],
])('so is a query of %j', (query, msg, type) => {
  const parse = parseWith(z.object({ limit: z.coerce.number().int() }), 'query');
  expect(issueOf(parse, query)).toEqual({ loc: ['query', 'limit'], msg, type });
});

test.each([
  ['day,hour', "Input should be 'day' or 'model'", 'literal_error'],
  ['', "Input should be 'day' or 'model'", 'literal_error'],
  ['day,day', 'The groups are different ones.', 'value_error'],
])('a part of a text is named by its parameter: %j', (group_by, msg, type) => {
  const groups = z
    .array(z.enum(['day', 'model']))
    .refine((names) => new Set(names).size === names.length, 'The groups are different ones.');
  const split = z
    .string()
    .transform((text) => text.split(','))
    .pipe(groups);
  const parse = parseWith(z.object({ group_by: split }), 'query');
  expect(issueOf(parse, { group_by })).toEqual({ loc: ['query', 'group_by'], msg, type });
});

test('a sentence of a schema that several checks share is listed once', () => {
  const AMOUNT = 'Send an amount from 5 to 1000 with at most two decimals.';
  const schema = z.strictObject({ amount: z.number(AMOUNT).min(5, AMOUNT).max(1000, AMOUNT).multipleOf(0.01, AMOUNT) });
  const detail = [{ loc: ['body', 'amount'], msg: AMOUNT, type: 'value_error' }];
  expect(() => parseWith(schema, 'body')({ amount: -5.001 })).toThrow(expect.objectContaining({ detail }));
});
