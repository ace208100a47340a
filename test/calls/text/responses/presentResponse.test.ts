import { describe, expect, test } from '@jest/globals';
import { presentResponse } from '../../../../calls/text/responses/presentResponse.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';

const usage = { inputTokens: 5, outputTokens: 4, cachedInputTokens: 2, reasoningTokens: 1 };

function present(message: object, finish_reason = 'stop', request: object = {}, logprobs: object | null = null) {
  const { echo } = parseResponses({ model: 'swift', input: 'Hello', ...request });
  const reply = { id: 'up', model: 'upstream', choices: [{ index: 0, message, finish_reason, logprobs }] };
  return presentResponse(reply, { id: 'resp_1', created: 1700000000, modelId: 'swift', usage, echo });
}

describe('a response', () => {
  test('has every member that typed clients require, null where empty', () => {
    expect(present({ content: 'Hi' })).toEqual({
      id: 'resp_1',
      object: 'response',
      created_at: 1700000000,
      completed_at: expect.closeTo(Date.now() / 1000, -1.5),
      status: 'completed',
      model: 'swift',
      error: null,
      expires_at: 1700086400,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      output: [
        {
          id: expect.stringMatching(/^msg_[0-9A-Za-z]{22}$/),
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
        },
      ],
      parallel_tool_calls: true,
      reasoning: { effort: null, summary: null },
      temperature: null,
      top_p: null,
      top_logprobs: 0,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      tool_choice: 'auto',
      tools: [],
      truncation: 'disabled',
      max_output_tokens: null,
      max_tool_calls: null,
      safety_identifier: null,
      access_programs: null,
      background: false,
      previous_response_id: null,
      store: true,
      usage: {
        input_tokens: 5,
        input_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 9,
      },
    });
  });

  test("repeats its request, with defaults for the tools' strictness and parameters", () => {
    const request = {
      instructions: 'Be brief.',
      metadata: { a: 'b' },
      temperature: 0.5,
      tools: [{ type: 'function', name: 'find' }],
      tool_choice: 'required',
      text: { format: { type: 'json_schema', name: 'x', schema: {} } },
    };
    expect(present({ content: '' }, 'stop', request)).toMatchObject({
      ...request,
      tools: [{ type: 'function', name: 'find', description: null, parameters: {}, strict: false }],
      text: { format: { type: 'json_schema', name: 'x', schema: {}, strict: false } },
    });
  });

  test('has reasoning first, then text, then calls', () => {
    const tool_calls = ['c1', 'c2'].map((id) => ({ id, type: 'function', function: { name: 'find', arguments: id } }));
    const { output } = present({ reasoning_content: 'Hm.', content: 'Looking.', tool_calls }, 'tool_calls');
    expect(output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      { type: 'message', content: [{ text: 'Looking.' }] },
      { type: 'function_call', call_id: 'c1', name: 'find', arguments: 'c1', status: 'completed' },
      { type: 'function_call', call_id: 'c2', name: 'find', arguments: 'c2', status: 'completed' },
    ]);
    expect(output.map(({ id }) => id.split('_')[0])).toEqual(['rs', 'msg', 'fc', 'fc']);
  });

  test.each([{ summary: 'auto' }, { generate_summary: 'detailed' }])(
    'has the reasoning as the summary that %j asks for',
    (reasoning) => {
      const response = present({ reasoning_content: 'Hm.', content: 'Yes' }, 'stop', { reasoning });
      expect(response.reasoning).toEqual({ effort: null, summary: Object.values(reasoning)[0] });
      expect(response.output).toMatchObject([
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], content: [] },
        { type: 'message' },
      ]);
      expect(present({ content: 'Yes' }, 'stop', { reasoning }).output).toMatchObject([{ type: 'message' }]);
    },
  );

  test('shows a call of a custom tool', () => {
    const tool_calls = [{ id: 'c1', type: 'custom', custom: { name: 'shell', input: 'ls' } }];
    expect(present({ content: null, tool_calls }, 'tool_calls').output).toEqual([
      {
        id: expect.stringMatching(/^ctc_/),
        type: 'custom_tool_call',
        status: 'completed',
        call_id: 'c1',
        name: 'shell',
        input: 'ls',
      },
    ]);
  });

  test('with only calls has no message, and an empty one has an empty message', () => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }];
    expect(present({ content: null, tool_calls }).output.map(({ type }) => type)).toEqual(['function_call']);
    expect(present({ content: null }).output).toMatchObject([{ type: 'message', content: [{ text: '' }] }]);
  });

  test('presents a refusal as its own part', () => {
    expect(present({ content: null, refusal: 'No.' }).output).toMatchObject([
      { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]);
  });

  test.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('that ended with %s is incomplete because of %s', (finishReason, reason) => {
    expect(present({ content: 'Hi' }, finishReason)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ status: 'incomplete' }],
    });
  });

  test('has no completion time when it is incomplete', () => {
    expect(present({ content: 'Hi' }, 'length').completed_at).toBeNull();
  });

  test("has the upstream's service tier when there is one", () => {
    const reply = { service_tier: 'flex', choices: [{ message: { content: 'Hi' } }] };
    const { echo } = parseResponses({ model: 'swift', input: 'Hello', service_tier: 'auto' });
    const answer = { id: 'resp_1', created: 1700000000, modelId: 'swift', usage, echo };
    expect(presentResponse(reply, answer).service_tier).toBe('flex');
    expect(present({ content: 'Hi' })).not.toHaveProperty('service_tier');
  });

  test('has log probabilities in its text', () => {
    const top = { token: 'b', logprob: -2, bytes: null };
    const content = [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [top] }];
    const { output } = present({ content: 'a' }, 'stop', {}, { content, refusal: null });
    expect(output).toMatchObject([
      { content: [{ logprobs: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [{ ...top, bytes: [] }] }] }] },
    ]);
  });
});
