import { afterAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { embeddedModelId as model, startEmbeddedModel } from '../../support/embeddedModel.ts';

const embedded = await startEmbeddedModel();
afterAll(() => embedded.stop());

async function answerIn(schema: object, seed = 1): Promise<unknown> {
  const answer = await embedded.client.chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Tell me about Anna, a sailor.' }],
    response_format: { type: 'json_schema', json_schema: { name: 'it', strict: true, schema: { ...schema } } },
    max_tokens: 1_000,
    temperature: 1,
    seed,
  });
  return JSON.parse(answer.choices[0]!.message.content!);
}

describe('response formats', () => {
  test('json_object returns an object', async () => {
    const answer = await embedded.client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Describe Paris as JSON.' }],
      response_format: { type: 'json_object' },
      max_tokens: 80,
    });
    expect(JSON.parse(answer.choices[0]!.message.content!)).toEqual(expect.any(Object));
  });

  test('json_schema is met at any temperature: nesting, references, enumerations, unions, bounds, formats', async () => {
    const Person = z.strictObject({ name: z.string().max(12), tags: z.array(z.string().max(8)).min(1).max(2) });
    const Answer = z.strictObject({
      captain: Person,
      mate: z.union([Person, z.null()]),
      mood: z.enum(['calm', 'wild']),
      age: z.int().min(18).max(99),
      share: z.number().min(0).max(1),
      since: z.iso.date(),
      id: z.uuid(),
      kind: z.literal('sailor'),
      note: z.string().max(10).optional(),
    });
    const schema = z.toJSONSchema(Answer, { reused: 'ref', override: withoutPattern });
    expect(JSON.stringify(schema)).toContain('$ref');
    for (const seed of [1, 2]) Answer.parse(await answerIn(schema, seed));
  });

  test('a recursive schema ends', async () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name', 'children'],
      additionalProperties: false,
    };
    expect(await answerIn(node)).toMatchObject({ name: expect.any(String), children: expect.any(Array) });
  });

  test.each<[string, object]>([
    ['pattern', { type: 'object', properties: { a: { type: 'string', pattern: '^x' } } }],
    ['not', { not: { type: 'string' } }],
    ['uniqueItems', { type: 'array', uniqueItems: true }],
    ["'format'", { type: 'string', format: 'constructor' }],
    ['nested', Array.from({ length: 60 }).reduce<object>((inner) => ({ type: 'array', items: inner }), {})],
    [
      'add up',
      Array.from({ length: 11 }).reduce<object>((inner) => ({ type: 'array', maxItems: 1000, items: inner }), {}),
    ],
    ['leads nowhere', { $ref: '#/$defs/missing' }],
    ["'properties' beside 'anyOf'", { anyOf: [{ type: 'object' }], properties: {} }],
  ])('a schema that cannot be guaranteed is refused by name: %s', async (text, schema) => {
    await expect(answerIn(schema)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_json_schema',
      param: 'response_format.json_schema.schema',
      message: expect.stringContaining(text),
    });
  });
});

/** Zod adds a pattern beside each format, which is redundant. */
function withoutPattern({ jsonSchema }: { jsonSchema: { pattern?: string } }): void {
  delete jsonSchema.pattern;
}
