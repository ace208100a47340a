import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { fillSchema } from '../../../rules/rehearsal/fillSchema.ts';

const Shape = z.strictObject({
  text: z.string().min(20),
  short: z.string().max(3),
  date: z.iso.datetime(),
  day: z.iso.date(),
  mail: z.email(),
  id: z.uuid(),
  link: z.url(),
  whole: z.int().min(3).max(9),
  small: z.number().max(-1),
  between: z.number().gt(0).lt(1),
  fives: z.int().multipleOf(5).min(7),
  flag: z.boolean(),
  none: z.null(),
  kind: z.literal('order'),
  mood: z.enum(['calm', 'wild']),
  either: z.union([z.null(), z.strictObject({ a: z.string() })]),
  list: z.array(z.strictObject({ a: z.int() })).min(3),
  pair: z.tuple([z.string(), z.int()]),
});

test('the filled value matches its schema', () => {
  const filled = fillSchema(z.toJSONSchema(Shape), 'What is the total?');
  expect(Shape.safeParse(filled).error).toBeUndefined();
});

test('a recursive schema is filled to a limited depth', () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name', 'children'],
  };
  expect(JSON.stringify(fillSchema(tree))).toContain('"children":[]');
  expect(fillSchema({ $ref: '#' })).toBeNull();
  expect(fillSchema({ $ref: '#/$defs/a', $defs: { a: { type: 'integer', minimum: 4 } } })).toBe(4);
});

test('all parts of allOf are filled, and a member called __proto__ is an ordinary member', () => {
  const parts = {
    allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } }, required: ['b', 'c'] }],
  };
  expect(fillSchema(parts, 'x')).toEqual({ a: 1, b: 2, c: 'x' });
  const hostile = fillSchema(
    JSON.parse('{"type": "object", "properties": {"__proto__": {"const": {"polluted": true}}}}'),
  );
  expect(Object.keys(hostile as object)).toEqual(['__proto__']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

describe('a schema that multiplies', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'array', minItems: 100, items: nested(depth - 1) };
  const refusal = {
    code: 'invalid_json_schema',
    status: 400,
    param: 'response_format',
    message: expect.stringContaining('too large'),
  };

  test.each([
    ['nested lists', nested(8)],
    ['a long constant in nested lists', { type: 'array', minItems: 100, items: { const: 'x'.repeat(10_000) } }],
    ['references that branch', branching(true)],
    ['long references', repeated({ $ref: `#/$defs/${'a/'.repeat(50_000)}` })],
    ['long lists of types', repeated({ type: Array.from({ length: 50_000 }, () => 'null') })],
    ['long parts of allOf', repeated({ allOf: Array.from({ length: 50_000 }, () => ({})) })],
  ])('is refused: %s', (_, schema) => {
    expect(() => fillSchema(schema)).toThrow(expect.objectContaining(refusal));
  });

  test('is filled with less where members may be left out', () => {
    const inner = { a: {}, b: {}, c: {}, d: {} };
    expect(fillSchema(branching(false))).toEqual({ a: inner, b: inner, c: inner, d: inner });
  });

  function branching(isRequired: boolean): object {
    const names = ['a', 'b', 'c', 'd'];
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
    return { type: 'object', properties, required: isRequired ? names : [] };
  }

  function repeated(items: object): object {
    return { type: 'array', minItems: 100, items: { type: 'array', minItems: 100, items } };
  }
});
