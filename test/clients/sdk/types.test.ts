import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { agentModule, functionName } from '../../../clients/typescript/cli/agents/agentModule.ts';
import { typeText } from '../../../clients/typescript/cli/agents/typeText.ts';
import type { Agent } from '../../../clients/typescript/src/index.ts';

const packageFolder = join(import.meta.dirname, '../../../clients/typescript');

const text = (members: object = {}) => ({ type: 'string', ...members });

const agent = (changes: object): Agent =>
  ({
    name: 'Poet',
    description: 'Writes verses.',
    version: '2026-11-21',
    input_schema: null,
    output_schema: null,
    pricing: { minimum_cost_usd: 0, maximum_cost_usd: 0.5 },
    deprecation: null,
    ...changes,
  }) as unknown as Agent;

const forecaster = agent({
  name: 'Forecaster',
  description: 'Says what comes. */ process.exit(); /*',
  input_schema: {
    type: 'object',
    properties: {
      city: text({ description: 'Where.\nA city. */ process.exit(); /*', maxLength: 100 }),
      days: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      units: { enum: ['metric', 'imperial'] },
    },
    required: ['city'],
    additionalProperties: false,
  },
  output_schema: {
    type: 'object',
    $defs: {
      hour: {
        type: 'object',
        properties: { at: text({ format: 'date-time' }), rain: { type: 'number' } },
        required: ['at'],
      },
    },
    properties: {
      rain: { type: 'number' },
      sky: { anyOf: [{ enum: ['clear', 'cloudy'] }, { type: 'null' }] },
      hours: { type: 'array', items: { $ref: '#/$defs/hour' } },
    },
    required: ['rain', 'sky', 'hours'],
  },
});

const poet = agent({});

describe('what `ledgerline add` writes', () => {
  test('is the types and the function of an agent, and with zod their checks', async () => {
    const written = (name: string) => readFile(join(packageFolder, 'test/agents', name), 'utf8');
    expect(agentModule(poet, { agent: 'acme/poet', zod: true })).toBe(await written('poet.ts'));
    expect(agentModule(forecaster, { agent: 'acme/forecaster@beta', zod: true })).toBe(await written('forecaster.ts'));
  });

  test.each([
    ['poet', 'poet'],
    ['sales-report-2', 'salesReport2'],
    ['2-poets', 'agent2Poets'],
    ['class', 'classAgent'],
    ['new', 'newAgent'],
  ])('names the function of %s %s', (slug, name) => {
    expect(functionName(slug)).toBe(name);
  });

  test.each<[object, string]>([
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ const: 'a' }, '"a"'],
    [{ enum: [1, null, true] }, '1 | null | true'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [
      { type: 'object', properties: { 'a-b': text() }, additionalProperties: true },
      '{\n  "a-b"?: string;\n  [name: string]: unknown;\n}',
    ],
    [
      {
        allOf: [
          { type: 'object', properties: { a: text() }, required: ['a'] },
          { anyOf: [{ type: 'object' }, { type: 'null' }] },
        ],
      },
      '{\n  a: string;\n} & (Record<string, unknown> | null)',
    ],
  ])('the type of %j', (schema, type) => {
    expect(typeText(schema as never)).toBe(type);
  });
});

test('the compiler accepts what is right, and finds each wrong line', async () => {
  const project = join(packageFolder, 'test');
  const compiler = join(packageFolder, 'node_modules/typescript/bin/tsc');
  const found = await new Promise<string>((resolve) => {
    execFile(process.execPath, [compiler, '-p', project], { cwd: project }, (_error, stdout) => resolve(stdout));
  });
  const lines = (await readFile(join(project, 'wrong.ts'), 'utf8')).split('\n');
  // The compiler counts lines from 1, and the wrong line is the next one.
  const wrong = lines.flatMap((line, at) => (line.startsWith('// Wrong: ') ? [`wrong.ts(${at + 2}`] : []));
  expect(wrong.length).toBeGreaterThan(10);
  expect(found.match(/^[^ ]+\(\d+/gm)).toEqual(wrong);
});
