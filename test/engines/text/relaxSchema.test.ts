import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { relaxSchema } from '../../../engines/text/relaxSchema.ts';
import { SchemaGrammar } from '../../../engines/text/schemaGrammar.ts';

test.each<[string, unknown, unknown]>([
  ['a pattern', { type: 'string', pattern: '^x', minLength: 2 }, { type: 'string', minLength: 2 }],
  ['not', { not: { type: 'string' } }, {}],
  ['a step', { type: 'integer', multipleOf: 5, minimum: 5 }, { type: 'integer', minimum: 5 }],
  ['an unknown format', { type: 'string', format: 'binary', maxLength: 9 }, { type: 'string', maxLength: 9 }],
  [
    'several parts',
    { allOf: [{ properties: { a: true } }, { properties: { b: true }, required: ['b'] }] },
    { properties: { a: true, b: true }, required: ['b'] },
  ],
  ['a part that lists values', { allOf: [{ enum: ['a', 'b'] }], not: { const: 'c' } }, { enum: ['a', 'b'] }],
  [
    'choices beside members',
    { type: 'object', properties: { a: { type: 'null' } }, anyOf: [{ required: ['a'] }] },
    { type: 'object', properties: { a: { type: 'null' } }, required: [] },
  ],
  ['a required member that is not declared', { required: ['a'] }, { properties: { a: true }, required: ['a'] }],
  ['bounds without a number between them', { type: 'integer', minimum: 3, maximum: 2 }, { type: 'integer' }],
  ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, true],
  ['an unknown type', { type: 'file' }, {}],
])('of a schema with %s the other keywords are kept', (_what, schema, kept) => {
  expect(relaxSchema(schema)).toEqual(kept);
});

test.each([
  [{ type: 'object', properties: [] }, "'properties' must be an object"],
  [{ type: 'object', properties: { a: {} }, required: 'a' }, "'required' must be a list"],
])('of a schema to be guaranteed, %j is refused instead of being dropped', (schema, reason) => {
  expect(() => new SchemaGrammar().addSchema(schema, 'schema')).toThrow(reason);
  expect(relaxSchema(schema)).toEqual(expect.any(Object));
});

test('any JSON can be a hint: the grammar accepts it, at worst as any object', () => {
  const words = [
    'type',
    'properties',
    'anyOf',
    'allOf',
    '$ref',
    'items',
    'enum',
    'required',
    'minItems',
    '#/properties/a',
  ];
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...words, 'object', 'string', null, -1, 3),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...words), tie('node'), { maxKeys: 4 }),
    ),
  })).node;
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...words), value, { maxKeys: 5 }), (schema) => {
      const grammar = new SchemaGrammar();
      expect(grammar.toString(grammar.addHint(schema, 'tools[0]'))).toContain('root ::= ');
    }),
    { numRuns: 500 },
  );
});
