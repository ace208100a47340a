import { describe, expect, test } from '@jest/globals';
import { parseChat } from '../../../../calls/text/chat/chatInput.ts';
import { refusalOf } from '../parameters/refusals.ts';

const body = { model: 'swift', messages: [{ role: 'user', content: 'Hello' }] };
const twice = { type: 'file', file: { file_id: 'file_1', file_data: 'data:application/pdf;base64,AA==' } };
const nowhere = { type: 'file', file: { file_id: null } };
const earlierSound = { role: 'assistant', audio: { id: 'audio_1' } };
const withContent = (content: unknown) => ({ model: 'swift', messages: [{ role: 'user', content }] });

describe('a chat request', () => {
  test('reaches the model unchanged, and returns what the platform needs', () => {
    expect(parseChat(body)).toEqual({
      model: 'swift',
      stream: false,
      includeUsage: false,
      body,
      outputTokensMax: null,
      choices: 1,
    });
  });

  test('forwards every accepted parameter and every unknown member to the model', () => {
    const full = {
      ...body,
      temperature: 2,
      top_p: 0.5,
      seed: 7,
      max_tokens: 20,
      max_completion_tokens: 10,
      stop: ['a', 'b'],
      presence_penalty: -2,
      frequency_penalty: 2,
      logit_bias: { '50256': -100 },
      logprobs: true,
      top_logprobs: 20,
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: { type: 'object' } } },
      tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'find' } },
      n: 3,
      user: 'u',
      reasoning_effort: 'low',
      stream: true,
      stream_options: { include_usage: true },
      modalities: ['text'],
      parallel_tool_calls: false,
      min_p: 0.1,
      chat_template_kwargs: { thinking: false },
    };
    const parsed = parseChat(full);
    expect(parsed.body).toEqual(full);
    expect(parsed).toMatchObject({ stream: true, includeUsage: true, choices: 3, outputTokensMax: 10 });
  });

  test.each([
    [{ role: 'developer', content: 'Be brief.' }],
    [{ role: 'system', content: [{ type: 'text', text: 'Be brief.' }], name: null }],
    [
      {
        role: 'user',
        content: [{ type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', file_id: null } }],
      },
    ],
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] }],
    [{ role: 'assistant', content: null, refusal: null, tool_calls: null, function_call: null, audio: null }],
  ])('accepts the message %j', (message) => {
    const parsed = parseChat({ ...body, messages: [message] });
    expect(parsed.body.messages).toEqual([message]);
  });
});

describe('calls of tools and their results', () => {
  const user = { role: 'user', content: 'Hello' };
  const calls = (...ids: string[]) => ({
    role: 'assistant',
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
  });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: '42' });

  test.each([
    ['in any order', [user, calls('a', 'b'), result('b'), result('a')]],
    ['of two turns', [user, calls('a'), result('a'), calls('a'), result('a'), user]],
    ['none', [user, { role: 'assistant', content: 'Hi', tool_calls: null }]],
  ])('are accepted: %s', (_, messages) => {
    expect(parseChat({ ...body, messages }).body.messages).toEqual(messages);
  });

  test.each([
    ['a result without a call', [user, result('a')], 'messages[1].role', "must follow the assistant's message"],
    ['a result after another message', [calls('a'), result('a'), user, result('a')], 'messages[3].role', 'must follow'],
    ['a result of another call', [calls('a'), result('b')], 'messages[1].tool_call_id', "the id 'b'"],
    ['a call without its result', [user, calls('a', 'b'), result('a'), user], 'messages[1].tool_calls', 'for: b.'],
    ['a last call without its result', [user, calls('a')], 'messages[1].tool_calls', 'for: a.'],
  ])('are refused: %s', (_, messages, param, words) => {
    const refusal = refusalOf(parseChat, { ...body, messages });
    expect(refusal).toMatchObject({ code: 'invalid_value', param });
    expect(refusal!.message).toContain(words);
  });
});

describe('a refused parameter', () => {
  test.each([
    ['audio', { voice: 'alloy', format: 'wav' }],
    ['prediction', { type: 'content', content: 'x' }],
    ['web_search_options', {}],
    ['functions', []],
    ['function_call', 'auto'],
    ['modalities', ['text', 'audio']],
    ['modalities', ['audio']],
    ['modalities', []],
    ['modalities', 'text'],
  ])('%s (%j) is named in an unsupported_parameter error, also for a stream', (param, value) => {
    const refusal = refusalOf(parseChat, { ...body, [param]: value, stream: true });
    expect(refusal).toMatchObject({ code: 'unsupported_parameter', param });
    expect(refusal!.message).toContain(`'${param}'`);
  });

  test.each(['audio', 'prediction', 'web_search_options', 'functions', 'function_call', 'modalities'])(
    '%s counts as not sent when it is null, and is not forwarded',
    (param) => {
      expect(parseChat({ ...body, [param]: null }).body).toEqual(body);
    },
  );

  test.each([
    ['functions', "Send 'tools' instead."],
    ['function_call', "Send 'tool_choice' instead."],
    ['audio', 'POST /v1/audio/speech speaks a text.'],
    ['modalities', 'POST /v1/audio/speech speaks a text.'],
    ['prediction', "Leave it out, or name it in the header 'x-ignored-parameters'."],
    ['web_search_options', "Offer a function of yours in 'tools' that searches."],
  ])('%s is refused with what to do instead: %s', (param, instead) => {
    const refusal = refusalOf(parseChat, { ...body, [param]: 'auto' });
    expect(refusal).toMatchObject({ code: 'unsupported_parameter', param });
    expect(refusal!.message).toMatch(/is not supported with this service\. [A-Z]/);
    expect(refusal!.message.endsWith(` ${instead}`)).toBe(true);
  });

  test('is refused before any other check', () => {
    expect(refusalOf(parseChat, { audio: {}, temperature: 'hot' })).toMatchObject({ param: 'audio' });
  });
});

test('a parameter sent as null counts as not sent', () => {
  const nulls = { seed: null, logprobs: null, stop: null, stream: null, stream_options: null, max_tokens: null };
  expect(parseChat({ ...body, ...nulls })).toEqual(parseChat(body));
});

describe('an invalid chat request is refused with', () => {
  test.each([
    ['no body', undefined, 'invalid_type', null],
    ['a list', [], 'invalid_type', null],
    ['no model', { messages: body.messages }, 'missing_required_parameter', 'model'],
    ['model null', { ...body, model: null }, 'missing_required_parameter', 'model'],
    ['a number as model', { ...body, model: 3 }, 'invalid_type', 'model'],
    ['an endless model', { ...body, model: 'm'.repeat(300) }, 'string_above_max_length', 'model'],
    ['no messages', { model: 'swift' }, 'missing_required_parameter', 'messages'],
    ['empty messages', { ...body, messages: [] }, 'empty_array', 'messages'],
    ['a message that is not an object', { ...body, messages: ['Hello'] }, 'invalid_type', 'messages[0]'],
    ['an unknown role', { ...body, messages: [{ role: 'boss' }] }, 'invalid_value', 'messages[0].role'],
    ['no content', { ...body, messages: [{ role: 'user' }] }, 'missing_required_parameter', 'messages[0].content'],
    ['a number as content', withContent(3), 'invalid_type', 'messages[0].content'],
    ['an unknown part', withContent([{ type: 'smell' }]), 'invalid_value', 'messages[0].content[0].type'],
    ['an empty part', withContent([{ type: 'text' }]), 'missing_required_parameter', 'messages[0].content[0].text'],
    ['a file twice', withContent([twice]), 'invalid_value', 'messages[0].content[0].file.file_id'],
    ['a file nowhere', withContent([nowhere]), 'missing_required_parameter', 'messages[0].content[0].file.file_data'],
    ['an earlier sound', { ...body, messages: [earlierSound] }, 'unsupported_parameter', 'messages[0].audio'],
    ['temperature 2.1', { ...body, temperature: 2.1 }, 'decimal_above_max_value', 'temperature'],
    ['a text as temperature', { ...body, temperature: '1' }, 'invalid_type', 'temperature'],
    ['top_p -1', { ...body, top_p: -1 }, 'decimal_below_min_value', 'top_p'],
    ['n 0', { ...body, n: 0 }, 'integer_below_min_value', 'n'],
    ['a seed of 1.5', { ...body, seed: 1.5 }, 'invalid_type', 'seed'],
    [
      'a long key of metadata',
      { ...body, metadata: { ['k'.repeat(65)]: 'v' } },
      'string_above_max_length',
      `metadata.${'k'.repeat(65)}`,
    ],
    ['n 129', { ...body, n: 129 }, 'integer_above_max_value', 'n'],
    ['n 1.5', { ...body, n: 1.5 }, 'invalid_type', 'n'],
    ['max_tokens 0', { ...body, max_tokens: 0 }, 'integer_below_min_value', 'max_tokens'],
    ['presence_penalty 3', { ...body, presence_penalty: 3 }, 'decimal_above_max_value', 'presence_penalty'],
    ['five stops', { ...body, stop: ['a', 'b', 'c', 'd', 'e'] }, 'array_above_max_length', 'stop'],
    ['a number as stop', { ...body, stop: [1] }, 'invalid_type', 'stop[0]'],
    ['a strong bias', { ...body, logit_bias: { '5': 101 } }, 'decimal_above_max_value', 'logit_bias.5'],
    ['21 top_logprobs', { ...body, logprobs: true, top_logprobs: 21 }, 'integer_above_max_value', 'top_logprobs'],
    ['top_logprobs alone', { ...body, top_logprobs: 2 }, 'invalid_value', 'top_logprobs'],
    [
      'running usage',
      { ...body, stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } },
      'invalid_value',
      'stream_options.continuous_usage_stats',
    ],
    [
      'an unknown option of the stream',
      { ...body, stream: true, stream_options: { heartbeat: 5 } },
      'unsupported_parameter',
      'stream_options.heartbeat',
    ],
    ['stream_options alone', { ...body, stream_options: {} }, 'invalid_value', 'stream_options'],
    ['a text as stream', { ...body, stream: 'yes' }, 'invalid_type', 'stream'],
    ['an unknown format', { ...body, response_format: { type: 'xml' } }, 'invalid_value', 'response_format.type'],
    ['an unknown tool', { ...body, tools: [{ type: 'web' }] }, 'invalid_value', 'tools[0].type'],
    ['an unknown choice', { ...body, tool_choice: 'must' }, 'invalid_value', 'tool_choice'],
    ['an unknown effort', { ...body, reasoning_effort: 'huge' }, 'invalid_value', 'reasoning_effort'],
    ['metadata values', { ...body, metadata: { a: 1 } }, 'invalid_type', 'metadata.a'],
  ])('%s', (_name, wrong, code, param) => {
    const refusal = refusalOf(parseChat, wrong);
    expect({ code: refusal?.code, param: refusal?.param }).toEqual({ code, param });
  });

  test('more than 16 metadata pairs', () => {
    const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v']));
    expect(refusalOf(parseChat, { ...body, metadata })).toMatchObject({ param: 'metadata' });
  });

  test('an error that has the expected and the actual value', () => {
    const temperature = refusalOf(parseChat, { ...body, temperature: 'hot' });
    expect(temperature!.message).toBe("Invalid type for 'temperature': expected a number, but got a string instead.");
    const seed = refusalOf(parseChat, { ...body, seed: 'x' });
    expect(seed!.message).toBe("Invalid type for 'seed': expected an integer, but got a string instead.");
    const tokens = refusalOf(parseChat, { ...body, max_tokens: JSON.parse('1e400') as number });
    expect(tokens!.message).toBe(
      "Invalid type for 'max_tokens': expected an integer, but got a number that is too large instead.",
    );
    const format = refusalOf(parseChat, { ...body, response_format: { type: 'xml' } });
    expect(format!.message).toBe(
      "Invalid value: 'xml'. Supported values are: 'text', 'json_object', and 'json_schema'.",
    );
  });
});

describe('a hostile chat request', () => {
  test('cannot make its error long', () => {
    const refusal = refusalOf(parseChat, { ...body, metadata: { ['k'.repeat(1e6)]: 'v' } });
    expect(refusal!.param!.length).toBeLessThan(300);
    expect(refusalOf(parseChat, { ...body, tool_choice: 'x'.repeat(1e6) })!.message.length).toBeLessThan(300);
  });

  test('with __proto__ members is read by its own members only', () => {
    const hostile: unknown = JSON.parse('{"model":"swift","__proto__":{"messages":[{"role":"user","content":"Hi"}]}}');
    expect(refusalOf(parseChat, hostile)).toMatchObject({ param: 'messages' });
    const refused: unknown = JSON.parse(
      `{"model":"swift","messages":${JSON.stringify(body.messages)},"__proto__":{"audio":1}}`,
    );
    expect(parseChat(refused).model).toBe('swift');
    expect({}).not.toHaveProperty('audio');
  });
});
