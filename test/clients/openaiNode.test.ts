import { describe, expect, test } from '@jest/globals';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionChunk, ChatCompletionTool } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { Script } from '../../rules/scripted/script.ts';
import { embeddingModel, textModel as model } from '../support/startApi.ts';
import { collect } from '../support/streams.ts';
import { until } from '../support/until.ts';
import { openClientStage } from './clientStage.ts';

const Town = z.object({ name: z.string(), people: z.number() });
const bonn = { name: 'Bonn', people: 330_000 };
const weather: ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
  },
};
const weatherCalls = ['Bonn', 'Köln'].map((town) => ({ name: 'weather', arguments: JSON.stringify({ town }) }));

const { stage, client } = await openClientStage();

function asking(script: Script = {}) {
  return [{ role: 'user' as const, content: JSON.stringify({ scripted: script }) }];
}

function textOf(chunks: ChatCompletionChunk[], index = 0): string {
  const choices = chunks.flatMap((chunk) => chunk.choices).filter((choice) => choice.index === index);
  return choices.map(({ delta }) => delta.content ?? '').join('');
}

describe('chat completions', () => {
  test('return whole answers, with usage and a request id', async () => {
    const answer = await client.chat.completions.create({ model, messages: asking({ text: 'Hello world' }) });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model,
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          logprobs: null,
          message: { role: 'assistant', content: 'Hello world', refusal: null },
        },
      ],
      usage: { completion_tokens: 2 },
      _request_id: expect.stringMatching(/^req_/),
    });
    expect(answer.usage?.prompt_tokens).toBe(stage.upstream.calls()[0]?.promptTokens);
  });

  test('have their price in a header, and are billed that price', async () => {
    const beforeNanos = await stage.balanceNanos();
    const call = client.chat.completions.create({ model, messages: asking({ text: 'Hello world' }) });
    const { data, response } = await call.withResponse();
    const costNanos = (data.usage?.prompt_tokens ?? 0) * 300 + 2 * 2500;
    expect(Number(response.headers.get('x-cost-usd'))).toBeCloseTo(costNanos / 1e9, 9);
    expect(await stage.balanceNanos()).toBe(beforeNanos - BigInt(costNanos));
  });

  test('forward every accepted parameter unchanged', async () => {
    const parameters = {
      temperature: 0.1,
      top_p: 0.9,
      seed: 7,
      max_completion_tokens: 50,
      stop: [' stop'],
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      logit_bias: { 1: -1 },
      logprobs: true,
      top_logprobs: 0,
      response_format: zodResponseFormat(Town, 'town'),
      tools: [weather],
      tool_choice: 'none' as const,
      n: 2,
      user: 'u',
      reasoning_effort: 'low' as const,
    };
    const messages = [{ role: 'system' as const, content: 'Be brief.' }, ...asking({ text: 'one two stop three' })];
    const answer = await client.chat.completions.create({ model, messages, ...parameters });
    expect(answer.choices.map(({ message }) => message.content)).toEqual(['one two', 'one two']);
    const sent = JSON.parse(JSON.stringify(parameters)) as object;
    expect(stage.upstream.calls()[0]?.body).toMatchObject({ ...sent, messages, model: 'scripted' });
  });

  test('stream the role first, then text, the reason last, and no usage by default', async () => {
    const script = { text: 'Grüße, 世界 👩‍🚀!' };
    const chunks = await collect(client.chat.completions.create({ model, messages: asking(script), stream: true }));
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(textOf(chunks)).toBe(script.text);
    const reasons = chunks.map(({ choices }) => choices[0]?.finish_reason);
    expect(reasons).toEqual([...chunks.slice(1).map(() => null), 'stop']);
    expect(chunks.some((chunk) => chunk.usage)).toBe(false);
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1);
  });

  test('stream usage of all choices in one last chunk when requested', async () => {
    const options = { n: 2, stream: true as const, stream_options: { include_usage: true } };
    const chunks = await collect(
      client.chat.completions.create({ model, messages: asking({ text: 'Hello world' }), ...options }),
    );
    expect([textOf(chunks, 0), textOf(chunks, 1)]).toEqual(['Hello world', 'Hello world']);
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } });
  });

  test('call tools in parallel, whole and streamed', async () => {
    const request = { model, messages: asking({ toolCalls: weatherCalls }), tools: [weather] };
    const whole = await client.chat.completions.create(request);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    for (const { choices } of [whole, streamed]) {
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { content: null, tool_calls: weatherCalls.map((call) => ({ type: 'function', function: call })) },
      });
    }
  });

  test('run the loop of the tool helper', async () => {
    stage.upstream.script({ text: 'ignored' });
    const asked: unknown[] = [];
    const tool = zodFunction({
      name: 'weather',
      parameters: z.object({ town: z.string() }),
      function: ({ town }) => {
        asked.push(town);
        // From here on the model answers with text.
        stage.upstream.script({ text: `Sunny in ${town}.` });
        return 'sunny';
      },
    });
    stage.upstream.script({ toolCalls: weatherCalls.slice(0, 1) });
    const messages = [{ role: 'user' as const, content: 'How is the weather?' }];
    const runner = client.chat.completions.runTools({ model, messages, tools: [tool] });
    expect(await runner.finalContent()).toBe('Sunny in Bonn.');
    expect(asked).toEqual(['Bonn']);
  });

  test('parse a JSON schema into a type, whole and streamed', async () => {
    const request = {
      model,
      messages: asking({ text: JSON.stringify(bonn) }),
      response_format: zodResponseFormat(Town, 'town'),
    };
    expect((await client.chat.completions.parse(request)).choices[0]?.message.parsed).toEqual(bonn);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(bonn);
    expect(stage.upstream.calls()[0]?.body.response_format).toMatchObject({ type: 'json_schema' });
  });

  test('end at the token limit', async () => {
    const answer = await client.chat.completions.create({ model, messages: asking(), max_completion_tokens: 3 });
    expect(answer).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 3 } });
  });

  test('count reasoning as output', async () => {
    const messages = asking({ reasoning: 'Let me think', text: 'Yes' });
    const { usage } = await client.chat.completions.create({ model, messages });
    expect(usage).toMatchObject({ completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 3 } });
  });

  test("abort the upstream's endless answer when the client leaves the stream", async () => {
    const messages = asking({ fault: 'endless', delayMs: 5 });
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await until(() => stage.upstream.calls()[0]?.aborted === true);
  });
});

describe('completions', () => {
  test('return one choice for each prompt', async () => {
    const answer = await client.completions.create({ model, prompt: ['one', 'two'], n: 2, max_tokens: 5 });
    expect(answer.object).toBe('text_completion');
    expect(answer.choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, 'length'],
      [1, 'length'],
      [2, 'length'],
      [3, 'length'],
    ]);
    expect(answer.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 20 });
  });

  test('are streamed', async () => {
    const prompt = asking({ text: 'Hello big world' })[0]?.content ?? '';
    const options = { stream: true as const, stream_options: { include_usage: true } };
    const chunks = await collect(client.completions.create({ model, prompt, ...options }));
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('Hello big world');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } });
  });
});

describe('embeddings', () => {
  test('are the same as base64 and as numbers', async () => {
    const input = ['one', 'two'];
    const packed = await client.embeddings.create({ model: embeddingModel, input, dimensions: 6 });
    const plain = await client.embeddings.create({
      model: embeddingModel,
      input,
      dimensions: 6,
      encoding_format: 'float',
    });
    expect(packed.data.map(({ embedding }) => embedding)).toEqual(plain.data.map(({ embedding }) => embedding));
    expect(plain.data.map(({ index, object }) => [index, object])).toEqual([
      [0, 'embedding'],
      [1, 'embedding'],
    ]);
    expect(plain).toMatchObject({
      object: 'list',
      model: embeddingModel,
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
  });
});

describe('models', () => {
  test('are listed, and each can be retrieved', async () => {
    const models = await collect(client.models.list());
    expect(models.map(({ id }) => id)).toEqual(expect.arrayContaining([model, embeddingModel]));
    for (const listed of models) expect(await client.models.retrieve(listed.id)).toMatchObject({ ...listed });
  });

  test('that do not exist answer 404, whatever characters their names have', async () => {
    await expect(client.models.retrieve('vendor/no.such:model')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });
});
