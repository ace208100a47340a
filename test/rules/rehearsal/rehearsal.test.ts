import { afterAll, expect, test } from '@jest/globals';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { startEmbeddedModel } from '../../support/embeddedModel.ts';

type Params = Partial<ChatCompletionCreateParamsNonStreaming> & Record<string, unknown>;

// It needs no model file.
const embedded = await startEmbeddedModel({ EMBEDDED_MODEL_FILE: 'no-such-file.gguf' });
afterAll(() => embedded.stop());

const question = [{ role: 'user' as const, content: 'What is the total?' }];
const model = 'rehearsal';
const tools = ['list_files', 'run_code'].map((name) => ({ type: 'function' as const, function: { name } }));

const ask = (params: Params = {}) => embedded.client.chat.completions.create({ model, messages: question, ...params });

test('calls a tool unless tool_choice forbids it', async () => {
  const [called, silent] = await Promise.all([ask({ tools }), ask({ tools, tool_choice: 'none' })]);
  expect(called.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ function: { name: 'list_files' } }] },
  });
  expect(silent.choices[0]!.finish_reason).toBe('stop');
});

test("accepts parameters without effect, and agents' requests", async () => {
  const agent = { tools, max_completion_tokens: 500, parallel_tool_calls: false };
  const drawn = { temperature: 0.1, top_p: 0.9, seed: 4, presence_penalty: 1, logit_bias: {}, logprobs: false };
  const labels = { user: 'u', metadata: { a: 'b' }, store: true, response_format: { type: 'text' as const } };
  await expect(ask({ ...agent, ...drawn, ...labels })).resolves.toMatchObject({ choices: [{ index: 0 }] });
});

const Order = z.strictObject({
  item: z.string().min(3).max(12),
  count: z.int().min(2),
  kind: z.enum(['tea', 'coffee']),
  tags: z.array(z.string()).min(2),
  note: z.string().nullable(),
});

test('answers in the form that structured-output libraries request', async () => {
  const answer = await embedded.client.chat.completions.parse({
    model,
    messages: question,
    response_format: zodResponseFormat(Order, 'order'),
  });
  expect(Order.parse(answer.choices[0]!.message.parsed)).toMatchObject({ count: 2, kind: 'tea' });
  const plain = await ask({ response_format: { type: 'json_object' } });
  expect(JSON.parse(plain.choices[0]!.message.content!)).toEqual({ text: expect.any(String) });
});

test('makes a required call, with matching arguments', async () => {
  const order = { type: 'function' as const, function: { name: 'order', parameters: z.toJSONSchema(Order) } };
  const offered = [...tools, order];
  const choices = [
    { type: 'function' as const, function: { name: 'order' } },
    {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'order' } }] },
    },
  ];
  for (const tool_choice of choices) {
    const answer = await ask({ tools: offered, tool_choice: tool_choice as never });
    const [call] = answer.choices[0]!.message.tool_calls!;
    if (call!.type !== 'function') throw new Error('Not a function call.');
    expect(call!.function.name).toBe('order');
    expect(Order.safeParse(JSON.parse(call!.function.arguments)).success).toBe(true);
  }
  const required = await ask({ tools: [order], tool_choice: 'required' });
  expect(required.choices[0]!.finish_reason).toBe('tool_calls');
});

test.each<[string, Params, string]>([
  ['an unknown parameter', { mood: 'good' }, 'mood'],
  [
    'a call of a tool that is not there',
    { tools, tool_choice: { type: 'function', function: { name: 'x' } } },
    'tool_choice',
  ],
  ['a call that must come, without tools', { tool_choice: 'required' }, 'tool_choice'],
  ['log probabilities', { logprobs: true }, 'logprobs'],
  ['a bias', { logit_bias: { 5: 1 } }, 'logit_bias'],
  ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools[0].type'],
  [
    'an image',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
    'messages[0].content[0].type',
  ],
])('refuses by name %s, streamed or not', async (_, params, param) => {
  for (const stream of [false, true]) {
    await expect(ask({ ...params, stream: stream as false })).rejects.toMatchObject({ status: 400, param });
  }
});

test('refuses other routes with a message that it only answers chats', async () => {
  await expect(embedded.client.completions.create({ model, prompt: 'x' })).rejects.toMatchObject({
    status: 400,
    param: 'model',
  });
});
