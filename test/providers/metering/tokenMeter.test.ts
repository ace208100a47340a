import { describe, expect, test } from '@jest/globals';
import { createTokenMeter } from '../../../providers/metering/tokenMeter.ts';
import type { Json } from '../../../providers/provider.ts';
import { countPromptTokens, countTokens } from '../../../providers/metering/tokens.ts';

const body = { model: 'm', messages: [{ role: 'user', content: 'Count.' }] };
const request = {
  estimatedPromptTokens: 280,
  countPrompt: () => countPromptTokens(body),
  bounds: { inputTokensMax: 1_000, outputTokensMax: 100 },
  limitTokens: 100,
};
const said = (content: string, usage?: Json): Json => ({ choices: [{ index: 0, delta: { content } }], usage });
const usage = (prompt_tokens: number, completion_tokens?: number): Json => ({ prompt_tokens, completion_tokens });
const words = [' one', ' two', ' three', ' four'];

test('the usage at the end of a stream is its consumption', async () => {
  const meter = createTokenMeter(request);
  meter.observe([...words.map((word) => said(word)), { choices: [], usage: usage(9, 7) }]);
  expect(await meter.final()).toMatchObject({ inputTokens: 9, outputTokens: 7 });
  expect(meter.soFar()).toMatchObject({ inputTokens: 9, outputTokens: 7 });
});

test.each([
  ['an echo in pieces', ['Hel', 'lo', ' one'], 1],
  ['an echo and output in one piece', ['Hello one'], 1],
  ['output of a model that does not echo', ['Help', ' one'], 2],
])('what repeats the prompt is no output: %s', async (_what, pieces, outputTokens) => {
  const meter = createTokenMeter({ ...request, limitTokens: 2, echoOf: () => 'Hello' });
  for (const piece of pieces) meter.observe([{ choices: [{ index: 0, text: piece }] }]);
  expect(await meter.isPastLimit()).toBe(false);
  expect(await meter.final()).toMatchObject({ outputTokens });
});

test("running usage on each chunk includes the chunk's own text", async () => {
  const meter = createTokenMeter(request);
  for (const [index, word] of words.entries()) meter.observe([said(word, usage(9, index + 1))]);
  expect(await meter.final()).toMatchObject({ inputTokens: 9, outputTokens: 4 });
});

test('output after a usage of the prompt only is counted', async () => {
  const meter = createTokenMeter(request);
  meter.observe([said('', usage(9, 1)), ...words.map((word) => said(word))]);
  expect(meter.soFar()).toMatchObject({ inputTokens: 9, outputTokens: 5 });
  expect(meter.certain()).toMatchObject({ inputTokens: 9, outputTokens: 5 });
  expect(await meter.final()).toMatchObject({ inputTokens: 9, outputTokens: 1 + (await countTokens(words.join(''))) });
});

test('a usage without output tokens is ignored, and both are counted', async () => {
  const meter = createTokenMeter(request);
  meter.observe([...words.map((word) => said(word)), { choices: [], usage: usage(9) }]);
  expect(await meter.final()).toEqual({
    inputTokens: await countPromptTokens(body),
    outputTokens: await countTokens(words.join('')),
  });
});

test('output above the limit is detected although an early usage was small', async () => {
  const meter = createTokenMeter({ ...request, limitTokens: 3 });
  meter.observe([said('', usage(9, 0)), ...words.map((word) => said(word))]);
  expect(await meter.isPastLimit()).toBe(true);
  expect(await meter.final()).toMatchObject({ inputTokens: 9, outputTokens: 3 });
});

test('a usage above the limit counts as the limit, also if the process ends now', async () => {
  const meter = createTokenMeter({ ...request, limitTokens: 20 });
  const reported = { ...usage(9, 90), completion_tokens_details: { reasoning_tokens: 80 } };
  meter.observe([said(' one'), { choices: [], usage: reported }]);
  const most = { inputTokens: 9, outputTokens: 20, reasoningTokens: 20 };
  expect(meter.certain()).toMatchObject(most);
  expect(await meter.final()).toMatchObject(most);
  expect(await meter.isPastLimit()).toBe(true);
});

describe('a usage of far less than was written', () => {
  const long = ' word'.repeat(80);

  test.each([
    ['at the end', [said(long), { choices: [], usage: usage(9, 1) }]],
    ['on each chunk', [said(long, usage(9, 1)), said(long, usage(9, 2))]],
  ])('%s is not believed, and reported once', async (_, chunks: Json[]) => {
    let reports = 0;
    const meter = createTokenMeter({ ...request, limitTokens: 1_000, onImplausible: () => (reports += 1) });
    for (const chunk of chunks) meter.observe([chunk]);
    const tokens = 80 * chunks.filter(({ choices }) => (choices as Json[]).length > 0).length;
    expect(meter.dueAtMost().outputTokens).toBeGreaterThanOrEqual(tokens);
    expect(await meter.final()).toMatchObject({ outputTokens: tokens });
    await meter.final();
    expect(reports).toBe(1);
  });

  test('is believed where it is more than a quarter of it', async () => {
    let reports = 0;
    const meter = createTokenMeter({ ...request, limitTokens: 1_000, onImplausible: () => (reports += 1) });
    meter.observe([said('a b c d e f g h i j'.repeat(8)), { choices: [], usage: usage(9, 21) }]);
    expect(await meter.final()).toMatchObject({ inputTokens: 9, outputTokens: 21 });
    expect(reports).toBe(0);
  });
});

test('chunks that are taken back were never observed', async () => {
  const meter = createTokenMeter(request);
  meter.observe([said(' one')]);
  meter.observe([said(' two', usage(9, 70)), { choices: [{ finish_reason: 'stop' }] }]);
  meter.takeBack();
  expect(meter.soFar()).toEqual({ inputTokens: 280, outputTokens: 1 });
  expect(meter.finishReason()).toBeNull();
  expect(await meter.final()).toMatchObject({ outputTokens: 1 });
});
