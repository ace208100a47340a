import { describe, expect, test } from '@jest/globals';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import type { FunctionTool, ResponseInput, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { z } from 'zod';
import type { Script } from '../../rules/scripted/script.ts';
import { textModel as model } from '../support/startApi.ts';
import { collect } from '../support/streams.ts';
import { until } from '../support/until.ts';
import { openClientStage } from './clientStage.ts';

const Town = z.object({ name: z.string(), people: z.number() });
const bonn = { name: 'Bonn', people: 330_000 };
const weather: FunctionTool = {
  type: 'function',
  name: 'weather',
  strict: true,
  parameters: {
    type: 'object',
    properties: { town: { type: 'string' } },
    required: ['town'],
    additionalProperties: false,
  },
};
const weatherCalls = ['Bonn', 'Köln'].map((town) => ({ name: 'weather', arguments: JSON.stringify({ town }) }));

const { stage, client } = await openClientStage();

function told(script: Script = {}): string {
  return JSON.stringify({ scripted: script });
}

async function eventsOf(script: Script, more: object = {}): Promise<ResponseStreamEvent[]> {
  return collect(client.responses.create({ model, input: told(script), stream: true, ...more }));
}

describe('responses', () => {
  test("return the whole answer, with the request's parameters and the usage", async () => {
    const answer = await client.responses.create({
      model,
      input: told({ text: 'Hello world' }),
      instructions: 'Be brief.',
      temperature: 0.3,
      metadata: { order: '7' },
    });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      status: 'completed',
      model,
      output_text: 'Hello world',
      instructions: 'Be brief.',
      temperature: 0.3,
      metadata: { order: '7' },
      error: null,
      incomplete_details: null,
      usage: { output_tokens: 2, output_tokens_details: { reasoning_tokens: 0 } },
      _request_id: expect.stringMatching(/^req_/),
    });
    expect(answer.usage?.input_tokens).toBe(stage.upstream.calls()[0]?.promptTokens);
    expect(stage.upstream.calls()[0]?.body.messages).toMatchObject([{ content: 'Be brief.' }, { role: 'user' }]);
  });

  test('are incomplete at the token limit', async () => {
    const answer = await client.responses.create({ model, input: 'Hi', max_output_tokens: 16 });
    expect(answer).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 16 },
    });
  });

  test('call functions, accept their output, and store nothing', async () => {
    const question: ResponseInput = [{ role: 'user', content: told({ toolCalls: weatherCalls }) }];
    const options = { model, tools: [weather], store: false, include: ['reasoning.encrypted_content' as const] };
    const first = await client.responses.create({ ...options, input: question });
    const calls = first.output.filter((item) => item.type === 'function_call');
    expect(calls).toMatchObject(weatherCalls);
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: 'sunny' }));
    const answer: ResponseInput = [{ role: 'user', content: told({ text: 'Sunny.' }) }];
    const input = [...question, ...first.output, ...results, ...answer] as ResponseInput;
    const second = await client.responses.create({ ...options, input });
    expect(second.output_text).toBe('Sunny.');
    const sent = stage.upstream.calls()[1]?.body.messages as { role: string }[];
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });

  test('parse a JSON schema into a type, whole and streamed', async () => {
    const request = {
      model,
      input: told({ text: JSON.stringify(bonn) }),
      text: { format: zodTextFormat(Town, 'town') },
    };
    expect((await client.responses.parse(request)).output_parsed).toEqual(bonn);
    expect((await client.responses.stream(request).finalResponse()).output_parsed).toEqual(bonn);
  });
});

describe('the helpers of responses', () => {
  test('send back what they have parsed', async () => {
    const text = { format: zodTextFormat(Town, 'town') };
    const tools = [zodResponsesFunction({ name: 'weather', parameters: z.object({ town: z.string() }) })];
    const said = await client.responses.parse({ model, input: told({ text: JSON.stringify(bonn) }), text });
    const called = await client.responses.parse({ model, input: told({ toolCalls: weatherCalls }), tools });
    const outputs = called.output.map((item) => ({
      type: 'function_call_output' as const,
      call_id: (item as { call_id: string }).call_id,
      output: 'sunny',
    }));
    const input: unknown[] = [...said.output, ...called.output, ...outputs, { role: 'user', content: told() }];
    const answer = await client.responses.create({ model, input: input as ResponseInput, tools });
    expect(answer.status).toBe('completed');
    expect(stage.upstream.calls().at(-1)?.body.messages).toMatchObject([
      { role: 'assistant', content: [{ text: JSON.stringify(bonn) }], tool_calls: [{}, {}] },
      { role: 'tool', content: 'sunny' },
      { role: 'tool', content: 'sunny' },
      { role: 'user' },
    ]);
  });

  test('under their beta name work the same', async () => {
    const answer = await client.beta.responses.create({ model, input: told({ text: 'Hello' }) });
    expect(answer).toMatchObject({ object: 'response', status: 'completed', usage: { output_tokens: 1 } });
  });
});

test("a model's refusal names the request's own parameter, streamed or not", async () => {
  for (const stream of [false, true]) {
    const error = { message: "Unsupported parameter: 'verbosity'.", param: 'verbosity', code: 'unsupported_parameter' };
    const request = client.responses.create({ model, input: told({ status: 400, error }), stream });
    await expect(request).rejects.toMatchObject({
      status: 400,
      param: 'text.verbosity',
      code: 'unsupported_parameter',
    });
  }
});

describe('streamed responses', () => {
  test('send their events in order, numbered without a gap', async () => {
    const events = await eventsOf({ text: 'Hello world' });
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.at(-1)).toMatchObject({ response: { status: 'completed', usage: { output_tokens: 2 } } });
  });

  test("accumulate function calls to the helper's result", async () => {
    const input = told({ text: 'Let me see.', toolCalls: weatherCalls });
    const final = await client.responses.stream({ model, input, tools: [weather] }).finalResponse();
    expect(final.output.map(({ type }) => type)).toEqual(['message', 'function_call', 'function_call']);
    expect(final.output.slice(1)).toMatchObject(weatherCalls);
  });

  test('end as incomplete at the token limit', async () => {
    const events = await eventsOf({}, { max_output_tokens: 16 });
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'incomplete' } });
  });

  test('end as failed when the model breaks, and reveal nothing of the upstream', async () => {
    for (const fault of ['malformed', 'halfClose', 'endEarly', 'errorFrame'] as const) {
      const events = await eventsOf({ fault, faultAfterChunks: 4 });
      expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } });
      expect(JSON.stringify(events)).not.toContain('engine');
    }
  });

  test("abort the upstream's endless answer when the client leaves the stream", async () => {
    const input = told({ fault: 'endless', delayMs: 5 });
    const stream = await client.responses.create({ model, input, stream: true });
    for await (const event of stream) if (event.type === 'response.output_text.delta') break;
    await until(() => stage.upstream.calls()[0]?.aborted === true);
  });
});
