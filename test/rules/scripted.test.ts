import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { startFixed } from '../../rules/scripted/startFixed.ts';
import type { Json } from '../../providers/provider.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import { countTokens } from '../../providers/metering/tokens.ts';
import { readJson } from '../support/streams.ts';

const upstream = await startScripted();
afterEach(() => upstream.reset());
afterAll(() => upstream.stop());

async function post(path: string, body: Json, url = upstream.url): Promise<string> {
  const response = await fetch(`${url}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return response.text();
}

function chat(script: Script, more: Json = {}): Json {
  return { model: 'm', messages: [{ role: 'user', content: JSON.stringify({ scripted: script }) }], ...more };
}

const streamed = { stream: true, stream_options: { include_usage: true } };

describe('the scripted upstream', () => {
  test('uses the script of the message, the model or the test, in this order', async () => {
    upstream.script({ text: 'by the test', finishReason: 'content_filter' });
    const [choice] = (
      JSON.parse(await post('chat/completions', chat({ text: 'by the message' }))) as { choices: Json[] }
    ).choices;
    expect(choice).toMatchObject({ message: { content: 'by the message' }, finish_reason: 'content_filter' });
    const refused = JSON.parse(await post('chat/completions', { model: 'any:error-400', messages: [] })) as Json;
    expect(refused.error).toMatchObject({ code: 'too_long' });
    upstream.reset();
    expect(await post('chat/completions', { model: 'm', messages: [] })).not.toContain('by the test');
  });

  test('sends one token a chunk, and logs as many tokens as it sent', async () => {
    const text = 'Grüße aus Köln 👩‍🚀, and good night!';
    const chunks = readJson<Json>(await post('chat/completions', chat({ text }, streamed)));
    const tokens = await countTokens(text);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: tokens } });
    expect(upstream.calls()).toMatchObject([{ outputTokens: tokens, chunksSent: chunks.length, aborted: false }]);
  });

  test('spreads the text over the scripted number of chunks', async () => {
    const chunks = readJson<Json>(await post('chat/completions', chat({ text: 'a b c d e f', chunks: 3 }, streamed)));
    // The role, three pieces, the reason, the usage.
    expect(chunks).toHaveLength(6);
  });

  test('reports running usage on every chunk when scripted', async () => {
    const script = { text: 'one two three', continuousUsage: true };
    const chunks = readJson<{ usage?: Json }>(await post('chat/completions', chat(script, { stream: true })));
    expect(chunks.map(({ usage }) => usage?.completion_tokens)).toEqual([0, 1, 2, 3, 3]);
  });

  test('gives the same unit vector for the same input, as numbers and as base64', async () => {
    const input = ['one', 'two', 'one'];
    const plain = JSON.parse(await post('embeddings', { model: 'm', input, dimensions: 4 })) as {
      data: { embedding: number[] }[];
    };
    const [first, second, third] = plain.data.map(({ embedding }) => embedding);
    expect(first).toEqual(third);
    expect(first).not.toEqual(second);
    expect(Math.hypot(...first!)).toBeCloseTo(1, 5);
    const packed = JSON.parse(
      await post('embeddings', { model: 'm', input: 'one', dimensions: 4, encoding_format: 'base64' }),
    ) as {
      data: { embedding: string }[];
    };
    const bytes = Buffer.from(packed.data[0]!.embedding, 'base64');
    expect([0, 4, 8, 12].map((offset) => bytes.readFloatLE(offset))).toEqual(first);
  });

  test('lists its model, and answers 404 for other paths', async () => {
    expect(await (await fetch(`${upstream.url}/models`)).json()).toMatchObject({ data: [{ id: 'scripted' }] });
    expect((await fetch(`${upstream.url}/nothing`)).status).toBe(404);
    expect((await fetch(`${upstream.url}/completions`, { method: 'POST', body: '{' })).status).toBe(400);
  });
});

test('the fixed upstream gives every call the same well-formed answer or stream', async () => {
  const fixed = await startFixed({});
  const body = { model: 'm', messages: [] };
  const answer = JSON.parse(await post('chat/completions', body, fixed.url)) as {
    usage: { completion_tokens: number };
    choices: { message: { content: string } }[];
  };
  const chunks = readJson<{ usage: { completion_tokens: number }; choices: { delta: { content?: string } }[] }>(
    await post('chat/completions', { ...body, stream: true }, fixed.url),
  );
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  const sentence = answer.choices[0]!.message.content;
  expect(text).toBe(Array(8).fill(sentence).join(' '));
  expect(chunks.at(-1)?.usage.completion_tokens).toBe(chunks.filter(({ choices }) => choices[0]?.delta.content).length);
  expect(answer.usage.completion_tokens).toBe(24);
  await fixed.stop();
});
