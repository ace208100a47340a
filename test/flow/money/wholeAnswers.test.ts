import { afterAll, describe, expect, test } from '@jest/globals';
import type { Script } from '../../../rules/scripted/script.ts';
import { chatBody, setMoneyStage, worstCaseNanos, type Account } from '../stages/moneyStage.ts';

// Whole answers hold their actual cost, not the worst case: as many run at once as the money pays for.
const calls = 200;

const stage = await setMoneyStage({ env: { DEFAULT_CONCURRENCY_LIMIT: '1000', DEFAULT_RPM_LIMIT: '100000' } });
afterAll(() => stage.close());

async function post({ secret }: Account, path: string, body: string) {
  const response = await fetch(stage.urls()[0] + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, truncated: response.headers.get('x-truncated'), answer: await response.json() };
}

const chat = (account: Account, script: Script, more: object = {}) =>
  post(account, '/v1/chat/completions', chatBody(script, more));

function countStatuses(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const streamedCalls = () => stage.upstream.calls().filter(({ body }) => body.stream === true).length;

describe('two hundred concurrent calls that together cost a cent', () => {
  test.each([
    ['a balance', { balanceNanos: 60_000_000n }],
    ['a ceiling', { spendLimitNanos: 60_000_000n, spendLimitPeriod: 'daily' as const }],
  ])('are all answered on %s of six', async (_of, options) => {
    const account = await stage.account(options);
    // Twenty tokens each, all produced before the first answer ends. The worst case of each is the model's limit: a cent.
    const script = { text: 'word '.repeat(20), headDelayMs: 300 };
    const answers = await Promise.all(Array.from({ length: calls }, () => chat(account, script)));
    expect(countStatuses(answers)).toEqual({ 200: calls });
    expect(answers.map(({ truncated }) => truncated).filter(Boolean)).toEqual([]);
    await stage.quiet(account.accountId);
  });
});

test('an unused key with a ceiling of thirty cents never gets the error of a reached ceiling', async () => {
  const account = await stage.account({ spendLimitNanos: 300_000_000n, spendLimitPeriod: 'daily' });
  const script = { text: 'Hello.', headDelayMs: 1_000 };
  const answers = await Promise.all(Array.from({ length: 64 }, () => chat(account, script)));
  expect(countStatuses(answers)).toEqual({ 200: 64 });
  await stage.quiet(account.accountId);
});

describe('an answer near the last cent is the same as on an account with plenty of money', () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
  const called = { text: 'I look.', toolCalls: [{ name: 'look', arguments: '{}' }], finishReason: 'tool_calls' };
  const completion = JSON.stringify({ model: 'ledgerline-text-1', prompt: ['once', 'twice'], n: 2 });
  const response = JSON.stringify({ model: 'ledgerline-text-1', input: 'Say it.' });

  test.each<[string, string, string]>([
    ['text', '/v1/chat/completions', chatBody({ text: 'One after the other.' })],
    ['reasoning', '/v1/chat/completions', chatBody({ text: 'Four.', reasoning: 'Two and two.' })],
    ['several choices', '/v1/chat/completions', chatBody({ text: 'Thrice.' }, { n: 3 })],
    ['log probabilities', '/v1/chat/completions', chatBody({ text: 'Likely so.' }, { logprobs: true })],
    ['tool calls', '/v1/chat/completions', chatBody(called, { tools })],
    ['a limit', '/v1/chat/completions', chatBody({ text: 'word '.repeat(600) }, { max_tokens: 500 })],
    ['completions', '/v1/completions', completion],
    ['responses', '/v1/responses', response],
  ])('%s', async (_what, path, body) => {
    const rich = await stage.account();
    const poor = await stage.account({ balanceNanos: 2_000_000n });
    const before = streamedCalls();
    const whole = await post(rich, path, body);
    expect(streamedCalls()).toBe(before);
    const assembled = await post(poor, path, body);
    expect(streamedCalls()).toBe(before + 1);
    expect(whole.status).toBe(200);
    expect(assembled).toEqual({ status: 200, truncated: null, answer: sameBut(assembled.answer, whole.answer) });
    await stage.quiet(poor.accountId);
  });
});

/** `expected` with the ids and times of `actual`, which differ between answers. */
function sameBut(actual: unknown, expected: unknown, name = ''): unknown {
  if (name === 'id' || name === 'call_id' || name === 'created') return actual;
  if (name.endsWith('_at') && typeof expected === 'number') return typeof actual === 'number' ? actual : expected;
  if (typeof expected !== 'object' || expected === null) return expected;
  const of = (place: string) =>
    sameBut((actual as Record<string, unknown>)?.[place], Reflect.get(expected, place), place);
  if (Array.isArray(expected)) return expected.map((_, place) => of(String(place)));
  return Object.fromEntries(Object.keys(expected).map((member) => [member, of(member)]));
}

interface Cut {
  choices: { finish_reason: string; message: { content: string } }[];
  usage: { completion_tokens: number };
}

describe('an answer that is cut because its money ended', () => {
  const script = { text: 'word '.repeat(2_000) };
  const creditNanos = worstCaseNanos(chatBody(script), 500);

  test.each([
    ['balance', { balanceNanos: creditNanos }],
    ['key', { spendLimitNanos: creditNanos, spendLimitPeriod: 'daily' as const }],
  ])('has x-truncated: %s and finish_reason "length"', async (source, options) => {
    const account = await stage.account(options);
    const { status, truncated, answer } = await chat(account, script);
    const { choices, usage } = answer as Cut;
    expect([status, truncated, choices[0]!.finish_reason]).toEqual([200, source, 'length']);
    // The paid output was delivered.
    expect(usage.completion_tokens).toBeGreaterThanOrEqual(500);
    expect(choices[0]!.message.content.split('word').length - 1).toBeGreaterThanOrEqual(500);
    await stage.quiet(account.accountId);
  });

  test('is incomplete as a response', async () => {
    const account = await stage.account({ balanceNanos: creditNanos });
    const input = JSON.stringify({ scripted: script });
    const body = JSON.stringify({ model: 'ledgerline-text-1', input });
    const { truncated, answer } = await post(account, '/v1/responses', body);
    expect(truncated).toBe('balance');
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(answer).toMatchObject(incomplete);
    await stage.quiet(account.accountId);
  });

  test('an answer that reaches its own length limit is not marked as truncated', async () => {
    const account = await stage.account({ balanceNanos: creditNanos });
    const { truncated, answer } = await chat(account, script, { max_tokens: 100 });
    expect([truncated, (answer as Cut).choices[0]!.finish_reason]).toEqual([null, 'length']);
    await stage.quiet(account.accountId);
  });
});
