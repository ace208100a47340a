import { describe, expect, test } from '@jest/globals';
import { faultsOfAnswer } from '../../../../db/runs/waiting/answerSchema.ts';
import { readQuestion } from '../../../../db/runs/waiting/question.ts';

const read = (args: object) => readQuestion(JSON.stringify({ question: 'Which?', ...args }));
const form = (properties: object, more: object = {}) => ({ schema: { type: 'object', properties, ...more } });

describe('a question', () => {
  test('is a text, a list of choices, a single field, or a form', () => {
    expect(read({})).toEqual({ question: 'Which?' });
    expect(read({ choices: ['S', 'M'], default: 'M' })).toEqual({
      question: 'Which?',
      schema: {
        type: 'object',
        properties: { answer: { title: 'Answer', type: 'string', enum: ['S', 'M'] } },
        required: ['answer'],
      },
      default: { answer: 'M' },
    });
    expect(read({ schema: { type: 'boolean', title: 'Sure?' } })).toMatchObject({
      schema: { properties: { answer: { type: 'boolean', title: 'Sure?' } } },
    });
    const whole = form(
      {
        mail: { type: 'string', format: 'email', title: 'Mail' },
        size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Middle'], default: 's' },
        colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
        extras: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 },
        count: { type: 'integer', minimum: 1, maximum: 9 },
        sure: { type: 'boolean', default: false },
      },
      { required: ['mail'] },
    );
    expect(read({ ...whole, timeout_seconds: 60 })).toEqual({ question: 'Which?', ...whole, timeoutSeconds: 60 });
  });

  test.each<[object, string]>([
    [{ timeout_seconds: 100_000 }, 'timeout_seconds'],
    [{ other: 1 }, 'the arguments'],
    [{ choices: ['a'], ...form({ a: { type: 'string' } }) }, 'choices'],
    [form({}), 'schema.properties'],
    [form({ a: { type: 'object' } }), 'schema.properties.a'],
    [form({ a: { type: 'string', pattern: 'x' } }), 'schema.properties.a'],
    [form({ a: { type: 'string', format: 'ipv4' } }), 'schema.properties.a'],
    [form({ a: { type: 'array', items: { type: 'object' } } }), 'schema.properties.a'],
    [form({ a: { type: 'string' } }, { anyOf: [] }), 'schema.anyOf'],
    [form({ a: { type: 'string' } }, { required: ['b'] }), 'schema.required'],
    [form({ a: { type: 'integer', default: 'x' } }), 'schema.properties.a.default'],
    [{ ...form({ a: { type: 'integer' } }), default: { a: 'x' } }, 'default'],
    [{ ...form({ a: { type: 'integer' }, b: { type: 'integer' } }), default: 3 }, 'default'],
  ])('that cannot be shown is refused by name: %j', (args, name) => {
    const asked = read(args) as { fault?: string };
    expect(asked.fault?.startsWith(`${name}:`)).toBe(true);
  });
});

test('an answer fits the form, or its faults name the fields', () => {
  const { schema } = form(
    { mail: { type: 'string', format: 'email' }, n: { type: 'integer', maximum: 3 } },
    { required: ['mail'] },
  );
  const pathsOf = (data: object) =>
    faultsOfAnswer(schema, data as Record<string, unknown>).map(({ path }) => path.join('.'));
  expect(pathsOf({ mail: 'a@b.example', n: 3 })).toEqual([]);
  expect(pathsOf({ n: 4 })).toEqual(['mail', 'n']);
  expect(pathsOf({ mail: 'a', more: 1 })).toEqual(['more']);
});
