import { afterAll, describe, expect, test } from '@jest/globals';
import { usdTextOf } from '../../../db/money.ts';
import { countPromptTokens } from '../../../providers/metering/tokens.ts';
import { chatBody, chatPath, setGuardStage, told, type ErrorBody } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

async function refusalOf(secret: string, path = chatPath, body = chatBody()) {
  return refusalIn(await stage.ask(path, { headers: { 'x-api-key': secret }, body }));
}

async function refusalIn(response: Response) {
  const { error } = (await response.json()) as ErrorBody;
  const limit = (name: string) => response.headers.get(`x-limit-${name}`);
  return {
    status: response.status,
    code: error.code,
    type: error.type,
    message: error.message,
    source: limit('source'),
    remainingUsd: limit('remaining-usd'),
    resetsAt: limit('resets-at'),
  };
}

/** The start of the next UTC day or month by the database's clock. */
async function nextStart(period: 'day' | 'month'): Promise<string> {
  const { rows } = await stage.db.pool.query(
    `select (date_trunc($1, now() at time zone 'utc') + ('1 ' || $1)::interval) at time zone 'utc' as at`,
    [period],
  );
  return rows[0].at.toISOString();
}

describe('a zero balance', () => {
  test('is refused with 402 insufficient_balance on every route that runs a model, and nothing runs', async () => {
    const { secret } = await stage.account({ balanceNanos: 0n });
    const bodies: [string, string][] = [
      [chatPath, chatBody()],
      [chatPath, chatBody({ stream: true })],
      ['/textapi/v1/completions', JSON.stringify({ model: 'ledgerline-text-1', prompt: 'a' })],
      ['/textapi/v1/responses', JSON.stringify({ model: 'ledgerline-text-1', input: 'a' })],
      ['/textapi/v1/embeddings', JSON.stringify({ model: 'ledgerline-embed-1', input: 'a' })],
    ];
    for (const [path, body] of bodies) {
      expect(await refusalOf(secret, path, body)).toEqual({
        message: 'You exceeded your current quota: the account balance is zero. Top up to go on.',
        status: 402,
        code: 'insufficient_balance',
        type: 'billing_error',
        source: 'balance',
        remainingUsd: '0',
        resetsAt: null,
      });
    }
    expect(stage.upstream.calls()).toHaveLength(0);
  });

  test('below zero is told as it is', async () => {
    const { secret, workspaceId } = await stage.account({ balanceNanos: 0n });
    const taken = 'update accounts set posted_nanos = -1500000000, reversed_nanos = 1500000000 where workspace_id = $1';
    await stage.asOwner(taken, [workspaceId]);
    expect(await refusalOf(secret)).toMatchObject({
      status: 402,
      message: 'You exceeded your current quota: the account balance is -1.5 USD. Top up to go on.',
      remainingUsd: '-1.5',
    });
  });

  test('allows reading', async () => {
    const { secret } = await stage.account({ balanceNanos: 0n });
    expect((await stage.ask('/v1/models', { headers: { 'x-api-key': secret } })).status).toBe(200);
  });
});

describe('a reached ceiling', () => {
  test.each([
    ['daily', 'day'],
    ['monthly', 'month'],
  ] as const)(
    'is refused with 402 key_spend_limit_reached; for a %s ceiling the error has the reset time',
    async (spendLimitPeriod, unit) => {
      const { secret } = await stage.account({ spendLimitNanos: 0n, spendLimitPeriod });
      expect(await refusalOf(secret)).toEqual({
        message:
          'You exceeded your current quota: this key has reached its spend limit. Raise the limit or wait for its reset.',
        status: 402,
        code: 'key_spend_limit_reached',
        type: 'billing_error',
        source: 'key',
        remainingUsd: '0',
        resetsAt: await nextStart(unit),
      });
    },
  );

  test('without a period never resets', async () => {
    const { secret } = await stage.account({ spendLimitNanos: 0n, spendLimitPeriod: null });
    expect(await refusalOf(secret)).toMatchObject({ code: 'key_spend_limit_reached', resetsAt: null });
  });

  test.each([
    ['daily', `interval '1 day'`],
    ['monthly', `interval '1 month'`],
  ] as const)('of an earlier %s period no longer applies', async (spendLimitPeriod, ago) => {
    const { secret, keyId, workspaceId } = await stage.account({ spendLimitNanos: 1_000_000n, spendLimitPeriod });
    const spend = async (day: string) => {
      await stage.asOwner('delete from key_days where key_id = $1', [keyId]);
      await stage.asOwner(
        `insert into key_days (key_id, workspace_id, day, spent_nanos) values ($1, $2, ${day}, 1000000)`,
        [keyId, workspaceId],
      );
    };
    await spend(`(now() at time zone 'utc')::date`);
    expect(await refusalOf(secret)).toMatchObject({ status: 402, code: 'key_spend_limit_reached' });
    await spend(`((now() at time zone 'utc') - ${ago})::date`);
    const response = await stage.ask(chatPath, { headers: { 'x-api-key': secret }, body: chatBody() });
    expect(response.status).toBe(200);
  });

  test('stops one key and not another one of the same account', async () => {
    const { secret, workspaceId } = await stage.account({ spendLimitNanos: 0n, spendLimitPeriod: 'daily' });
    const neighbour = await stage.account({});
    await stage.db.pool.query(
      'update api_keys set workspace_id = $1, account_id = (select id from accounts where workspace_id = $1) where id = $2',
      [workspaceId, neighbour.keyId],
    );
    await until(async () => {
      const { status } = await stage.ask(chatPath, { headers: { 'x-api-key': neighbour.secret }, body: chatBody() });
      return status === 200;
    });
    expect(await refusalOf(secret)).toMatchObject({ status: 402, source: 'key' });
  });
});

test.each([
  ['a balance', { balanceNanos: 200_000n }, 'left of the balance'],
  ['a ceiling', { spendLimitNanos: 200_000n }, 'left of the spend limit of this key'],
])('money of %s held by running calls is not spent twice: 429 requests a retry', async (_what, options, words) => {
  const { secret } = await stage.account(options);
  const open = new AbortController();
  const body = chatBody({ stream: true, messages: told({ fault: 'stall' }) });
  const running = await stage.ask(chatPath, { headers: { 'x-api-key': secret }, body, signal: open.signal });
  expect(running.status).toBe(200);
  const refused = await stage.ask(chatPath, { headers: { 'x-api-key': secret }, body: chatBody() });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refusalIn(refused)).toEqual({
    status: 429,
    code: 'balance_held',
    type: 'rate_limit_error',
    source: 'hold',
    remainingUsd: '0.0002',
    resetsAt: null,
    message: expect.stringContaining(words),
  });
  open.abort();
});

describe('less money than the prompt and one token cost', () => {
  // 4,000 tokens and a few, at 0.3 USD per million.
  const long = chatBody({ messages: [{ role: 'user', content: 'word '.repeat(4_000) }] });

  test.each([
    ['of a balance', { balanceNanos: 1n }, 'insufficient_balance', 'balance', '0.000000001'],
    ['of a ceiling', { spendLimitNanos: 1n }, 'key_spend_limit_reached', 'key', '0.000000001'],
    ['of a balance', { balanceNanos: 1_200_000n }, 'insufficient_balance', 'balance', '0.0012'],
    ['of a ceiling', { spendLimitNanos: 1_200_000n }, 'key_spend_limit_reached', 'key', '0.0012'],
  ] as const)(
    '%s is refused with 402 that has the needed and the remaining amount: %j',
    async (_of, options, code, source, left) => {
      const { secret } = await stage.account(options);
      const before = stage.upstream.calls().length;
      for (const stream of [false, true]) {
        const body = JSON.stringify({ ...(JSON.parse(long) as object), stream });
        const refusal = await refusalOf(secret, chatPath, body);
        expect(refusal).toMatchObject({ status: 402, code, source, remainingUsd: left });
        const tokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
        const needed = BigInt(tokens) * 300n + 2_500n;
        expect(refusal.message).toContain(`needs at least ${usdTextOf(needed)} USD, and ${left} USD`);
      }
      expect(stage.upstream.calls()).toHaveLength(before);
    },
  );

  test('is not counted, but estimated, for a prompt whose count alone costs much', async () => {
    const { secret } = await stage.account({ balanceNanos: 1n });
    const body = chatBody({ messages: [{ role: 'user', content: 'word '.repeat(20_000) }] });
    const needed = BigInt(Math.ceil(Buffer.byteLength(body) / 3) + 256) * 300n + 2_500n;
    expect((await refusalOf(secret, chatPath, body)).message).toContain(`needs at least ${usdTextOf(needed)} USD`);
  });
});
