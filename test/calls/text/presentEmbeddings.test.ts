import { describe, expect, test } from '@jest/globals';
import { presentEmbeddings } from '../../../calls/text/embeddings.ts';

const usage = { inputTokens: 4, outputTokens: 0 };
const floats = [0, 1, -0.5, 0.25];
const base64 = Buffer.from(new Float32Array(floats).buffer).toString('base64');

describe('embeddings', () => {
  test("have the service's model and the counted usage", () => {
    const reply = { model: 'upstream', data: [{ index: 0, embedding: floats }], usage: { prompt_tokens: 99 } };
    expect(presentEmbeddings(reply, { modelId: 'vectors', encodingFormat: 'float', usage })).toEqual({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: floats }],
      model: 'vectors',
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
  });

  test.each([
    ['numbers', floats, 'float', floats],
    ['base64', floats, 'base64', base64],
    ['numbers', base64, 'float', floats],
    ['base64', base64, 'base64', base64],
  ] as const)('are returned as %s when requested, from %j', (_name, embedding, encodingFormat, expected) => {
    const reply = { data: [{ embedding }] };
    expect(presentEmbeddings(reply, { modelId: 'vectors', encodingFormat, usage }).data[0]!.embedding).toEqual(
      expected,
    );
  });
});
