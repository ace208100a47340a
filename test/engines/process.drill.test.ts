import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { collect } from '../support/streams.ts';
import { embeddedModelId as model, startEmbeddedModel } from '../support/embeddedModel.ts';
import type { EmbeddedModel } from '../support/embeddedModel.ts';
import { until } from '../support/until.ts';

// Starts faster than a context of the usual size.
const small = { EMBEDDED_CONTEXT_TOKENS: '512' };

let embedded: EmbeddedModel;

const longAnswer = {
  model,
  messages: [{ role: 'user' as const, content: 'Tell a long story.' }],
  logit_bias: { 2: -100 },
};

function openStream(signal?: AbortSignal) {
  return embedded.client.chat.completions.create({ ...longAnswer, stream: true }, { signal });
}

async function health(): Promise<{ status: string; running: number; waiting: number }> {
  const response = await fetch(embedded.url.replace('/v1', '/health'));
  return (await response.json()) as { status: string; running: number; waiting: number };
}

describe('the running process', () => {
  beforeAll(async () => {
    embedded = await startEmbeddedModel({ ...small, EMBEDDED_QUEUE_MAX: '1' });
  });
  afterAll(() => embedded.stop());

  test('lists its model, reports its health, and answers JSON errors for unknown paths and invalid JSON', async () => {
    expect((await embedded.client.models.list()).data.map((entry) => entry.id)).toEqual([
      model,
      'all-minilm-l6-v2',
      'qwen2.5-coder-1.5b',
      'rehearsal',
    ]);
    expect(await health()).toMatchObject({ status: 'ok', running: 0, waiting: 0 });
    expect((await fetch(`${embedded.url}/nothing`)).status).toBe(404);
    const broken = await fetch(`${embedded.url}/chat/completions`, { method: 'POST', body: '{' });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: 'invalid_json', param: null } });
  });

  test('refuses the model of agents where the configuration does not ask for it', async () => {
    const asked = embedded.client.chat.completions.create({
      model: 'qwen2.5-coder-1.5b',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    await expect(asked).rejects.toMatchObject({ status: 503, code: 'model_unavailable' });
  });

  test('refuses with 503 and retry-after when its queue is full, until a client disconnects', async () => {
    const clients = [new AbortController(), new AbortController(), new AbortController()];
    const running = [await openStream(clients[0]!.signal), await openStream(clients[1]!.signal)];
    expect(running).toHaveLength(2);
    const waiting = openStream(clients[2]!.signal).catch(() => 'left');
    await until(async () => (await health()).waiting === 1);

    const refused = await fetch(`${embedded.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(longAnswer),
    });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } });

    clients[2]!.abort();
    expect(await waiting).toBe('left');
    for (const client of clients) client.abort();
    await until(async () => {
      const { running: left, waiting: queued } = await health();
      return left === 0 && queued === 0;
    });
  });

  test('serves a short call between the choices of longer ones that use all places', async () => {
    const ended: string[] = [];
    const many = { ...longAnswer, n: 8, max_tokens: 8 };
    const long = [1, 2].map(() => embedded.client.chat.completions.create(many).then(() => ended.push('long')));
    await until(async () => (await health()).running === 2);
    const short = embedded.client.chat.completions
      .create({ ...longAnswer, max_tokens: 1 })
      .then(() => ended.push('short'));
    await Promise.all([...long, short]);
    expect(ended).toEqual(['short', 'long', 'long']);
  });

  test('stops generating a whole answer when its client disconnects', async () => {
    const client = new AbortController();
    const asked = embedded.client.chat.completions.create(longAnswer, { signal: client.signal }).catch(() => 'left');
    await until(async () => (await health()).running === 1);
    client.abort();
    expect(await asked).toBe('left');
    await until(async () => (await health()).running === 0);
  });
});

describe('the process at its start and its end', () => {
  afterEach(() => embedded.stop());

  test('answers 503 with instructions when the model file is missing', async () => {
    embedded = await startEmbeddedModel({ EMBEDDED_MODEL_FILE: '/nowhere/model.gguf' });
    // It listens before it has looked for the file.
    await until(async () => (await health()).status === 'unavailable');
    const asked = embedded.client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] });
    await expect(asked).rejects.toMatchObject({
      status: 503,
      code: 'model_unavailable',
      type: 'api_error',
      message: expect.stringContaining('EMBEDDED_MODEL_FILE'),
    });
  });

  test('finishes a short answer on SIGTERM, and exits with 0', async () => {
    embedded = await startEmbeddedModel(small);
    const stream = await embedded.client.chat.completions.create({ ...longAnswer, max_tokens: 4, stream: true });
    const exited = once(embedded.child, 'exit');
    const chunks = [];
    // After its role and its first word: the slowest part is over.
    for await (const chunk of stream) if (chunks.push(chunk) === 2) embedded.child.kill('SIGTERM');
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('length');
    expect(await exited).toEqual([0, null]);
  });

  test('ends with its parent: when standard input closes, even during a long answer', async () => {
    embedded = await startEmbeddedModel(small);
    const stream = await openStream();
    const exited = once(embedded.child, 'exit');
    embedded.child.stdin!.end();
    await expect(collect(stream)).rejects.toThrow();
    expect(await exited).toEqual([0, null]);
  });
});
