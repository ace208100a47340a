import { afterAll, describe, expect, test } from '@jest/globals';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import { onnxRuntime } from '../../../engines/fetching/engineList.ts';
import { fetchEngine } from '../../../engines/fetching/fetchEngine.ts';
import { miniLm } from '../../../engines/fetching/textEngines.ts';
import { startEmbeddedModel } from '../../support/embeddedModel.ts';

const model = 'all-minilm-l6-v2';

for (const engine of [onnxRuntime, miniLm]) await fetchEngine(engine, { dataDir: '.data', onProgress: () => {} });
const embedded = await startEmbeddedModel({ EMBEDDED_ENGINES: 'neural' });
afterAll(() => embedded.stop());

const embed = async (input: EmbeddingCreateParams['input'], more: Partial<EmbeddingCreateParams> = {}) =>
  embedded.client.embeddings.create({ model, input, encoding_format: 'float', ...more });
const dot = (one: number[], other: number[]) => one.reduce((sum, value, at) => sum + value * other[at]!, 0);

// Each first text is closer to the second than to the third.
const TRIPLETS = [
  ['A cat sat on the mat.', 'A kitten rests on a rug.', 'Shares fell sharply today.'],
  ['How do I reset my password?', 'I forgot my login and cannot sign in.', 'What are your opening hours?'],
  ['The invoice is overdue.', 'Payment of the bill is late.', 'The train was late because of snow.'],
  ['He plays the violin.', 'She is a musician.', 'He plays football on Sundays.'],
  ['It is going to rain tomorrow.', 'The forecast says wet weather.', 'The desert is dry and hot.'],
  ['Restart the server.', 'Reboot the machine.', 'The waiter brought the menu.'],
  ['This film was awful.', 'I hated the movie.', 'I loved the movie.'],
  ['Python is a programming language.', 'Write code in Java.', 'The snake swallowed a mouse.'],
  ['The bank raised interest rates.', 'Borrowing money became more expensive.', 'We sat on the bank of the river.'],
  ['Cancel my subscription.', 'I want to stop paying for the plan.', 'I want to upgrade my plan.'],
];

describe('vectors of MiniLM', () => {
  test('are close for texts that mean the same', async () => {
    const { data } = await embed(TRIPLETS.flat());
    const vectors = data.map(({ embedding }) => embedding);
    const right = TRIPLETS.filter((_, at) => {
      const [text, near, far] = vectors.slice(at * 3, at * 3 + 3) as [number[], number[], number[]];
      return dot(text, near) > dot(text, far);
    });
    expect(right.length).toBeGreaterThanOrEqual(8);
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5);
  });

  test('have 384 dimensions or fewer, and count tokens', async () => {
    const [whole, short] = [await embed('A cat sat.'), await embed('A cat sat.', { dimensions: 64 })];
    expect(whole.model).toBe(model);
    expect(whole.usage.prompt_tokens).toBe(4);
    const [long, cut] = [whole.data[0]!.embedding, short.data[0]!.embedding];
    expect([long.length, cut.length]).toEqual([384, 64]);
    expect(dot(cut, cut)).toBeCloseTo(1, 5);
    expect(cut[0]! / cut[1]!).toBeCloseTo(long[0]! / long[1]!, 4);
  });

  test('are the same for a text, its tokens and base64', async () => {
    const text = (await embed('the')).data[0]!.embedding;
    const tokens = (await embed([1996])).data[0]!.embedding;
    const encoded = (await embedded.client.embeddings.create({ model, input: 'the' })).data[0]!.embedding;
    for (const other of [tokens, encoded]) expect(dot(text, other)).toBeCloseTo(1, 5);
  });

  test('refuse what the model cannot take, by name', async () => {
    await expect(embed('cat', { dimensions: 385 })).rejects.toMatchObject({ status: 400, param: 'dimensions' });
    await expect(embed([[1_000_000]])).rejects.toMatchObject({ status: 400, param: 'input' });
    await expect(embed('word '.repeat(600))).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });
});
