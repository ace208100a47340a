import { describe, expect, test } from '@jest/globals';
import { parseResponses, truncated } from '../../../../calls/text/responses/responsesRequest.ts';
import type { Model } from '../../../../db/catalog/catalog.ts';
import { refusalOf } from '../parameters/refusals.ts';

const body = { model: 'swift', input: 'Hello' };
const chatOf = (more: object) => parseResponses({ ...body, ...more }).body;

describe('a responses request', () => {
  test('becomes a chat request, and returns what the platform needs', () => {
    const parsed = parseResponses({ ...body, max_output_tokens: 9, stream: true });
    expect(parsed).toMatchObject({
      model: 'swift',
      stream: true,
      includeUsage: true,
      outputTokensMax: 9,
      choices: 1,
    });
    expect(parsed.body).toEqual({
      model: 'swift',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      max_completion_tokens: 9,
    });
  });

  test('forwards unknown members to the model unchanged', () => {
    expect(chatOf({ seed: 4, min_p: 0.1, stop: ['x'] })).toMatchObject({ seed: 4, min_p: 0.1, stop: ['x'] });
  });

  test('of coding agents is accepted', () => {
    const agent = {
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
      parallel_tool_calls: true,
      tools: [],
      tool_choice: 'auto',
      truncation: null,
      metadata: null,
    };
    expect(chatOf(agent)).toEqual({
      model: 'swift',
      messages: [{ role: 'user', content: 'Hello' }],
      reasoning_effort: 'low',
    });
  });
});

describe('a refused parameter', () => {
  test.each([
    ['previous_response_id', 'resp_1'],
    ['conversation', 'conv_1'],
    ['background', true],
    ['background_options', {}],
    ['multi_agent', { enabled: true }],
    ['prompt_cache_key', 'k'],
    ['prompt', { id: 'p' }],
    ['context_management', []],
    ['moderation', { model: 'm' }],
    ['n', 2],
    ['audio', {}],
  ])('%s (%j) is named in an unsupported_parameter error, also for a stream', (param, value) => {
    expect(refusalOf(parseResponses, { ...body, [param]: value, stream: true })).toMatchObject({
      code: 'unsupported_parameter',
      param,
    });
  });

  test.each([
    ['previous_response_id', "Send the earlier items in 'input' instead."],
    ['conversation', "Send the earlier items in 'input' instead."],
    ['prompt', "Send 'instructions' and 'input' instead."],
    ['context_management', "Send 'truncation' instead."],
    ['background', 'POST /v1/runs does work that goes on without its caller.'],
    ['prompt_cache_key', "Leave it out, or name it in the header 'x-ignored-parameters'."],
    ['web_search_options', "Offer a function of yours in 'tools' that searches."],
  ])('%s is refused with what to do instead', (param, instead) => {
    expect(refusalOf(parseResponses, { ...body, [param]: 'x' })!.message).toBe(
      `Unsupported parameter: '${param}' is not supported with this service. ${instead}`,
    );
  });

  test.each(['previous_response_id', 'conversation', 'background', 'prompt_cache_key', 'prompt'])(
    '%s counts as not sent when it is null, and is not forwarded',
    (param) => {
      expect(chatOf({ [param]: null })).toEqual(chatOf({}));
    },
  );

  test('background counts as not sent when it is false, and is not forwarded', () => {
    expect(chatOf({ background: false })).toEqual(chatOf({}));
  });

  test.each([
    ['messages', 'input'],
    ['max_tokens', 'max_output_tokens'],
    ['response_format', 'text.format'],
    ['reasoning_effort', 'reasoning.effort'],
  ])('of chat, %s, is refused with its name in responses, %s', (param, name) => {
    const refusal = refusalOf(parseResponses, { ...body, [param]: 'x' });
    expect(refusal).toMatchObject({ code: 'unsupported_parameter', param });
    expect(refusal!.message).toContain(`'${name}'`);
  });
});

describe('an invalid responses request is refused with', () => {
  test.each([
    ['no input', { model: 'swift' }, 'missing_required_parameter', 'input'],
    ['a number as input', { ...body, input: 3 }, 'invalid_type', 'input'],
    ['an empty list', { ...body, input: [] }, 'empty_array', 'input'],
    ['an item of no kind', { ...body, input: [{}] }, 'missing_required_parameter', 'input[0].role'],
    ['messages instead of input', { model: body.model, messages: [] }, 'unsupported_parameter', 'messages'],
    [
      'messages that are null, and no input',
      { model: body.model, messages: null },
      'missing_required_parameter',
      'input',
    ],
    ['an unknown item', { ...body, input: [{ type: 'item_list' }] }, 'invalid_value', 'input[0].type'],
    [
      'a reference without an id',
      { ...body, input: [{ type: 'item_reference' }] },
      'missing_required_parameter',
      'input[0].id',
    ],
    [
      'an image twice',
      withPart({ type: 'input_image', file_id: 'f', image_url: 'data:image/png;base64,AA==', detail: 'auto' }),
      'invalid_value',
      'input[0].content[0].file_id',
    ],
    [
      'a file elsewhere',
      withPart({ type: 'input_file', file_url: 'https://example.com/a.pdf' }),
      'unsupported_parameter',
      'input[0].content[0].file_url',
    ],
    [
      'an image without a source',
      withPart({ type: 'input_image' }),
      'missing_required_parameter',
      'input[0].content[0].image_url',
    ],
    ['an audio part', withPart({ type: 'input_audio' }), 'invalid_value', 'input[0].content[0].type'],
    ['a refusal by the user', withPart({ type: 'refusal', refusal: 'x' }), 'invalid_value', 'input[0].content[0].type'],
    ['a built-in tool', { ...body, tools: [{ type: 'web_search' }] }, 'invalid_value', 'tools[0].type'],
    ['a built-in choice', { ...body, tool_choice: { type: 'mcp' } }, 'invalid_value', 'tool_choice.type'],
    ['truncation', { ...body, truncation: 'middle' }, 'invalid_value', 'truncation'],
    ['no calls', { ...body, max_tool_calls: 0 }, 'integer_below_min_value', 'max_tool_calls'],
    ['an include', { ...body, include: ['web_search_call.results'] }, 'invalid_value', 'include[0]'],
    ['all reasoning', { ...body, reasoning: { context: 'all_turns' } }, 'invalid_value', 'reasoning.context'],
    ['a bad format', { ...body, text: { format: { type: 'xml' } } }, 'invalid_value', 'text.format.type'],
  ])('%s', (_name, wrong, code, param) => {
    const refusal = refusalOf(parseResponses, wrong);
    expect({ code: refusal?.code, param: refusal?.param }).toEqual({ code, param });
  });

  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
  const answered = { type: 'function_call_output', call_id: 'c', output: 'x' };
  const schema = { name: 'town', schema: {} };
  test.each([
    ['input[0].seed', { input: [{ role: 'user', content: 'Hi', seed: 1 }] }],
    ['input[0].content[0].min_p', withPart({ type: 'input_text', text: 'Hi', min_p: 1 })],
    ['input[0].content[0].detail', withPart({ type: 'input_file', file_data: 'data:,', detail: 'high' })],
    ['input[0].namespace', { input: [{ ...call, namespace: 'crm' }] }],
    ['input[0].async', { input: [{ ...call, async: true }] }],
    ['input[0].caller.type', { input: [{ ...answered, caller: { type: 'program', caller_id: 'x' } }] }],
    ['text.tone', { text: { tone: 'dry' } }],
    ['text.format.grammar', { text: { format: { type: 'json_schema', ...schema, grammar: 'x' } } }],
    ['text.format.schema', { text: { format: { type: 'json_object', schema: {} } } }],
    ['reasoning.max_tokens', { reasoning: { max_tokens: 5 } }],
    ['stream_options.include_usage', stream({ include_usage: true })],
    ['tool_choice.strict', { tool_choice: { type: 'function', name: 'f', strict: true } }],
  ])('the name of a member that would not reach the model: %s', (param, wrong) => {
    expect(refusalOf(parseResponses, { ...body, ...wrong })).toMatchObject({
      param,
      code: expect.stringMatching(/^(unsupported_parameter|invalid_value|invalid_type)$/),
    });
  });

  test('the list of item types, when a type is unknown', () => {
    const refusal = refusalOf(parseResponses, { ...body, input: [{ type: 'item_list' }] });
    expect(refusal!.message).toBe(
      "Invalid value: 'item_list'. Supported values are: 'message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'mcp_approval_request', 'mcp_approval_response', 'reasoning', and 'item_reference'.",
    );
  });

  function withPart(part: object) {
    return { ...body, input: [{ role: 'user', content: [part] }] };
  }

  function stream(options: object) {
    return { ...body, stream: true, stream_options: options };
  }
});

test('a conversation is cut by the counts of its session, which count each text once', async () => {
  const messages = ['first', 'second', 'last'].map((content) => ({ role: 'user', content }));
  const count = async (text: string) => (text === 'first' ? 100 : 1);
  const parsed = { body: { messages }, outputTokensMax: 10, request: { truncation: 'auto' as const } };
  const { body } = await truncated(parsed, { contextTokens: 50, outputTokensMax: 10 } as Model, count);
  expect(body.messages).toEqual(messages.slice(1));
});

test('of a conversation of many short messages as many are cut as do not fit', async () => {
  const messages = Array.from({ length: 20 }, () => ({ role: 'user', content: 'short' }));
  const parsed = { body: { messages }, outputTokensMax: 10, request: { truncation: 'auto' as const } };
  const { body } = await truncated(parsed, { contextTokens: 60, outputTokensMax: 10 } as Model, async () => 1);
  expect(body.messages).toHaveLength(9);
});

test('the messages of a conversation are counted one after the other, each once', async () => {
  const messages = Array.from({ length: 20 }, () => ({ role: 'user', content: 'short' }));
  const parsed = { body: { messages }, outputTokensMax: 10, request: { truncation: 'auto' as const } };
  let running = 0;
  let runningMost = 0;
  let contents = 0;
  await truncated(parsed, { contextTokens: 60, outputTokensMax: 10 } as Model, async (text) => {
    if (text === 'short') contents += 1;
    runningMost = Math.max(runningMost, (running += 1));
    await Promise.resolve();
    running -= 1;
    return 1;
  });
  expect({ runningMost, contents }).toEqual({ runningMost: 1, contents: 20 });
});

test('the last turn stays whole: its tool results with their calls', async () => {
  const calls = ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } }));
  const turn = [
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'a', content: 'long' },
    { role: 'tool', tool_call_id: 'b', content: 'short' },
  ];
  const messages = [{ role: 'user', content: 'short' }, ...turn];
  const parsed = { body: { messages }, outputTokensMax: 10, request: { truncation: 'auto' as const } };
  const count = async (text: string) => (text === 'long' ? 100 : 1);
  const { body } = await truncated(parsed, { contextTokens: 60, outputTokensMax: 10 } as Model, count);
  expect(body.messages).toEqual(turn);
});

describe('files after the results of tools', () => {
  const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
  const image = { type: 'input_image', image_url: 'data:,', detail: 'low' };
  const output = { type: 'function_call_output', call_id: 'a' };
  const long = [{ type: 'input_text', text: 'long' }];
  const model = { contextTokens: 120, outputTokensMax: 10 } as Model;
  const count = async (text: string) => (text === 'long' ? 100 : 1);
  const keptOf = async (input: object[]) => {
    const parsed = parseResponses({ model: 'swift', truncation: 'auto', input });
    const { body } = await truncated(parsed, model, count);
    return [body.messages, parsed.body.messages] as [object[], object[]];
  };

  test('stay in the last turn when the tool returned them', async () => {
    const [kept, all] = await keptOf([
      { role: 'user', content: 'short' },
      call,
      { ...output, output: [...long, image] },
    ]);
    expect(kept).toEqual(all.slice(1));
  });

  test('stay when the user sent them, and the turn before is cut', async () => {
    const question = { role: 'user', content: [{ type: 'input_text', text: 'What is this?' }, image] };
    const [kept, all] = await keptOf([call, { ...output, output: long }, question, { role: 'user', content: 'And?' }]);
    expect(kept).toEqual(all.slice(2));
  });
});
