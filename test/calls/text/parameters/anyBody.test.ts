import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ChatInput, parseChat } from '../../../../calls/text/chat/chatInput.ts';
import { CompletionsInput, parseCompletions } from '../../../../calls/text/chat/completionsInput.ts';
import { EmbeddingsInput, parseEmbeddings } from '../../../../calls/text/embeddings.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';
import { ResponsesInput } from '../../../../calls/text/responses/responsesInput.ts';
import type { BodySchema } from '../../../../calls/text/parameters/validateBody.ts';
import { refusalOf } from './refusals.ts';

const WORDS = ['text', 'function', 'message', 'json_schema', 'auto', 'user', 'assistant', 'input_text', 'input_image'];
const KEYS = [
  'type',
  'role',
  'content',
  'text',
  'name',
  'function',
  'tool_calls',
  'mode',
  'tools',
  'format',
  '__proto__',
];

/** JSON that resembles valid bodies, with valid and invalid parts. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, 1, -1, 1.5, 1e300, '', ...WORDS),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }),
  ),
}));

test.each<[string, BodySchema, (body: unknown) => unknown, object]>([
  ['chat', ChatInput, parseChat, { model: 'swift', messages: [{ role: 'user', content: 'Hi' }] }],
  ['completions', CompletionsInput, parseCompletions, { model: 'swift', prompt: 'Hi' }],
  ['embeddings', EmbeddingsInput, parseEmbeddings, { model: 'swift', input: 'Hi' }],
  ['responses', ResponsesInput, parseResponses, { model: 'swift', input: 'Hi' }],
])('accepts any JSON in any parameter of %s, or refuses it with its place', (_name, schema, parse, body) => {
  const parameter = fc.constantFrom(...Object.keys(schema.shape));
  fc.assert(
    fc.property(fc.dictionary(parameter, value, { minKeys: 1, maxKeys: 3 }), (wrong) => {
      const refusal = refusalOf(parse, { ...body, ...wrong });
      if (refusal !== null) expect(refusal.param).toMatch(/^\w+/);
    }),
    { numRuns: 500 },
  );
});
