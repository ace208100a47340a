import { expect, test } from '@jest/globals';
import { iconOf } from '../../console/src/agents/icon.ts';
import { fieldsOf, objectIn } from '../../console/src/agents/schemaFields.ts';
import { csvRows, formOf, rowsOf } from '../../console/src/parts/readable.ts';
import { slugOf } from '../../console/src/publish/slug.ts';

test('JSON and CSV are data, Markdown is recognised, and the rest stays plain', () => {
  expect(formOf('{"a": [1]}')).toEqual({ kind: 'data', value: { a: [1] } });
  expect(formOf('[{"a": 1}, {"a": 2}]')).toMatchObject({ kind: 'data' });
  expect(formOf('# Title\n\nText')).toEqual({ kind: 'markdown' });
  expect(formOf('Just a sentence, with a comma.')).toEqual({ kind: 'plain' });
  expect(formOf('Just a sentence.', true)).toEqual({ kind: 'markdown' });
  expect(formOf('{"cut": "of')).toEqual({ kind: 'plain' });
});

test('an array of objects is a table, anything else is not', () => {
  expect(rowsOf([{ a: 1 }, { b: 2 }])).toHaveLength(2);
  for (const value of [[], [1], [{ a: 1 }, null], { a: 1 }, null]) expect(rowsOf(value)).toBeUndefined();
});

test('CSV has quoted cells, numbers, and as many cells in each line', () => {
  expect(csvRows('name,amount\n"Smith, ""Jo""",12.5\nLee,007')).toEqual([
    { name: 'Smith, "Jo"', amount: 12.5 },
    { name: 'Lee', amount: '007' },
  ]);
  expect(csvRows('a;b\n1;2')).toEqual([{ a: 1, b: 2 }]);
  expect(csvRows('a,b\n1')).toBeUndefined();
  expect(csvRows('a,a\n1,2')).toBeUndefined();
  expect(csvRows('Dear all, hello.\nIt rains, a lot')).toBeUndefined();
});

test('a schema becomes fields by the types of its members, the required ones first', () => {
  const schema = {
    type: 'object',
    required: ['month'],
    properties: {
      currency: { type: 'string', enum: ['EUR', 'USD'] },
      strict: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      nested: { type: 'object' },
      month: { type: 'string', description: 'The month' },
      text: { type: 'string', maxLength: 5000 },
      limit: { type: 'integer' },
    },
  };
  expect(fieldsOf(schema).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'month text',
    'currency choice',
    'strict boolean',
    'tags texts',
    'nested json',
    'text long',
    'limit number',
  ]);
  expect(objectIn('[1]')).toBeUndefined();
  expect(objectIn('{"a":1}')).toEqual({ a: 1 });
});

test('the icon of a name is the same each time, symmetric, and another for another name', () => {
  expect(iconOf('acme/poet')).toEqual(iconOf('acme/poet'));
  expect(iconOf('acme/poet')).not.toEqual(iconOf('acme/poem'));
  const { cells, hue } = iconOf('ledgerline/writer');
  expect(hue).toBeLessThan(6);
  expect(cells.filter(({ x }) => x === 8)).toHaveLength(cells.filter(({ x }) => x === 24).length);
});

test.each([
  ['Poet of rain!', 'poet-of-rain'],
  ['  Écriture & co ', 'ecriture-co'],
  ['---', ''],
])('the name for calls of %j is %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
