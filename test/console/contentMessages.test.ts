import { expect, test } from '@jest/globals';
import { askedIn } from '../../console/src/contents/contentMessages.ts';

test('what tools of a response returned is read as texts and files, and the call of a custom tool as a call', () => {
  const output = [
    { type: 'input_text', text: 'Drawn.' },
    { type: 'input_image', image_url: '[omitted: 5 KB]' },
  ];
  const input = [
    { type: 'custom_tool_call', call_id: 'a', name: 'shell', input: 'ls' },
    { type: 'custom_tool_call_output', call_id: 'a', output: 'a.txt' },
    { type: 'function_call_output', call_id: 'b', output },
  ];
  const custom = { id: 'a', custom: { name: 'shell', input: 'ls' } };
  expect(askedIn({ messages: [{ role: 'assistant', content: null, tool_calls: [custom] }] })).toEqual([
    { role: 'assistant', text: '', calls: [{ id: 'a', name: 'shell', arguments: 'ls' }] },
  ]);
  expect(askedIn({ input })).toEqual([
    { role: 'assistant', text: '', calls: [{ id: 'a', name: 'shell', arguments: 'ls' }] },
    { role: 'tool', text: 'a.txt', callId: 'a' },
    { role: 'tool', text: 'Drawn.', notes: ['input_image: [omitted: 5 KB]'], callId: 'b' },
  ]);
});
