import { describe, expect, test } from '@jest/globals';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';

const chatOf = (more: object) => parseResponses({ model: 'swift', input: 'Hello', ...more }).body;
const messagesOf = (input: unknown, instructions?: string) => chatOf({ input, instructions }).messages;
const call = (id: string, name: string) => ({ type: 'function_call', call_id: id, name, arguments: '{}' });
const chatCall = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
const output = (id: string, text: string) => ({ type: 'function_call_output', call_id: id, output: text });

describe('the messages of a response request', () => {
  test('begin with the instructions', () => {
    expect(messagesOf('Hello', 'Be brief.')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  test('may omit the type, with every role, as text or parts', () => {
    const input = [
      { role: 'developer', content: 'Rule.' },
      { role: 'user', content: [{ type: 'input_text', text: 'What is this?' }] },
      { type: 'message', role: 'assistant', content: 'A cat.' },
    ];
    expect(messagesOf(input)).toEqual([
      { role: 'developer', content: 'Rule.' },
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }] },
      { role: 'assistant', content: 'A cat.' },
    ]);
  });

  test('carry images and files as chat parts', () => {
    const content = [
      { type: 'input_image', image_url: 'https://example.com/cat.png', detail: 'low' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
    ];
    expect(messagesOf([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
        ],
      },
    ]);
  });

  test('carry the images and files of tool outputs in a message of the user, after the results of all calls', () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'low' };
    const file = { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' };
    const input = [
      call('c1', 'draw'),
      call('c2', 'find'),
      { ...output('c1', ''), output: [{ type: 'input_text', text: 'Drawn.' }, image] },
      { ...output('c2', ''), output: [file] },
      { role: 'user', content: 'Go on.' },
    ];
    expect(messagesOf(input)).toEqual([
      { role: 'assistant', content: null, tool_calls: [chatCall('c1', 'draw'), chatCall('c2', 'find')] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'Drawn.' }] },
      { role: 'tool', tool_call_id: 'c2', content: 'Its files are in the next message of the user.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Files of the output of c1:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
          { type: 'text', text: 'Files of the output of c2:' },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
        ],
      },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  test('keep the breakpoints of the prompt cache', () => {
    const prompt_cache_breakpoint = { mode: 'explicit', ttl: '30m' };
    const content = [
      { type: 'input_text', text: 'Long.', prompt_cache_breakpoint },
      { type: 'input_image', image_url: 'data:,', prompt_cache_breakpoint },
      { type: 'input_file', file_data: 'data:,', prompt_cache_breakpoint },
      { type: 'input_text', text: 'Short.', prompt_cache_breakpoint: null },
    ];
    expect(messagesOf([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Long.', prompt_cache_breakpoint },
          { type: 'image_url', image_url: { url: 'data:,' }, prompt_cache_breakpoint },
          { type: 'file', file: { file_data: 'data:,' }, prompt_cache_breakpoint },
          { type: 'text', text: 'Short.' },
        ],
      },
    ]);
  });

  test('are the same when clients send back what they have parsed', () => {
    const said = { type: 'output_text', text: '{}', annotations: [], logprobs: [], parsed: {} };
    const message = { type: 'message', id: 'm', status: 'completed', role: 'assistant', phase: 'final_answer' };
    const sentBack = {
      ...call('c1', 'find'),
      id: 'fc',
      status: 'completed',
      parsed_arguments: {},
      namespace: null,
      async_: null,
    };
    expect(messagesOf([{ ...message, content: [said] }, sentBack, output('c1', 'Rome')])).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: '{}' }], tool_calls: [chatCall('c1', 'find')] },
      { role: 'tool', tool_call_id: 'c1', content: 'Rome' },
    ]);
  });

  test('contain earlier output as sent: one assistant message per turn, without its reasoning', () => {
    const said = { type: 'output_text', text: 'Looking.', annotations: [], logprobs: [] };
    const input = [
      { role: 'user', content: 'Two cities.' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [said] },
      { ...call('c1', 'find'), id: 'fc_1', status: 'completed' },
      call('c2', 'find'),
      output('c1', 'Rome'),
      { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'Oslo' }] },
      call('c3', 'done'),
      output('c3', 'ok'),
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ];
    expect(messagesOf(input)).toEqual([
      { role: 'user', content: 'Two cities.' },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Looking.' }],
        tool_calls: [chatCall('c1', 'find'), chatCall('c2', 'find')],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Rome' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'Oslo' }] },
      { role: 'assistant', content: null, tool_calls: [chatCall('c3', 'done')] },
      { role: 'tool', tool_call_id: 'c3', content: 'ok' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]);
  });

  test("join text after calls with them, so that the calls' outputs follow directly", () => {
    const input = [call('c1', 'find'), { role: 'assistant', content: 'Looking.' }, output('c1', 'Rome')];
    expect(messagesOf(input)).toEqual([
      { role: 'assistant', content: 'Looking.', tool_calls: [chatCall('c1', 'find')] },
      { role: 'tool', tool_call_id: 'c1', content: 'Rome' },
    ]);
  });
});

describe('the parameters of a response request', () => {
  const tool = { type: 'function', name: 'find', description: 'Finds.', parameters: { type: 'object' }, strict: true };
  const chatTool = {
    type: 'function',
    function: { name: 'find', description: 'Finds.', parameters: { type: 'object' }, strict: true },
  };

  test('nest tools as chat requires', () => {
    const chat = chatOf({ tools: [tool], tool_choice: { type: 'function', name: 'find' }, parallel_tool_calls: false });
    expect(chat).toMatchObject({
      tools: [chatTool],
      tool_choice: { type: 'function', function: { name: 'find' } },
      parallel_tool_calls: false,
    });
  });

  test('may allow some of the tools', () => {
    const choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'find' }] };
    expect(chatOf({ tools: [tool], tool_choice: choice }).tool_choice).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'find' } }] },
    });
  });

  test("request structured output in chat's form", () => {
    const format = { type: 'json_schema', name: 'city', strict: true, schema: { type: 'object' } };
    expect(chatOf({ text: { format, verbosity: 'low' } })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: { type: 'object' } } },
      verbosity: 'low',
    });
    expect(chatOf({ text: { format: { type: 'json_object' } } }).response_format).toEqual({ type: 'json_object' });
    expect(chatOf({ text: { format: { type: 'text' } } })).not.toHaveProperty('response_format');
  });

  test('request log probabilities by either of their names', () => {
    expect(chatOf({ include: ['message.output_text.logprobs'] }).logprobs).toBe(true);
    expect(chatOf({ top_logprobs: 3 })).toMatchObject({ logprobs: true, top_logprobs: 3 });
    expect(chatOf({ top_logprobs: 0 })).not.toHaveProperty('logprobs');
  });

  test('that chat knows under the same name are forwarded', () => {
    const same = { temperature: 0.5, top_p: 0.9, user: 'u', safety_identifier: 's', service_tier: 'flex' };
    expect(chatOf({ ...same, reasoning: { effort: 'high' } })).toMatchObject({ ...same, reasoning_effort: 'high' });
  });

  test('that only concern the response are not forwarded', () => {
    const chat = chatOf({ metadata: { a: 'b' }, store: true, truncation: 'disabled', include: [] });
    expect(Object.keys(chat).toSorted()).toEqual(['messages', 'model']);
  });
});

describe('custom tools', () => {
  const grammar = { type: 'grammar', definition: 'start: "a"', syntax: 'lark' };
  const tools = [
    { type: 'custom', name: 'shell', description: 'Runs a command.' },
    { type: 'custom', name: 'letter', format: grammar },
    { type: 'custom', name: 'note', format: { type: 'text' } },
  ];

  test("become chat's custom tools, with a grammar in chat's form", () => {
    expect(chatOf({ tools, tool_choice: { type: 'custom', name: 'shell' } })).toMatchObject({
      tools: [
        { type: 'custom', custom: { name: 'shell', description: 'Runs a command.' } },
        {
          type: 'custom',
          custom: {
            name: 'letter',
            format: { type: 'grammar', grammar: { definition: 'start: "a"', syntax: 'lark' } },
          },
        },
        { type: 'custom', custom: { name: 'note', format: { type: 'text' } } },
      ],
      tool_choice: { type: 'custom', custom: { name: 'shell' } },
    });
    const choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'custom', name: 'note' }] };
    expect(chatOf({ tools, tool_choice: choice }).tool_choice).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'custom', custom: { name: 'note' } }] },
    });
  });

  test('are repeated in the response, with their default format', () => {
    const { echo } = parseResponses({ model: 'swift', input: 'Hello', tools });
    expect(echo.tools).toEqual([{ ...tools[0], format: { type: 'text' } }, tools[1], tools[2]]);
  });

  test('and their outputs are sent back as calls and answers of one turn', () => {
    const input = [
      { role: 'user', content: 'List.' },
      { type: 'custom_tool_call', id: 'ctc_1', status: 'completed', call_id: 'c1', name: 'shell', input: 'ls' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'a.txt' },
    ];
    expect((messagesOf(input) as object[]).slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'shell', input: 'ls' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
    ]);
  });
});
