import { expect, test } from '@jest/globals';
import { producedTextOf } from '../../../providers/metering/producedText.ts';

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
