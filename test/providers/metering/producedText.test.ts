import { expect, test } from '@jest/globals';
import { producedTextOf, shortenChoice } from '../../../providers/metering/producedText.ts';

const called = (members: object) => ({ message: { tool_calls: [members] } });

test.each([
  ['what was said', { message: { content: 'Hi' } }, 'Hi'],
  ['a piece of it', { delta: { content: 'H' } }, 'H'],
  ['a completed text', { text: 'Once' }, 'Once'],
  ['a refusal', { message: { content: null, refusal: 'No.' } }, 'No.'],
  ['reasoning by its one name', { delta: { reasoning_content: 'Hm.' } }, 'Hm.'],
  ['reasoning by its other name', { delta: { reasoning: 'Hm.' } }, 'Hm.'],
  ['reasoning under both names, once', { delta: { reasoning: 'Hm.', reasoning_content: 'Hm.' } }, 'Hm.'],
  ['a call', called({ function: { name: 'find', arguments: '{}' } }), 'find{}'],
  ['a call of a custom tool', called({ custom: { name: 'run', input: 'ls' } }), 'runls'],
])('%s counts as output when an upstream reports no counts', (_name, choice, produced) => {
  expect(producedTextOf(choice)).toBe(produced);
});

test.each([
  [
    { index: 1, delta: { role: 'assistant', content: 'One two' } },
    'One',
    { index: 1, delta: { role: 'assistant', content: 'One' } },
  ],
  [{ index: 0, text: 'One two' }, 'One t', { index: 0, text: 'One t' }],
  [
    { index: 0, delta: { reasoning: 'Hm.', content: 'One' } },
    'OneH',
    { index: 0, delta: { content: 'One', reasoning: 'H' } },
  ],
  [
    { index: 0, delta: { content: 'One', reasoning_details: [{ text: 'all' }] }, finish_reason: 'stop', logprobs: {} },
    'O',
    { index: 0, delta: { content: 'O' } },
  ],
])('the beginning of %j of %j has nothing else of it', (choice, beginning, shortened) => {
  expect(shortenChoice(choice, beginning)).toEqual({ ...shortened, finish_reason: null, logprobs: null });
});

test('nothing, and a part of a tool call, is no beginning', () => {
  const calls = [{ index: 0, function: { name: 'find', arguments: '{"a": 1}' } }];
  expect(shortenChoice({ index: 0, delta: { tool_calls: calls } }, 'find{')).toBeNull();
  expect(shortenChoice({ index: 0, delta: { content: 'One' } }, '')).toBeNull();
});
