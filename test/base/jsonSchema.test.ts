import { describe, expect, test } from '@jest/globals';
import { faultOfSchema, faultsOfData, isStrictSchema, textOfFaults } from '../../base/jsonSchema.ts';

const order = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Order',
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1, description: 'Where to.' },
    kind: { enum: ['fast', 'cheap', null] },
    parts: { type: 'array', items: { $ref: '#/$defs/part' }, maxItems: 2 },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['city', 'parts'],
  additionalProperties: false,
  $defs: { part: { type: 'object', properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] } },
};

describe('data', () => {
  test('that fits has no faults', () => {
    expect(faultOfSchema(order)).toBeUndefined();
    expect(faultsOfData(order, { city: 'Ulm', kind: null, parts: [{ count: 2, more: true }], note: null })).toEqual([]);
  });

  test.each([
    [{ parts: [] }, 'city'],
    [{ city: '', parts: [] }, 'city'],
    [{ city: 'Ulm', parts: [{ count: 1 }, { count: 0.5 }] }, 'parts.1.count'],
    [{ city: 'Ulm', parts: [], kind: 'slow' }, 'kind'],
    [{ city: 'Ulm', parts: [], note: 3 }, 'note'],
    [{ city: 'Ulm', parts: [], extra: 1 }, ''],
  ])('%j does not fit, at %s', (data, path) => {
    expect(faultsOfData(order, data).map((fault) => fault.path.join('.'))).toEqual([path]);
  });

  test('is not read further than its tenth fault', () => {
    const items = { type: 'object', properties: { a: { anyOf: [{ type: 'number' }, { type: 'null' }] } } };
    let read = 0;
    const data = { a: Array.from({ length: 1_000 }, () => ({ get a() { read += 1; return 'x'; } })) }; // prettier-ignore
    expect(faultsOfData({ type: 'object', properties: { a: { type: 'array', items } } }, data)).toHaveLength(10);
    expect(read).toBeLessThan(100);
  });

  test('that would be tried with very many choices does not fit', () => {
    const last = { type: 'string', maxLength: 1 };
    const anyOf = [...Array.from({ length: 200 }, (_, at) => ({ type: 'string', minLength: at + 2 })), last];
    const schema = { type: 'object', properties: { a: { type: 'array', items: { anyOf } } } };
    const of = (length: number) => ({ a: Array.from({ length }, () => 'x') });
    expect(faultsOfData(schema, of(1_000))).toEqual([]);
    expect(textOfFaults(faultsOfData(schema, of(2_000)))).toMatch(/^a\.\d+: Invalid input: too much data/);
  });

  test('of free members, of members without a value and of texts of a list is checked to its depth', () => {
    const inner = { type: 'object', properties: { b: { enum: ['x', 'y'] } }, required: ['b'] };
    const schema = { type: 'object', properties: {}, additionalProperties: { type: 'array', items: inner } };
    expect(faultsOfData(schema, { any: [{ b: 'x' }, { b: 'y', more: 1 }] })).toEqual([]);
    const faults = faultsOfData(schema, { any: [{ b: 'z' }, {}], other: 1 });
    expect(faults.map(({ path }) => path.join('.'))).toEqual(['any.0.b', 'any.1.b', 'other']);
  });

  test.each([
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, minItems: 1 }, []],
    [{ type: 'array', maxItems: 1 }, [1, 2]],
  ])('of a member %j does not fit as %j', (part, value) => {
    expect(faultsOfData({ type: 'object', properties: { a: part } }, { a: value })).toHaveLength(1);
  });

  test('names its faults in one text', () => {
    expect(textOfFaults(faultsOfData(order, { city: 1, parts: 2 }))).toMatch(/^city: .*string.*; parts: .*array/);
  });
});

describe('a schema', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };
  const wide = { type: 'object', properties: Object.fromEntries([...Array(600).keys()].map((n) => [n, order])) };
  const a = { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] };

  test.each([
    ['no object', [], ''],
    ['another root', { type: 'string' }, 'type'],
    [
      'a regular expression',
      { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } },
      'properties.a.pattern',
    ],
    ['no type', { type: 'object', properties: { a: { description: 'x' } } }, 'properties.a'],
    ['a wrong type', { type: 'object', properties: { a: { type: 'text' } } }, 'properties.a.type'],
    [
      'recursion',
      { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a } },
      'properties.a.anyOf.0.$ref',
    ],
    [
      'a foreign reference',
      { type: 'object', properties: { a: { $ref: 'https://x.example/y' } } },
      'properties.a.$ref',
    ],
    ['an unknown required member', { type: 'object', properties: {}, required: ['a'] }, 'required'],
    [
      'a limit of the wrong kind',
      { type: 'object', properties: { a: { type: 'array', maxItems: -1 } } },
      'properties.a.maxItems',
    ],
    ['too many parts', wide, ''],
  ])('with %s is refused by its place', (_what, schema, path) => {
    expect(faultOfSchema(schema)?.path.join('.')).toBe(path);
  });

  test('may be nested sixteen levels deep, and no deeper', () => {
    expect(faultOfSchema(nested(16))).toBeUndefined();
    expect(faultOfSchema(nested(17))).toMatchObject({ message: expect.stringContaining('16 levels') });
  });

  test('is strict in OpenAI’s sense only when every member is required and none is free', () => {
    const strict = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect([strict, order, { ...strict, required: [] }].map(isStrictSchema)).toEqual([true, false, false]);
  });
});
