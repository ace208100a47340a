import { describe, expect, test } from '@jest/globals';
import { presentChat } from '../../../../calls/text/chat/chat.ts';

const answer = { id: 'chatcmpl-1', created: 1700000000, modelId: 'swift', usage: { inputTokens: 7, outputTokens: 3 } };

describe('a whole chat answer', () => {
  test('has the id, time and model of the platform, and the counted usage', () => {
    const reply = { id: 'up-1', created: 5, model: 'upstream-model', object: 'x', choices: [], timings: { ms: 3 } };
    expect(presentChat(reply, answer)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1700000000,
      model: 'swift',
      choices: [],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 3,
        total_tokens: 10,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  test('has every member that typed clients require, null where the upstream omitted it', () => {
    const reply = { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] };
    expect(presentChat(reply, answer).choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ]);
  });

  test("keeps the upstream's tool calls, reasoning and log probabilities", () => {
    const tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' } }];
    const logprobs = { content: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }], refusal: null };
    const message = { role: 'assistant', tool_calls, reasoning_content: 'Let me see.' };
    const reply = { choices: [{ index: 1, message, logprobs, finish_reason: 'tool_calls' }], system_fingerprint: 'fp' };
    const presented = presentChat(reply, answer);
    expect(presented.system_fingerprint).toBe('fp');
    expect(presented.choices[0]).toEqual({
      index: 1,
      message: { ...message, content: null, refusal: null },
      logprobs,
      finish_reason: 'tool_calls',
    });
  });

  test('has calls with JSON arguments, also where the upstream wrote none', () => {
    const call = (given: object) => ({ id: 'call_1', type: 'function', function: { name: 'look', ...given } });
    const reply = {
      choices: [{ message: { tool_calls: [call({ arguments: '' }), call({})] }, finish_reason: 'stop' }],
    };
    const { message } = presentChat(reply, answer).choices[0]!;
    expect(message.tool_calls).toEqual([call({ arguments: '{}' }), call({ arguments: '{}' })]);
  });

  test("keeps the upstream's moderation result", () => {
    const moderation = { input: { type: 'error', code: 'x', message: 'y' }, output: { type: 'error' } };
    expect(presentChat({ choices: [], moderation }, answer)).toMatchObject({ moderation });
  });

  test("shows the billed counts even when the upstream's differ, and keeps its further details", () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { audio_tokens: 2 } };
    const counted = { inputTokens: 7, outputTokens: 3, cachedInputTokens: 4, reasoningTokens: 2 };
    expect(presentChat({ usage }, { ...answer, usage: counted }).usage).toEqual({
      prompt_tokens: 7,
      completion_tokens: 3,
      total_tokens: 10,
      prompt_tokens_details: { audio_tokens: 2, cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    });
  });
});
