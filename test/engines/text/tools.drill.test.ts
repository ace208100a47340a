import { afterAll, describe, expect, test } from '@jest/globals';
import type { ChatCompletionTool, ChatCompletionToolChoiceOption } from 'openai/resources/chat/completions';
import { embeddedModelId as model, startEmbeddedModel } from '../../support/embeddedModel.ts';

const embedded = await startEmbeddedModel();
afterAll(() => embedded.stop());

const weather: ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
      required: ['city', 'unit'],
      additionalProperties: false,
    },
  },
};
const add: ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'add',
    parameters: {
      type: 'object',
      properties: { a: { type: 'integer', minimum: 1, maximum: 12 }, b: { type: 'integer', minimum: -3, maximum: -2 } },
      required: ['a', 'b'],
    },
  },
};

function ask(
  content: string,
  choice: ChatCompletionToolChoiceOption,
  more: { parallel_tool_calls?: boolean; seed?: number } = {},
) {
  return embedded.client.chat.completions.create({
    model,
    messages: [{ role: 'user', content }],
    tools: [weather, add],
    tool_choice: choice,
    max_tokens: 120,
    ...more,
  });
}

function callsOf(answer: Awaited<ReturnType<typeof ask>>) {
  const calls = answer.choices[0]!.message.tool_calls ?? [];
  return calls.map((call) => {
    if (call.type !== 'function') throw new Error('Not a function call.');
    return {
      id: call.id,
      name: call.function.name,
      input: JSON.parse(call.function.arguments) as Record<string, unknown>,
    };
  });
}

describe('tools', () => {
  test('a required call is always made, with matching arguments', async () => {
    const answer = await ask('Tell me a joke.', 'required', { seed: 3 });
    const calls = callsOf(answer);
    expect(answer.choices[0]!.finish_reason).toBe('tool_calls');
    expect(answer.choices[0]!.message.content).toBeNull();
    expect(calls.length).toBeGreaterThan(0);
    for (const { name } of calls) expect(['get_weather', 'add']).toContain(name);
  });

  test('a named tool is called, once, within its bounds', async () => {
    for (const seed of [1, 2]) {
      const calls = callsOf(
        await ask('What is the weather in Oslo?', { type: 'function', function: { name: 'add' } }, { seed }),
      );
      expect(calls).toHaveLength(1);
      const { a, b } = calls[0]!.input as { a: number; b: number };
      expect(a).toBeGreaterThanOrEqual(1);
      expect(a).toBeLessThanOrEqual(12);
      expect([-3, -2]).toContain(b);
    }
  });

  test('with allowed tools only those are called', async () => {
    const choice = (mode: 'auto' | 'required', name: string): ChatCompletionToolChoiceOption => ({
      type: 'allowed_tools',
      allowed_tools: { mode, tools: [{ type: 'function', function: { name } }] },
    });
    const answer = await ask('What is the weather in Oslo?', choice('required', 'add'), { seed: 1 });
    expect(new Set(callsOf(answer).map(({ name }) => name))).toEqual(new Set(['add']));
    const all = await ask('What is the weather in Oslo?', 'required', { seed: 1 });
    expect(answer.usage!.prompt_tokens).toBeLessThan(all.usage!.prompt_tokens);
    await expect(ask('Hi', choice('auto', 'find'))).rejects.toMatchObject({ status: 400, param: 'tool_choice' });
  });

  test('several calls are made for several tasks, and one when parallel calls are disabled', async () => {
    const content = 'What is the weather in Paris and in London, in celsius?';
    const several = callsOf(await ask(content, 'required', { seed: 1 }));
    expect(several.map((call) => call.input.city)).toEqual(['Paris', 'London']);
    expect(new Set(several.map((call) => call.id)).size).toBe(2);
    expect(callsOf(await ask(content, 'required', { parallel_tool_calls: false }))).toHaveLength(1);
  });

  test('with auto the model may answer in text', async () => {
    const answer = await ask('Say hello.', 'auto', { seed: 1 });
    const isCall = callsOf(answer).length > 0;
    expect(answer.choices[0]!.finish_reason).toBe(isCall ? 'tool_calls' : 'stop');
    expect(Boolean(answer.choices[0]!.message.content)).toBe(!isCall);
  });

  test('with none the model does not see the tools', async () => {
    const [none, auto] = [await ask('Say hello.', 'none'), await ask('Say hello.', 'auto')];
    expect(callsOf(none)).toEqual([]);
    expect(none.usage!.prompt_tokens).toBeLessThan(auto.usage!.prompt_tokens);
  });

  test('a streamed call has its name in the first piece, and argument text in the others', async () => {
    const stream = embedded.client.chat.completions.stream({
      model,
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [weather],
      tool_choice: 'required',
      stream_options: { include_usage: true },
    });
    const pieces: Array<{ id?: string; name?: string }> = [];
    for await (const chunk of stream) {
      for (const call of chunk.choices[0]?.delta.tool_calls ?? [])
        pieces.push({ id: call.id, name: call.function?.name });
    }
    const final = await stream.finalChatCompletion();
    const call = final.choices[0]!.message.tool_calls![0]!;
    if (call.type !== 'function') throw new Error('Not a function call.');
    expect(pieces[0]).toEqual({ id: call.id, name: 'get_weather' });
    expect(pieces.slice(1, 4)).toEqual(Array.from({ length: 3 }, () => ({ id: undefined, name: undefined })));
    expect(JSON.parse(call.function.arguments)).toMatchObject({ city: expect.any(String) });
    expect(final.choices[0]!.finish_reason).toBe('tool_calls');
    expect(final.usage!.completion_tokens).toBeGreaterThan(pieces.length);
  });

  const hinted = {
    type: 'object',
    properties: {
      path: { type: 'string', pattern: '^/', maxLength: 40 },
      size: { type: 'integer', multipleOf: 5, minimum: 5, maximum: 50 },
      target: { oneOf: [{ type: 'string' }, { type: 'null' }], discriminator: { propertyName: 'kind' } },
      mode: { allOf: [{ enum: ['read', 'write'] }], not: { const: 'delete' } },
    },
    patternProperties: { '^x-': { type: 'string' } },
    required: ['path', 'size', 'mode'],
    anyOf: [{ required: ['path'] }, { required: ['target'] }],
  };
  const openTool = (strict?: boolean): ChatCompletionTool => ({
    type: 'function',
    function: { name: 'open', parameters: hinted, ...(strict !== undefined && { strict }) },
  });
  const open = (tool: ChatCompletionTool) =>
    embedded.client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Open the file notes.txt.' }],
      tools: [tool],
      tool_choice: 'required',
      max_tokens: 200,
      seed: 1,
    });

  test('for a tool that is not strict, inexpressible keywords are hints, and the others are met', async () => {
    for (const tool of [openTool(), openTool(false)]) {
      const { input } = callsOf(await open(tool))[0]!;
      expect(input).toMatchObject({ path: expect.any(String), mode: expect.stringMatching(/^(read|write)$/) });
      expect(Number(input.size)).toBeGreaterThanOrEqual(5);
      expect(Number(input.size)).toBeLessThanOrEqual(50);
    }
  });

  test('for a strict tool an inexpressible keyword is refused by name', async () => {
    await expect(open(openTool(true))).rejects.toMatchObject({
      status: 400,
      code: 'invalid_json_schema',
      param: 'tools[0].function.parameters',
    });
  });

  test('a stop text inside the arguments does not break them', async () => {
    const answer = await embedded.client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [weather],
      tool_choice: 'required',
      stop: 'city',
    });
    expect(callsOf(answer)[0]!.input).toHaveProperty('city');
  });
});
