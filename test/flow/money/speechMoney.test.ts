import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { nanosOfUsd, usdTextOf } from '../../../db/money.ts';
import { until } from '../../support/until.ts';
import { setMoneyStage, sumOf, type Account } from '../stages/moneyStage.ts';
import { startScriptedVoice } from '../stages/scriptedVoice.ts';

const characterNanos = 15_000n;
// Characters per second of audio, assumed for an upstream that does not report its position.
const charactersPerSecond = 15;
const text = 'Whoever leaves pays for what was spoken until then, and for nothing that was not. '.repeat(2);
const creditNanos = 1_000_000_000n;

const voice = await startScriptedVoice();
const stage = await setMoneyStage({ voiceUrl: voice.url });
afterAll(async () => {
  await stage.close();
  await voice.stop();
});

const headersOf = ({ secret }: Account) => ({ authorization: `Bearer ${secret}`, 'content-type': 'application/json' });
const bodyOf = (input: string) => JSON.stringify({ model: 'tts-1', voice: 'alloy', input, response_format: 'pcm' });

const speak = (account: Account, input = text, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${stage.urls()[0]}/v1/audio/speech`, {
    method: 'POST',
    headers: { ...headersOf(account), ...headers },
    body: bodyOf(input),
    signal,
  });

async function requestsOf({ keyId }: Account): Promise<unknown[]> {
  const sql = 'select status, cancelled, cost_nanos, usage from requests where key_id = $1';
  return (await stage.db.pool.query(sql, [keyId])).rows;
}

test('a client that disconnects during speech pays for the spoken characters; the upstream call is aborted', async () => {
  voice.setScript({ seconds: 2, ending: 'stall' });
  const account = await stage.account({ balanceNanos: creditNanos });
  const url = `${stage.urls()[0]}/v1/audio/speech`;
  const sent = request(url, { method: 'POST', headers: headersOf(account), agent: false });
  sent.on('error', () => {});
  sent.end(bodyOf(text));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  let bytes = 0;
  response.on('data', (piece: Buffer) => (bytes += piece.length));
  await until(() => bytes > 90_000);
  sent.destroy();
  await until(() => voice.calls[0]!.hasLeft);
  await until(async () => (await requestsOf(account)).length === 1);
  const characters = 2 * charactersPerSecond;
  const costNanos = BigInt(characters) * characterNanos;
  expect(await requestsOf(account)).toEqual([
    { status: 499, cancelled: true, cost_nanos: String(costNanos), usage: { input_characters: characters } },
  ]);
  expect(await stage.balance(account)).toBe(creditNanos - costNanos);
  await stage.quiet(account.accountId);
});

test.each([
  ['before the first audio is refused at no cost', 0, 401, 0],
  ['during the audio pays for the spoken characters', 2, 200, 2 * charactersPerSecond],
])('a caller whose key is revoked %s', async (_, seconds, status, characters) => {
  voice.setScript({ seconds, ending: 'stall' });
  const account = await stage.account({ balanceNanos: creditNanos });
  const answer = speak(account);
  await until(() => voice.calls.length === 1);
  if (seconds > 0) await readBytes(await answer, 90_000);
  await revokeKey(stage.db, account.keyId);
  expect((await answer).status).toBe(status);
  await until(() => voice.calls[0]!.hasLeft);
  await until(async () => (await requestsOf(account)).length === 1);
  const costNanos = BigInt(characters) * characterNanos;
  expect(await requestsOf(account)).toMatchObject([{ status: 401, cost_nanos: String(costNanos) }]);
  expect(await stage.balance(account)).toBe(creditNanos - costNanos);
  await stage.quiet(account.accountId);
});

async function readBytes({ body }: Response, wantedBytes: number): Promise<void> {
  const reader = body!.getReader();
  for (let bytes = 0; bytes < wantedBytes;) bytes += (await reader.read()).value!.length;
}

test('an engine that fails before its first audio gives a 502, and bills nothing', async () => {
  voice.setScript({ seconds: 0, ending: 'end', status: 500 });
  const account = await stage.account({ balanceNanos: creditNanos });
  const response = await speak(account);
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ error: { code: 'provider_failed' } });
  await until(async () => (await requestsOf(account)).length === 1);
  expect(await requestsOf(account)).toMatchObject([{ status: 502, cost_nanos: '0' }]);
  expect(await stage.balance(account)).toBe(creditNanos);
  await stage.quiet(account.accountId);
});

test('an engine that fails during the audio breaks the answer off, and bills nothing', async () => {
  voice.setScript({ seconds: 2, ending: 'break' });
  const account = await stage.account({ balanceNanos: creditNanos });
  const response = await speak(account);
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toMatchObject({ message: 'terminated' });
  await until(async () => (await requestsOf(account)).length === 1);
  expect(await requestsOf(account)).toMatchObject([{ status: 502, cost_nanos: '0' }]);
  expect(await stage.balance(account)).toBe(creditNanos);
  await stage.quiet(account.accountId);
});

test('the last cent does not cover a longer text: the refusal has the amounts needed and left', async () => {
  voice.setScript({ seconds: 1, ending: 'end' });
  const account = await stage.account({ balanceNanos: characterNanos * 10n });
  const response = await speak(account);
  expect(response.status).toBe(402);
  expect(response.headers.get('x-limit-source')).toBe('balance');
  expect(nanosOfUsd(response.headers.get('x-limit-remaining-usd')!)).toBe(characterNanos * 10n);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe('insufficient_balance');
  expect(error.message).toContain(`${usdTextOf(characterNanos * BigInt(text.length))} USD`);
  expect(voice.calls).toEqual([]);
  expect(await stage.balance(account)).toBe(characterNanos * 10n);
  await stage.quiet(account.accountId);
});

test.each([
  ['balance', { balanceNanos: characterNanos * 10n }],
  ['key', { spendLimitNanos: characterNanos * 10n, spendLimitPeriod: 'daily' as const }],
])(
  'the last cent of the %s covers the text’s beginning with x-allow-partial, marked as cut',
  async (source, options) => {
    voice.setScript({ seconds: 1, ending: 'end' });
    const account = await stage.account(options);
    const response = await speak(account, text, { 'x-allow-partial': 'true' });
    expect(response.headers.get('character-cost')).toBe('10');
    expect(response.headers.get('x-truncated')).toBe(source);
    await response.arrayBuffer();
    expect(voice.calls.map(({ input }) => input)).toEqual([text.slice(0, 10)]);
    await until(async () => (await requestsOf(account)).length === 1);
    expect((await speak(account, text, { 'x-allow-partial': 'true' })).status).toBe(402);
    await stage.quiet(account.accountId);
  },
);

test('a text whose price a running call holds gets 429 with a retry time, and is served after that call', async () => {
  voice.setScript({ seconds: 1, ending: 'stall' });
  const account = await stage.account({ balanceNanos: characterNanos * BigInt(text.length) });
  const leaving = new AbortController();
  const first = await speak(account, text, {}, leaving.signal);
  expect(first.status).toBe(200);
  const refused = await speak(account, text);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: 'balance_held', type: 'rate_limit_error' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  leaving.abort();
  await until(async () => (await requestsOf(account)).length === 1);
  voice.setScript({ seconds: 1, ending: 'end' });
  const served = await speak(account, 'Short.');
  expect(served.status).toBe(200);
  await served.arrayBuffer();
  await stage.quiet(account.accountId);
});

test('refuses by name a header that is neither true nor false', async () => {
  const response = await speak(await stage.account(), text, { 'x-allow-partial': 'maybe' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_value', param: 'x-allow-partial' } });
});

test('concurrent clients on a balance for ten texts spend exactly that', async () => {
  voice.setScript({ seconds: 1, ending: 'end' });
  const input = 'Ten of us can be paid for.';
  const credit = characterNanos * BigInt(input.length) * 10n;
  const account = await stage.account({ balanceNanos: credit });
  const answers = await Promise.all(
    Array.from({ length: 48 }, async () => {
      const response = await speak(account, input);
      await response.arrayBuffer();
      return { status: response.status, characters: BigInt(response.headers.get('character-cost') ?? 0) };
    }),
  );
  expect(answers.filter(({ status }) => ![200, 402, 429].includes(status))).toEqual([]);
  await stage.quiet(account.accountId);
  expect(sumOf(answers.map(({ characters }) => characters)) * characterNanos).toBe(credit);
  expect(await stage.balance(account)).toBe(0n);
});
