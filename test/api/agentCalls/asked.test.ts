import { expect, test } from '@jest/globals';
import { answerOfText } from '../../../api/agentCalls/asked.ts';

/** The value of a form's only field, answered with a text. */
function valueOf(type: string, text: string): unknown {
  const schema = { type: 'object', properties: { value: { type } } };
  const asked = { type: 'form' as const, step_id: 'step_1', schema };
  return (answerOfText(asked, text) as { data: object }).data;
}

test.each([
  ['number', ' 1.5 ', 1.5],
  ['integer', '7', 7],
  // A text stays one, and is refused by its name.
  ['integer', '', ''],
  ['number', '0x5', '0x5'],
  ['number', 'seven', 'seven'],
  ['boolean', 'Yes.', true],
  ['boolean', 'FALSE', false],
  ['boolean', 'no', false],
  ['boolean', 'banana', 'banana'],
])('the answer of a form with one %s to %j is %j', (type, text, value) => {
  expect(valueOf(type, text)).toEqual({ value });
});
