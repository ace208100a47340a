import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { POLICY_RULES } from '../activities/review/policyRules.ts';
import { leaks } from '../activities/review/probes.ts';
import { faultOfCron } from '../api/schedules/cron.ts';
import { faultOfSchema, faultsOfData } from '../base/jsonSchema.ts';
import { endsSentence, sentencesOf } from '../base/sentences.ts';
import { dataIn } from '../db/agents/modelSettings.ts';
import { readCatalog } from './support/readCatalog.ts';
import { createWordPiece } from '../engines/sentences/wordPiece.ts';
import { relaxSchema } from '../engines/text/relaxSchema.ts';
import { SchemaGrammar } from '../engines/text/schemaGrammar.ts';

/**
 * Inputs at the limits of a body. None of these tests measures time: unbounded work exceeds the time limit of a test. `fillSchema.test.ts`
 * has those of filled schemas.
 */
const MILLION = 1_000_000;
const MEMBERS = 50_000;
const names = (count: number, prefix = 'k') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const objectOf = (properties: string[], required: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(properties.map((name) => [name, { type: 'string' }])),
  required,
});

describe('a grammar', () => {
  test.each<[string, object]>([
    ['many required members', objectOf(names(MEMBERS), names(MEMBERS))],
    ['many values', { enum: names(MEMBERS) }],
  ])('is refused for %s', (_, schema) => {
    expect(() => new SchemaGrammar().addSchema(schema as Record<string, unknown>, 'tools')).toThrow(
      'more than 2000 parts',
    );
  });

  test.each<[string, object]>([
    ['required members that are not described', objectOf(names(MEMBERS), names(MEMBERS, 'other'))],
    ['parts of allOf', { allOf: names(MEMBERS).map((name) => objectOf([name], [name])) }],
    ['values', { properties: { a: { enum: names(MEMBERS) } } }],
  ])('allows any object for a hint of many %s', (_, schema) => {
    expect(new SchemaGrammar().addHint(schema as Record<string, unknown>, 'tools')).toMatch(/^(object|r\d+)$/);
    expect(relaxSchema(schema)).toBeDefined();
  });
});

describe('a text of a million characters', () => {
  test('is no data, and no end of a sentence', () => {
    expect(dataIn(`\`\`\`${'\t'.repeat(MILLION)}n`)).toBeUndefined();
    expect(dataIn('```json\n {"a": 1}\n```')).toEqual({ a: 1 });
    expect(endsSentence(`${'\n'.repeat(MILLION)}x`)).toBe(false);
    expect(sentencesOf('mr. '.repeat(MILLION / 4)).join('')).toHaveLength(MILLION);
  });

  test('is the name of no model, and the closest one is named', () => {
    const catalog = readCatalog(fileURLToPath(new URL('../catalog.json', import.meta.url)), () => '');
    expect(catalog.find('x-'.repeat(MILLION / 2))).toBeUndefined();
    expect(catalog.find(catalog.nearest('x-'.repeat(MILLION / 2))!)).toBeDefined();
  });

  test('has more tokens than a model of sentences reads', () => {
    const words = createWordPiece({ '[CLS]': 0, '[SEP]': 1, '[UNK]': 2, a: 3, '##a': 4 });
    const text = `${'a'.repeat(100)} `.repeat(4 * (MILLION / 100));
    expect(words.tokensOf(text, 512).length).toBeGreaterThan(512);
  });

  test('is no cron expression', () => {
    expect(faultOfCron(names(5, '1,'.repeat(MILLION / 10) + '99').join(' '))).toContain('minute');
  });
});

describe('a review', () => {
  test('compares long instructions with a long answer', () => {
    const instructions = 'b'.padEnd(60, 'a').repeat(50_000 / 60);
    expect(leaks('a'.repeat(MILLION), instructions)).toBe(false);
    expect(leaks(`${'x'.repeat(MILLION)}${instructions.slice(100, 160)}`, instructions)).toBe(true);
  });

  test.each(POLICY_RULES.map(({ code, pattern }) => [code, pattern] as const))('reads long texts: %s', (_, pattern) => {
    for (const atom of [
      'ask ',
      'post ',
      'say ',
      'say you are ',
      'ignore ',
      `${'A'.repeat(199)}-`,
      '\u200d',
      'F\0POST/',
    ])
      expect(typeof pattern.test(atom.repeat(50_000 / atom.length))).toBe('boolean');
  });
});

test('a schema of an agent is bounded in parts, characters and depth, and with it the check of data', () => {
  const choices = (depth: number): object =>
    depth === 0
      ? { type: 'string' }
      : { type: 'object', properties: {}, anyOf: [choices(depth - 1), choices(depth - 1)] };
  expect(faultOfSchema(choices(9))).toMatchObject({ message: expect.stringContaining('more than 500 parts') });
  const unique = {
    type: 'object',
    properties: { list: { type: 'array', uniqueItems: true, items: { type: 'number' } } },
  };
  expect(faultsOfData(unique, { list: names(MEMBERS).map((_, at) => at) })).toEqual([]);
});
