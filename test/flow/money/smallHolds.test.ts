import { afterAll, describe, expect, test } from '@jest/globals';
import { usdTextOf } from '../../../db/money.ts';
import { countPromptTokens } from '../../../providers/metering/tokens.ts';
import { embeddingModel } from '../../support/startApi.ts';
import { readJson } from '../../support/streams.ts';
import { ask, chatBody, priceNanos, setMoneyStage, worstCaseNanos, type Account, type Answer } from '../stages/moneyStage.ts'; // prettier-ignore

const text = 'word '.repeat(3_000);
const stage = await setMoneyStage();
afterAll(() => stage.close());

interface Chunk {
  choices: { delta: { content?: string }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

function readStream({ text: stream }: Answer) {
  const chunks = readJson<Chunk>(stream);
  const finishReason = chunks.findLast(({ choices }) => choices[0]?.finish_reason)?.choices[0]!.finish_reason;
  const usage = chunks.findLast(({ usage }) => usage)!.usage!;
  return { finishReason, outputTokens: usage.completion_tokens, inputTokens: usage.prompt_tokens };
}

async function requestOf({ keyId }: Account) {
  await stage.db.ledger.posted();
  const sql = 'select status, cost_nanos, written_off_nanos, hold_nanos from requests where key_id = $1';
  const { rows } = await stage.db.pool.query(sql, [keyId]);
  expect(rows).toHaveLength(1);
  return { costNanos: BigInt(rows[0].cost_nanos), writtenOffNanos: BigInt(rows[0].written_off_nanos), holdNanos: BigInt(rows[0].hold_nanos) }; // prettier-ignore
}

const streamed = { stream: true, stream_options: { include_usage: true } };

describe('a stream that outgrows the balance', () => {
  test.each([700n, 1_300n, 1_999n])(
    'of %i tokens ends with "length", and pays no more than there was',
    async (tokens) => {
      const body = chatBody({ text }, streamed);
      const creditNanos = tokens * 2_500n;
      const account = await stage.account({ balanceNanos: creditNanos });
      const answer = await ask(stage.urls()[0]!, account.secret, body);
      const { finishReason, outputTokens } = readStream(answer);
      expect([answer.status, finishReason]).toEqual([200, 'length']);
      const { costNanos, writtenOffNanos, holdNanos } = await requestOf(account);
      expect(costNanos).toBeLessThanOrEqual(holdNanos);
      expect(await stage.balance(account)).toBe(creditNanos - costNanos);
      const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
      // Bill plus write-off equal the actual price: at most one read beyond the hold.
      expect(costNanos + writtenOffNanos).toBe(priceNanos({ inputTokens, outputTokens }));
      expect(costNanos).toBeGreaterThan((creditNanos * 9n) / 10n);
      await stage.quiet(account.accountId);
    },
  );

  test('ends with "length" at a ceiling too', async () => {
    const limit = { spendLimitNanos: 2_000_000n, spendLimitPeriod: 'daily' as const };
    const account = await stage.account({ balanceNanos: 1_000_000_000n, ...limit });
    const answer = await ask(stage.urls()[0]!, account.secret, chatBody({ text }, streamed));
    expect(readStream(answer).finishReason).toBe('length');
    expect((await requestOf(account)).costNanos).toBeLessThanOrEqual(2_000_000n);
    await stage.quiet(account.accountId);
  });
});

/** The cost of the counted prompt, which is less than its estimate, and of this much output. */
async function leastNanos(body: string, outputTokens: number): Promise<bigint> {
  const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
  return priceNanos({ inputTokens, outputTokens });
}

describe('the last money of an account', () => {
  test.each([
    ['its estimate', {}],
    ['its estimate', streamed],
    ['its count', {}],
    ['its count', streamed],
  ])('that pays for the prompt by %s and one token buys an answer: %j', async (by, more) => {
    const body = chatBody({ text }, more);
    const creditNanos = by === 'its count' ? await leastNanos(body, 1) : worstCaseNanos(body, 1);
    const account = await stage.account({ balanceNanos: creditNanos });
    const answer = await ask(stage.urls()[0]!, account.secret, body);
    expect(answer.status).toBe(200);
    const { costNanos, holdNanos, writtenOffNanos } = await requestOf(account);
    expect(holdNanos).toBe(creditNanos);
    expect(writtenOffNanos).toBe(0n);
    expect(costNanos).toBeGreaterThanOrEqual(await leastNanos(body, 1));
    expect(await stage.balance(account)).toBe(creditNanos - costNanos);
    await stage.quiet(account.accountId);
  });

  test.each([{}, streamed])('that is less than that buys nothing and stays: %j', async (more) => {
    const body = chatBody({ text }, more);
    const creditNanos = (await leastNanos(body, 1)) - 1n;
    const account = await stage.account({ balanceNanos: creditNanos });
    const calls = stage.upstream.calls().length;
    const answer = await ask(stage.urls()[0]!, account.secret, body);
    expect(answer).toMatchObject({ status: 402, code: 'insufficient_balance' });
    expect(answer.text).toContain(usdTextOf(creditNanos + 1n));
    expect(stage.upstream.calls()).toHaveLength(calls);
    expect(await stage.balance(account)).toBe(creditNanos);
    await stage.quiet(account.accountId);
  });
});

test('the last money that pays for embeddings by their count buys them', async () => {
  const body = JSON.stringify({ model: embeddingModel, input: 'word '.repeat(3_000) });
  const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
  const creditNanos = BigInt(inputTokens) * 20n;
  const account = await stage.account({ balanceNanos: creditNanos });
  const headers = { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' };
  const answer = await fetch(`${stage.urls()[0]!}/v1/embeddings`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect(await requestOf(account)).toMatchObject({ costNanos: creditNanos, writtenOffNanos: 0n });
  await stage.quiet(account.accountId);
});
