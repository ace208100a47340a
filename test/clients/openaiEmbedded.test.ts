import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { environmentWith, modelFilePath, MODEL_ID } from '../../engines/config.ts';
import { startChild } from '../../ops/stack/process/child.ts';
import { balanceOf, makeAccount } from '../support/account.ts';
import { describeWhen } from '../support/needs.ts';
import { collect } from '../support/streams.ts';
import { makeDatabase, openTestDatabase } from '../support/database.ts';
import { embeddingModel, startApi, textModel as model } from '../support/startApi.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const dataDir = join(root, '.data');
const startTimeoutMs = 300_000;
const question = [{ role: 'user' as const, content: 'What is the capital of France?' }];
const steady = { temperature: 0, seed: 1, max_completion_tokens: 24 };

// `npm start` or `npm run model` fetches the file; these tests do not.
const describeWithModel = describeWhen(existsSync(modelFilePath(dataDir)), 'the embedded model');

describeWithModel('the official Node client, with the embedded model', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;

  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.stop());

  test('gets a correct answer, the same whole and streamed, with the same usage', async () => {
    const whole = await stage.client.chat.completions.create({ model, messages: question, ...steady });
    expect(whole.choices[0]?.message.content).toContain('Paris');
    const options = { stream: true as const, stream_options: { include_usage: true } };
    const request = { model, messages: question, ...steady, ...options };
    const chunks = await collect(stage.client.chat.completions.create(request));
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(chunks.at(-1)?.usage).toMatchObject({
      prompt_tokens: whole.usage?.prompt_tokens,
      completion_tokens: whole.usage?.completion_tokens,
    });
  });

  test('is billed tokens times price', async () => {
    const beforeNanos = await stage.balanceNanos();
    const { usage } = await stage.client.chat.completions.create({ model, messages: question, ...steady });
    const costNanos = (usage?.prompt_tokens ?? 0) * 300 + (usage?.completion_tokens ?? 0) * 2500;
    expect(costNanos).toBeGreaterThan(0);
    expect(beforeNanos - (await stage.balanceNanos())).toBe(BigInt(costNanos));
  });

  test('gets JSON of the requested schema, which its helper parses', async () => {
    const City = z.object({ name: z.string(), is_capital: z.boolean() });
    const request = { model, messages: question, temperature: 0, max_completion_tokens: 100 };
    const format = zodResponseFormat(City, 'city');
    const answer = await stage.client.chat.completions.parse({ ...request, response_format: format });
    expect(City.safeParse(answer.choices[0]?.message.parsed).success).toBe(true);
  });

  test('gets a call of the requested tool', async () => {
    const parameters = { type: 'object', properties: { town: { enum: ['Paris', 'Rome'] } }, required: ['town'] };
    const answer = await stage.client.chat.completions.create({
      model,
      messages: question,
      tools: [{ type: 'function', function: { name: 'show_town', parameters } }],
      tool_choice: { type: 'function', function: { name: 'show_town' } },
      temperature: 0,
    });
    const [call] = answer.choices[0]?.message.tool_calls ?? [];
    if (call?.type !== 'function') throw new Error(`no call of a function: ${JSON.stringify(answer.choices)}`);
    expect(call.function.name).toBe('show_town');
    expect(['Paris', 'Rome']).toContain((JSON.parse(call.function.arguments) as { town: string }).town);
  });

  test('gets responses, whole and streamed', async () => {
    const request = { model, input: 'What is the capital of France?', temperature: 0, max_output_tokens: 24 };
    const whole = await stage.client.responses.create(request);
    const events = await collect(stage.client.responses.create({ ...request, stream: true }));
    const deltas = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''));
    expect(deltas.join('')).toBe(whole.output_text);
    expect(whole.usage?.output_tokens).toBeGreaterThan(0);
  });

  test('gets vectors in which similar texts are close', async () => {
    const input = [
      'The cat sleeps on the sofa.',
      'A cat is sleeping on a couch.',
      'Interest rates rose by half a percent.',
    ];
    const { data, usage } = await stage.client.embeddings.create({ model: embeddingModel, input });
    const [cat, likeCat, rates] = data.map(({ embedding }) => embedding);
    expect(cosine(cat!, likeCat!)).toBeGreaterThan(cosine(cat!, rates!));
    expect(usage.prompt_tokens).toBeGreaterThan(10);
  });
});

function cosine(left: number[], right: number[]): number {
  const dot = left.reduce((sum, value, index) => sum + value * right[index]!, 0);
  return dot / (Math.hypot(...left) * Math.hypot(...right));
}

async function startStage() {
  const modelProcess = await startModel();
  const database = await makeDatabase();
  const db = await openTestDatabase({ url: database.url, spends: false });
  const api = await startApi({ databaseUrl: database.url, upstreamUrl: modelProcess.url, upstreamModel: MODEL_ID });
  const { secret, workspaceId } = await makeAccount(db);
  return {
    client: new OpenAI({ baseURL: `${api.url}/v1`, apiKey: secret, maxRetries: 0 }),
    balanceNanos: () => balanceOf(db, workspaceId),
    stop: async () => {
      await api.stop();
      await modelProcess.stop();
      await db.close();
      await database.drop();
    },
  };
}

async function startModel() {
  const lines: string[] = [];
  const child = await startChild({
    command: process.execPath,
    args: ['engines/main.ts'],
    cwd: root,
    env: environmentWith({ DATA_DIR: dataDir, EMBEDDED_PORT: '0' }),
    onStdout: (line) => lines.push(line),
    onStderr: () => undefined,
    stopSignal: 'SIGTERM',
  });
  const listening = () => lines.find((line) => line.includes('"event":"listening"'));
  await until(() => listening() !== undefined, { pollMs: 50, timeoutMs: startTimeoutMs });
  const { url } = JSON.parse(listening()!) as { url: string };
  return { url, stop: () => child.stop(5000) };
}
