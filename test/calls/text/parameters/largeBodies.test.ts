import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseChat } from '../../../../calls/text/chat/chatInput.ts';
import { parseEmbeddings } from '../../../../calls/text/embeddings.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';
import { refusalOf } from './refusals.ts';

const ITEMS = 1_000;
const repeat = (item: unknown) => Array.from({ length: ITEMS }, () => item);

let reports = 0;
let reads = 0;

beforeAll(() => {
  z.config({ customError: () => void (reports += 1) });
});
afterEach(() => {
  reports = 0;
  reads = 0;
});
afterAll(() => {
  z.config({ customError: undefined });
});

/** A message that counts the reads of its role. */
const message = {
  get role() {
    reads += 1;
    return 'user';
  },
  content: 'Hi',
};

test.each<[string, (body: unknown) => unknown, object, string]>([
  ['messages of no role', parseChat, { messages: repeat({ role: 'x' }) }, 'messages[0].role'],
  [
    'tools too many',
    parseChat,
    { messages: [message], tools: repeat({ type: 'custom', custom: { name: 'x' } }) },
    'tools',
  ],
  ['stops of a wrong type', parseChat, { messages: [message], stop: repeat(1) }, 'stop[0]'],
  ['items of no type', parseResponses, { input: repeat({ type: 'x' }) }, 'input[0].type'],
  [
    'parts of no type',
    parseResponses,
    { input: [{ role: 'user', content: repeat({ type: 'x' }) }] },
    'input[0].content[0].type',
  ],
  ['inputs of a wrong type', parseEmbeddings, { input: repeat(null) }, 'input[0]'],
])('a thousand errors of one kind produce one report: %s', (_, parse, members, param) => {
  expect(refusalOf(parse, { model: 'swift', ...members })).toMatchObject({ param });
  expect(reports).toBe(1);
});

test('valid parts before the first error are checked once more, without an explanation', () => {
  expect(refusalOf(parseChat, { model: 'swift', messages: repeat(message) })).toBeNull();
  const readsWhenTaken = reads;
  reads = 0;
  expect(refusalOf(parseChat, { model: 'swift', messages: [...repeat(message), 1] })).toMatchObject({
    param: `messages[${ITEMS}]`,
  });
  expect(reads).toBeLessThanOrEqual(2 * readsWhenTaken);
  expect(reports).toBe(1);
});

test.each<[string, (body: unknown) => unknown, object, string]>([
  ['128 tools', parseChat, { messages: [message], tools: repeat({ type: 'custom', custom: { name: 'x' } }) }, 'tools'],
  ['128 tools', parseResponses, { input: 'Hi', tools: repeat({ type: 'function', name: 'x' }) }, 'tools'],
  ['4 stops', parseChat, { messages: [message], stop: repeat('x') }, 'stop'],
  ['2048 inputs', parseEmbeddings, { input: [...repeat('x'), ...repeat('x'), ...repeat('x')] }, 'input'],
])('%s are the limit', (_, parse, members, param) => {
  expect(refusalOf(parse, { model: 'swift', ...members })).toMatchObject({ param, code: 'array_above_max_length' });
});
