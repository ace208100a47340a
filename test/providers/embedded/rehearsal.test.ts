import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { startEmbeddedModel, type EmbeddedModel } from '../../support/embeddedModel.ts';

type Params = Partial<ChatCompletionCreateParamsNonStreaming> & Record<string, unknown>;

let embedded: EmbeddedModel;
// It needs no file.
beforeAll(async () => {
  embedded = await startEmbeddedModel({ EMBEDDED_MODEL_FILE: 'no-such-file.gguf' });
});
afterAll(() => embedded.stop());

const question = [{ role: 'user' as const, content: 'What is the total?' }];
const model = 'rehearsal';
const tools = ['list_files', 'run_code'].map((name) => ({ type: 'function' as const, function: { name } }));

const ask = (params: Params = {}) => embedded.client.chat.completions.create({ model, messages: question, ...params });

test('calls a tool, unless it is told not to', async () => {
  const [called, silent] = await Promise.all([ask({ tools }), ask({ tools, tool_choice: 'none' })]);
  expect(called.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ function: { name: 'list_files' } }] },
  });
  expect(silent.choices[0]!.finish_reason).toBe('stop');
});

test('takes what changes nothing, and what agents send', async () => {
  const agent = { tools, max_completion_tokens: 500, parallel_tool_calls: false };
  const drawn = { temperature: 0.1, top_p: 0.9, seed: 4, presence_penalty: 1, logit_bias: {}, logprobs: false };
  const labels = { user: 'u', metadata: { a: 'b' }, store: true, response_format: { type: 'text' as const } };
  await expect(ask({ ...agent, ...drawn, ...labels })).resolves.toMatchObject({ choices: [{ index: 0 }] });
});

test.each<[string, Params, string]>([
  ['an unknown parameter', { mood: 'good' }, 'mood'],
  ['JSON', { response_format: { type: 'json_object' } }, 'response_format'],
  ['a call that must come', { tools, tool_choice: 'required' }, 'tool_choice'],
  ['a call of this tool', { tools, tool_choice: { type: 'function', function: { name: 'run_code' } } }, 'tool_choice'],
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

test('says on another route that it answers chats alone', async () => {
  await expect(embedded.client.completions.create({ model, prompt: 'x' })).rejects.toMatchObject({
    status: 400,
    param: 'model',
  });
});
