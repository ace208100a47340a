import { expect, test } from '@jest/globals';
import { toResponsesError } from '../../../../calls/text/responses/responses.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';
import { ProviderError } from '../../../../providers/provider.ts';

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'find', arguments: '{}' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'x' });
const said = (role: string) => ({ role, content: 'Hi' });
// One message each: the instructions, the user's, both calls, each output, the user's.
const items = [said('user'), { type: 'reasoning' }, call('a'), call('b'), output('a'), output('b'), said('user')];

function placeOf(param: string, request: object): unknown {
  const parsed = parseResponses({ model: 'swift', input: 'Hello', ...request });
  const detail = { param, message: `Unsupported: '${param}' (not by this model).`, code: 'unsupported_parameter' };
  const error = toResponsesError(new ProviderError('refused', 'no', { status: 400, detail }), parsed.request);
  const { param: place, message } = (error as ProviderError).detail!;
  expect(message).toBe(`Unsupported: '${place}' (not by this model).`);
  return place;
}

test.each([
  ['verbosity', 'text.verbosity'],
  ['reasoning_effort', 'reasoning.effort'],
  ['max_completion_tokens', 'max_output_tokens'],
  ['logprobs', 'include'],
  ['response_format', 'text.format'],
  ['response_format.json_schema.schema', 'text.format.schema'],
  ['tools[1].function.parameters', 'tools[1].parameters'],
  ['tool_choice', 'tool_choice'],
  ['temperature', 'temperature'],
  ['messages', 'input'],
  ['messages[0].content', 'input'],
])('maps a refusal of %s by the model to %s', (param, place) => {
  expect(placeOf(param, {})).toBe(place);
});

test.each([
  ['messages[0].content', 'instructions'],
  ['messages[1].content[0].type', 'input[0].content[0].type'],
  ['messages[1].content[0].image_url.url', 'input[0].content[0].image_url'],
  ['messages[1].content[1].file.file_data', 'input[0].content[1].file_data'],
  ['messages[2].tool_calls[1].function.name', 'input'],
  ['messages[3].content', 'input[4].output'],
  ['messages[4].content[0].text', 'input[5].output'],
  ['messages[5].content', 'input[6].content'],
])('maps a refusal of %s by the model to the item that became this message: %s', (param, place) => {
  expect(placeOf(param, { instructions: 'Be brief.', input: items })).toBe(place);
});

test.each([
  ['messages[2].content', 'input[2].output'],
  ['messages[3].content', 'input[3].output'],
  ['messages[4].content', 'input'],
  ['messages[4].content[1].image_url.url', 'input[2].output[0].image_url'],
  ['messages[4].content[3].image_url', 'input[3].output[0].image_url'],
  ['messages[5].content', 'input[4].content'],
])('maps a refusal of %s to %s, where tools have returned files', (param, place) => {
  const drawn = (id: string) => ({ ...output(id), output: [{ type: 'input_image', image_url: 'data:,' }] });
  const input = [call('a'), call('b'), drawn('a'), drawn('b'), said('user')];
  expect(placeOf(param, { instructions: 'Be brief.', input })).toBe(place);
});

test('maps a refusal of a file that the user sent after the result of a tool to its place', () => {
  const sent = { role: 'user', content: [{ type: 'input_image', image_url: 'data:,' }] };
  const input = [call('a'), output('a'), sent, said('user')];
  expect(placeOf('messages[2].content[0].image_url', { input })).toBe('input[2].content[0].image_url');
  expect(placeOf('messages[3].content', { input })).toBe('input[3].content');
});

test('returns other errors unchanged', () => {
  const { request } = parseResponses({ model: 'swift', input: 'Hello' });
  for (const error of [new Error('x'), new ProviderError('failed', 'x'), new ProviderError('refused', 'x')])
    expect(toResponsesError(error, request)).toBe(error);
});
