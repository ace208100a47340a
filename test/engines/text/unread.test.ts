import { expect, test } from '@jest/globals';
import { refuseUnread } from '../../../engines/text/unread.ts';
import { ChatInput, parseInput } from '../../../rules/protocol/schema.ts';

const check = (members: object) =>
  refuseUnread(parseInput(ChatInput, { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...members }));

const format = { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' } } };
const named = { type: 'function', function: { name: 'f' } };

test.each([
  [{ messages: [{ role: 'assistant', content: 'The sky', prefix: true }] }, 'messages[0].prefix'],
  [
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', weight: 2 }] }] },
    'messages[0].content[0].weight',
  ],
  [{ tools: [{ type: 'function', function: { name: 'f', examples: [1] } }] }, 'tools[0].function.examples'],
  [{ tools: [{ type: 'function', function: { name: 'f' }, priority: 1 }] }, 'tools[0].priority'],
  [{ tools: [{ type: 'custom', custom: { name: 'f' } }] }, 'tools[0].type'],
  [{ response_format: { type: 'json_object', schema: { type: 'object' } } }, 'response_format.schema'],
  [{ response_format: { ...format, grammar: 'root' } }, 'response_format.grammar'],
  [
    { response_format: { ...format, json_schema: { ...format.json_schema, examples: [1] } } },
    'response_format.json_schema.examples',
  ],
  [{ tool_choice: { type: 'function', function: { name: 'f', arguments: '{}' } } }, 'tool_choice.function.arguments'],
  [
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named], order: 1 } } },
    'tool_choice.allowed_tools.order',
  ],
])('a member that would not be carried out is refused by name: %j', (members, param) => {
  expect(() => check(members)).toThrow(expect.objectContaining({ status: 400, code: 'unsupported_parameter', param }));
});

test('more choices than the model draws are refused in the words of the API', () => {
  expect(() => check({ n: 17 })).toThrow(
    "Invalid 'n': integer above maximum value. Expected a value <= 16 for this model.",
  );
});

test('a schema that is missing is named', () => {
  const json_schema = { name: 'city' };
  expect(() => check({ response_format: { type: 'json_schema', json_schema } })).toThrow(
    expect.objectContaining({
      code: 'missing_required_parameter',
      param: 'response_format.json_schema.schema',
      message: "Missing required parameter: 'response_format.json_schema.schema'.",
    }),
  );
});

test('what clients repeat of an answer, and what changes nothing, is taken', () => {
  const said = {
    role: 'assistant',
    content: 'Hi',
    audio: null,
    annotations: [],
    images: [],
    metadata: {},
    parsed: { city: 'Rome' },
    reasoning_content: 'So.',
    thinking_blocks: [{ type: 'thinking', thinking: 'So.', signature: 's' }],
    prefix: false,
  };
  const cached = [
    { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
  ];
  // As OpenAI's agents repeat an answer.
  const repeated = [{ type: 'text', text: 'Hi', role: 'assistant', refusal: null }];
  check({
    response_format: { ...format, json_schema: { ...format.json_schema, description: 'A city.', strict: true } },
  });
  check({ tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } } });
  check({ messages: [said, { ...said, content: repeated }, { role: 'user', content: cached }], seed: 2 ** 62 });
});
