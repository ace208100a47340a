import { describe, expect, test } from '@jest/globals';
import type { ResponseItem } from '../../../../calls/text/responses/responseItem.ts';
import { refuseUnpairedItems } from '../../../../calls/text/responses/toolItems.ts';
import { refusalOf } from '../parameters/refusals.ts';

const call = (call_id: string): ResponseItem => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' });
const output = (call_id: string): ResponseItem => ({ type: 'function_call_output', call_id, output: '42' });
const custom = (call_id: string): ResponseItem => ({ type: 'custom_tool_call', call_id, name: 'f', input: '' });
const customOutput = (call_id: string): ResponseItem => ({ type: 'custom_tool_call_output', call_id, output: '42' });
const user: ResponseItem = { role: 'user', content: 'Hello' };

const refusal = (items: ResponseItem[]) => refusalOf(() => refuseUnpairedItems(items), null);

describe('calls of tools and their outputs', () => {
  test.each([
    ['none', [user]],
    ['in any order', [user, call('a'), custom('b'), customOutput('b'), output('a')]],
    ['with a message between', [call('a'), user, output('a'), call('a'), output('a')]],
  ])('are accepted: %s', (_, items) => {
    expect(refusal(items)).toBeNull();
  });

  test.each([
    [
      'an output without its call',
      [user, output('a')],
      'input[1].call_id',
      "no call for the output with the call_id 'a'",
    ],
    ['an output before its call', [customOutput('a'), custom('a')], 'input[0].call_id', 'no call for'],
    [
      'a call without its output',
      [call('a'), output('a'), call('b'), user],
      'input[2].call_id',
      'no output for the call',
    ],
  ])('are refused: %s', (_, items, param, words) => {
    expect(refusal(items)).toMatchObject({ code: 'invalid_value', param, message: expect.stringContaining(words) });
  });
});
