import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { usdTextOf } from '../../../db/money.ts';
import { textModel } from '../../support/startApi.ts';
import { countPromptTokens, countTokens } from '../../../providers/metering/tokens.ts';
import { readJson } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { priceNanos, setMoneyStage } from '../stages/moneyStage.ts';

const day = 86_400;

const stage = await setMoneyStage();
const live = await stage.account({ scopes: ['manage'] });
afterAll(() => stage.close());

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

async function call(
  secret: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(stage.urls()[0] + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}

/** A test key of the live workspace, created like a customer's, with test money. */
async function testKey(more: object = {}): Promise<string> {
  const made = await call(live.secret, '/console/v1/keys', { name: 'ci', mode: 'test', ...more });
  expect(made.status).toBe(201);
  const { key } = made.body as { key: string };
  expect((await call(key, '/platform/v1/billing/checkout', { amount: 10 })).status).toBe(200);
  return key;
}

const question = { model: textModel, messages: [{ role: 'user', content: 'How much is a call?' }] };
const ask = (secret: string, more: object = {}, fault?: string) =>
  call(secret, '/v1/chat/completions', { ...question, ...more }, fault === undefined ? {} : { 'x-test-fault': fault });
const balanceOf = async (secret: string) =>
  ((await call(secret, '/platform/v1/billing/balance')).body as { balance_usd: number }).balance_usd;

/** The balances of the house accounts of live and test workspaces, in nano-USD. */
async function houses(): Promise<Record<string, bigint>> {
  await stage.db.ledger.posted();
  const { violations, sums } = await checkInvariants(stage.db.pool);
  expect(violations).toEqual([]);
  return sums.balancesNanos;
}

describe('a test key', () => {
  test('answers by rules, at the true price, paid with test money', async () => {
    const key = await testKey();
    expect(key).toMatch(/^sk_test_[0-9A-Za-z]{49}$/);
    const before = await houses();
    const answers = await Promise.all([1, 2, 3].map(() => ask(key)));
    const texts = answers.map(({ body }) => (body as OpenAI.ChatCompletion).choices[0]!.message.content!);
    expect(new Set(texts).size).toBe(1);
    const costNanos = priceNanos({
      inputTokens: await countPromptTokens(question),
      outputTokens: await countTokens(texts[0]!),
    });
    expect(answers.map(({ headers }) => headers.get('x-cost-usd'))).toEqual(Array(3).fill(usdTextOf(costNanos)));
    const after = await houses();
    expect(after.test_revenue! - before.test_revenue!).toBe(3n * costNanos);
    expect(after.revenue).toBe(before.revenue);
    expect(stage.upstream.calls()).toEqual([]);
  });

  test('leaves the money and the keys of its live workspace alone', async () => {
    const key = await testKey();
    await ask(key);
    expect(await balanceOf(live.secret)).toBe(10);
    const listed = await call(live.secret, '/platform/v1/keys');
    expect(listed.text).not.toContain('sk_test_');
  });

  test('works with the official client: tools, a form, a stream, vectors', async () => {
    const client = new OpenAI({ baseURL: `${stage.urls()[0]}/v1`, apiKey: await testKey(), maxRetries: 0 });
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'The weather?' }];
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];
    const { choices } = await client.chat.completions.create({ model: textModel, messages, tools });
    const [toolCall] = choices[0]!.message.tool_calls as OpenAI.ChatCompletionMessageFunctionToolCall[];
    expect(JSON.parse(toolCall!.function.arguments)).toEqual({ city: expect.any(String) });
    const told = { role: 'tool' as const, tool_call_id: toolCall!.id, content: 'Rain' };
    const stream = await client.chat.completions.create({
      model: textModel,
      tools,
      messages: [...messages, choices[0]!.message, told],
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toContain('The tool said: Rain');
    const schema = { ...parameters, additionalProperties: false };
    const formed = await client.chat.completions.create({
      model: textModel,
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
    });
    expect(JSON.parse(formed.choices[0]!.message.content!)).toEqual({ city: expect.any(String) });
    const input = ['one', 'two'];
    const { data } = await client.embeddings.create({ model: 'ledgerline-embed-1', input });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([384, 384]);
    await houses();
  });

  test('manages keys of its own workspace, none of the live one', async () => {
    const manager = await testKey({ scopes: ['manage'] });
    const made = await call(manager, '/console/v1/keys', { name: 'narrow', scopes: ['llm'] });
    expect(made.body).toMatchObject({ prefix: expect.stringMatching(/^sk_test_/) });
    expect((await call(manager, '/console/v1/keys', { name: 'live', mode: 'live' })).status).toBe(422);
    const operating = await call(manager, '/console/v1/keys', { name: 'staff', scopes: ['operator'] });
    expect(operating.status).not.toBe(201);
  });
});

describe('sound in test mode', () => {
  const speech = {
    model: 'tts-1',
    voice: 'alloy',
    input: 'Test money pays for each character.',
    response_format: 'wav',
  };

  test('is spoken and understood without any upstream, and billed', async () => {
    const key = await testKey();
    const client = new OpenAI({ baseURL: `${stage.urls()[0]}/v1`, apiKey: key, maxRetries: 0 });
    const before = await balanceOf(key);
    const spoken = await client.audio.speech.create({ ...speech, response_format: 'wav' });
    const file = new File([await spoken.blob()], 'speech.wav');
    const paid = await balanceOf(key);
    expect(paid).toBeLessThan(before);
    const { text } = await client.audio.transcriptions.create({ model: 'whisper-1', file });
    expect(text).toBe('This is a test transcript.');
    expect(await balanceOf(key)).toBeLessThan(paid);
    await houses();
  });

  test('fails as it is asked to, and costs nothing then', async () => {
    const key = await testKey();
    const before = await balanceOf(key);
    const speak = (fault: string) => call(key, '/v1/audio/speech', speech, { 'x-test-fault': fault });
    expect(await speak('upstream_500')).toMatchObject({ status: 502, body: { error: { code: 'provider_failed' } } });
    expect(await balanceOf(key)).toBe(before);
    expect((await speak('upstream_500; first')).status).toBe(200);
  });
});

describe('a test payment', () => {
  test.each([
    [20.02, 'card_declined'],
    [20.51, 'insufficient_funds'],
  ])('of %d US dollars is declined: %s', async (amount, reason) => {
    const key = await testKey();
    const before = await balanceOf(key);
    const { status, body } = await call(key, '/platform/v1/billing/checkout', { amount });
    expect({ status, body }).toMatchObject({ status: 402, body: { error: { code: 'card_declined' } } });
    expect(JSON.stringify(body)).toContain(reason);
    expect(await balanceOf(key)).toBe(before);
    const { data } = (await call(key, '/platform/v1/billing/topups')).body as { data: object[] };
    expect(data[0]).toMatchObject({ status: 'failed', amount_usd: amount });
  });

  test('moves no money of the platform', async () => {
    const before = await houses();
    await testKey();
    const after = await houses();
    expect(after.payments).toBe(before.payments);
    expect(before.test_payments! - after.test_payments!).toBe(10_000_000_000n);
  });
});

describe('a failure that a test call asks for', () => {
  test.each([
    ['upstream_500', 502, 'provider_failed'],
    ['upstream_429', 503, 'overloaded'],
    ['upstream_reset', 502, 'provider_failed'],
    ['upstream_timeout', 504, 'provider_timeout'],
    ['malformed_chunk', 502, 'provider_failed'],
  ])('%s is the real answer, and costs nothing', async (fault, status, code) => {
    const key = await testKey();
    const before = await balanceOf(key);
    expect(await ask(key, {}, fault)).toMatchObject({ status, body: { error: { code } } });
    expect(await balanceOf(key)).toBe(before);
    await houses();
  });

  test.each(['cut_stream', 'malformed_chunk', 'error_chunk'])('%s ends a stream with an error', async (fault) => {
    const key = await testKey();
    const before = await balanceOf(key);
    const { status, text } = await ask(key, { stream: true }, fault);
    expect(status).toBe(200);
    const chunks = readJson<{ error?: { code: string }; choices?: unknown[] }>(text);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.findLast(({ error }) => error)).toMatchObject({ error: { code: 'provider_failed' } });
    expect(await balanceOf(key)).toBe(before);
    await houses();
  });

  test('at the first upstream alone is answered by the second one, and billed once', async () => {
    const key = await testKey();
    const answer = await ask(key, {}, 'upstream_500; first');
    expect(answer.status).toBe(200);
    const id = answer.headers.get('x-request-id')!;
    const request = await call(key, `/platform/v1/requests/${id}`);
    expect(request.body).toMatchObject({ status: 200, attempts: 2, upstream: 'test_second' });
    await houses();
  });

  test('is refused by name when there is none such, and with a live key', async () => {
    const key = await testKey();
    const error = (code: string) => ({ status: 400, body: { error: { code, param: 'x-test-fault' } } });
    for (const unknown of ['explode', 'slow_first_byte', 'upstream_500=3', ''])
      expect(await ask(key, {}, unknown)).toMatchObject(error('invalid_value'));
    const account = await stage.account();
    expect(await ask(account.secret, {}, 'upstream_500')).toMatchObject(error('test_mode_only'));
  });
});

describe('the clock of a test workspace', () => {
  const advance = (secret: string, body: object) => call(secret, '/platform/v1/test_clock/advance', body);

  test('begins the next day of a spend limit', async () => {
    const key = await testKey({ spend_limit: 0.0005, spend_limit_period: 'daily' });
    await until(async () => (await ask(key)).status === 402);
    expect(await ask(key)).toMatchObject({ body: { error: { code: 'key_spend_limit_reached' } } });
    const before = await call(key, '/platform/v1/key');
    expect(await advance(key, { seconds: day })).toMatchObject({ status: 200, body: { object: 'test_clock' } });
    expect((await ask(key)).status).toBe(200);
    const { usage_daily: today, usage_monthly: month } = (await call(key, '/platform/v1/key')).body as never;
    expect(today).toBeLessThan((before.body as { usage_daily: number }).usage_daily);
    expect(month).toBeGreaterThanOrEqual(today);
    await houses();
  });

  test('moves to a time, and never back', async () => {
    const key = await testKey();
    const { now } = (await call(key, '/platform/v1/test_clock')).body as { now: string };
    const to = new Date(Date.parse(now) + 40 * day * 1_000).toISOString();
    expect((await advance(key, { to })).body).toMatchObject({ now: expect.stringContaining(to.slice(0, 18)) });
    const refusals = [{ to: now }, { seconds: -1 }, { seconds: 1, to }, {}, { seconds: day * 1_000 }];
    for (const refused of refusals) expect((await advance(key, refused)).status).toBe(422);
    expect(await advance(live.secret, { seconds: 1 })).toMatchObject({
      status: 409,
      body: { error: { code: 'test_mode_only' } },
    });
  });

  test('ends files and client secrets', async () => {
    const key = await testKey();
    const client = new OpenAI({ baseURL: `${stage.urls()[0]}/v1`, apiKey: key, maxRetries: 0 });
    const expires_after = { anchor: 'created_at' as const, seconds: 3_600 };
    const file = new File(['{}'], 'calls.jsonl');
    const [short, kept] = [
      await client.files.create({ file, purpose: 'batch', expires_after }),
      await client.files.create({ file, purpose: 'batch' }),
    ];
    const { value } = await client.realtime.clientSecrets.create({
      expires_after: { anchor: 'created_at', seconds: 600 },
    });
    const connect = () => call(value, '/v1/realtime');
    expect((await connect()).text).not.toContain('expired');
    expect(await client.files.retrieve(short.id)).toMatchObject({ id: short.id });
    await advance(key, { seconds: 3_601 });
    expect((await connect()).text).toContain('expired');
    await expect(client.files.retrieve(short.id)).rejects.toMatchObject({ status: 404 });
    expect(await client.files.retrieve(kept.id)).toMatchObject({ id: kept.id });
  });

  test('ends keys', async () => {
    const expires_at = new Date(Date.now() + 400 * day * 1_000).toISOString();
    const [key, other] = [await testKey({ expires_at }), await testKey()];
    expect((await ask(key)).status).toBe(200);
    await advance(other, { seconds: 365 * day });
    await advance(other, { seconds: 36 * day });
    await until(async () => (await ask(key)).status === 401);
    expect((await ask(other)).status).toBe(200);
  });
});
