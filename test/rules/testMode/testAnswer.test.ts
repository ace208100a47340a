import { expect, test } from '@jest/globals';
import { testAnswer } from '../../../rules/testMode/testAnswer.ts';

const messages = [{ role: 'user', content: 'ls' }];
const shell = { type: 'custom', custom: { name: 'shell' } };
const weather = { type: 'function', function: { name: 'weather', parameters: {} } };
const shellCall = { toolCalls: [{ name: 'shell', arguments: 'ls', isCustom: true }] };
const weatherCall = { toolCalls: [{ name: 'weather', arguments: '{}' }] };

test.each([
  ['the first tool, a custom one, with the question as its input', {}, shellCall],
  ['a required custom tool', { tool_choice: 'required' }, shellCall],
  ['the custom tool of a choice', { tool_choice: { type: 'custom', custom: { name: 'shell' } } }, shellCall],
  ['the function of a choice', { tool_choice: { type: 'function', function: { name: 'weather' } } }, weatherCall],
  [
    'the one of the allowed tools',
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [weather] } } },
    weatherCall,
  ],
])('calls %s', (_, members, expected) => {
  expect(testAnswer({ messages, tools: [shell, weather], ...members })).toEqual(expected);
});

test('answers with the result of a custom tool', () => {
  const called = {
    role: 'assistant',
    tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'shell', input: 'ls' } }],
  };
  const result = { role: 'tool', tool_call_id: 'c', content: 'a.txt' };
  const { text } = testAnswer({ messages: [...messages, called, result], tools: [shell] });
  expect(text).toMatch(/^The tool said: a\.txt/);
});

test('a question with a picture right after the result of a tool is answered, files of that result are not one', () => {
  const called = { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'weather' } }] };
  const result = { role: 'tool', tool_call_id: 'c', content: 'Rain.' };
  const image = { type: 'image_url', image_url: { url: 'data:,' } };
  const after = (text: string) => {
    const shown = { role: 'user', content: [{ type: 'text', text }, image] };
    return testAnswer({ messages: [...messages, called, result, shown] }).text;
  };
  expect(after('Who is this?')).toContain('You asked: “Who is this?”');
  for (const text of ['Files of the output of c:', 'The pictures of the results:'])
    expect(after(text)).toMatch(/^The tool said: Rain\./);
});

test('a required call is of each tool once, and then of the last one, which ends the loop of a framework', () => {
  const tools = [shell, weather, { type: 'function', function: { name: 'finish', parameters: {} } }];
  const turnOf = (name: string) => [
    {
      role: 'assistant',
      tool_calls: [name === 'shell' ? { id: name, custom: { name } } : { id: name, function: { name } }],
    },
    { role: 'tool', tool_call_id: name, content: 'x' },
  ];
  const nextAfter = (...called: string[]) =>
    testAnswer({ messages: [...messages, ...called.flatMap(turnOf)], tools, tool_choice: 'required' }).toolCalls;
  expect(nextAfter()).toEqual(shellCall.toolCalls);
  expect(nextAfter('shell')).toEqual(weatherCall.toolCalls);
  expect(nextAfter('shell', 'weather')).toEqual([{ name: 'finish', arguments: '{}' }]);
  expect(nextAfter('shell', 'weather', 'finish')).toEqual([{ name: 'finish', arguments: '{}' }]);
});

test('refuses a choice that fits no tool, as models do', () => {
  const named = { type: 'function', function: { name: 'nobody' } };
  expect(() => testAnswer({ messages, tool_choice: 'required' })).toThrow("'required' needs at least one tool.");
  expect(() => testAnswer({ messages, tools: [weather], tool_choice: named })).toThrow(
    "'nobody' is not one of the tools.",
  );
});
