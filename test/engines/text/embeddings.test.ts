import { afterAll, describe, expect, test } from '@jest/globals';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import { embeddedModelId as model, startEmbeddedModel } from '../../support/embeddedModel.ts';

const embedded = await startEmbeddedModel();
afterAll(() => embedded.stop());

function embed(input: EmbeddingCreateParams['input'], more: Partial<EmbeddingCreateParams> = {}) {
  return embedded.client.embeddings.create({ model, input, encoding_format: 'float', ...more });
}

const dot = (one: number[], other: number[]) => one.reduce((sum, value, at) => sum + value * other[at]!, 0);

describe('embeddings', () => {
  test('are unit vectors in which similar texts are close', async () => {
    const { data, usage } = await embed([
      'A cat sat on the mat.',
      'A kitten rests on a rug.',
      'Shares fell sharply today.',
    ]);
    const [cat, kitten, shares] = data.map((entry) => entry.embedding);
    expect(data.map((entry) => entry.index)).toEqual([0, 1, 2]);
    expect(cat).toHaveLength(576);
    expect(dot(cat!, cat!)).toBeCloseTo(1, 5);
    expect(dot(cat!, kitten!)).toBeGreaterThan(dot(cat!, shares!));
    expect(usage).toEqual({ prompt_tokens: usage.prompt_tokens, total_tokens: usage.prompt_tokens });
  });

  test('of a text that is far too long are refused before its tokens are counted', async () => {
    await expect(embed('a'.repeat(3_900_000))).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      message: expect.stringContaining('at least 60938 tokens'),
    });
  });

  test("are the same as base64 (the client's default) and as numbers", async () => {
    const asBase64 = await embedded.client.embeddings.create({ model, input: 'cat' });
    const asFloats = await embed('cat');
    asFloats.data[0]!.embedding.forEach((value, at) => expect(asBase64.data[0]!.embedding[at]).toBeCloseTo(value, 6));
    expect(asFloats.usage.prompt_tokens).toBe(1);
  });

  test('can be shortened, and stay unit vectors', async () => {
    const [vector] = (await embed('cat', { dimensions: 64 })).data;
    expect(vector!.embedding).toHaveLength(64);
    expect(dot(vector!.embedding, vector!.embedding)).toBeCloseTo(1, 5);
  });

  test('of token numbers equal those of their text', async () => {
    const [text, numbers] = [await embed('The'), await embed([[504]])];
    expect(dot(text.data[0]!.embedding, numbers.data[0]!.embedding)).toBeCloseTo(1, 4);
  });

  test('cannot have more dimensions than the model, nor come from a text above its context', async () => {
    await expect(embed('cat', { dimensions: 577 })).rejects.toMatchObject({ status: 400, param: 'dimensions' });
    await expect(embed('word '.repeat(5000))).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });

  test('of another model are not replaced by those of this one while that is missing', async () => {
    const other = embedded.client.embeddings.create({ model: 'all-minilm-l6-v2', input: 'cat' });
    await expect(other).rejects.toMatchObject({ status: 503, code: 'model_unavailable' });
  });
});
