import { afterAll, describe, expect, test } from '@jest/globals';
import { countTokens } from '../../../providers/metering/tokens.ts';
import { readJson } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { chatBody, ask, setMoneyStage, type Account, type Answer } from '../stages/moneyStage.ts';

// An expensive model, which uses 0.60 USD within seconds: 24,000 tokens.
const DEAR = 'dear-text';
const TOKEN_NANOS = 25_000n;
const STREAMS = 26;
const text = 'word '.repeat(4_000);

const usdPerMillion = { input_tokens: 0.3, output_tokens: 25 };
const dear = { id: DEAR, kind: 'text', aliases: [], outputTokensMax: 4096, usdPerMillion };
const stage = await setMoneyStage({ catalog: { models: [dear] } });
afterAll(() => stage.close());

interface Bill {
  costNanos: bigint;
  writtenOffNanos: bigint;
  outputTokens: number;
}

async function billsOf({ workspaceId }: Account): Promise<Bill[]> {
  await stage.db.ledger.posted();
  const sql = 'select usage, cost_nanos, written_off_nanos from requests where workspace_id = $1 and status = 200';
  const { rows } = await stage.db.pool.query(sql, [workspaceId]);
  return rows.map(({ usage, cost_nanos, written_off_nanos }) => ({
    costNanos: BigInt(cost_nanos),
    writtenOffNanos: BigInt(written_off_nanos),
    outputTokens: (usage as { output_tokens: number }).output_tokens,
  }));
}

const lossOf = (bills: Bill[]) => bills.map(({ writtenOffNanos }) => writtenOffNanos);
const most = (amounts: bigint[]) => amounts.reduce((high, amount) => (amount > high ? amount : high), 0n);

interface Chunk {
  choices: { delta: { content?: string; reasoning_content?: string }; finish_reason: string | null }[];
}

/** The part of an answer that a client has received. */
function sentIn({ text: stream }: Answer) {
  const choices = readJson<Chunk>(stream).flatMap((chunk) => chunk.choices ?? []);
  const sent = choices.map(({ delta }) => (delta.reasoning_content ?? '') + (delta.content ?? '')).join('');
  return { sent, finishReason: choices.findLast(({ finish_reason }) => finish_reason)?.finish_reason };
}

const body = (script: object, more: object = {}) =>
  chatBody({ text, ...script }, { model: DEAR, stream: true, stream_options: { include_usage: true }, ...more });

describe('streams that share the last money', () => {
  test('of 0.60 USD, 26 at 2 ms a token, are cut at the last token that is covered', async () => {
    const account = await stage.account({ balanceNanos: 600_000_000n });
    const streams = Array.from({ length: STREAMS }, () => ask(stage.urls()[0]!, account.secret, body({ delayMs: 2 })));
    const answers = (await Promise.all(streams)).filter(({ status }) => status === 200);
    await stage.quiet(account.accountId);
    const bills = await billsOf(account);
    expect(most(lossOf(bills))).toBeLessThanOrEqual(TOKEN_NANOS);
    expect(bills).toHaveLength(answers.length);
    // The bill equals the sent text, except for a token that ends in the next word.
    const sent = await Promise.all(answers.map((answer) => countTokens(sentIn(answer).sent)));
    const billed = bills.map(({ outputTokens }) => outputTokens);
    const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
    expect(sumOf(sent)).toBe(sumOf(billed));
  });

  test('are cut there although an upstream went on while a stream waited for money', async () => {
    // One call holds money silently; the other reaches the end of its money and waits for it.
    const account = await stage.account({ balanceNanos: 30_000_000n });
    const [url] = stage.urls() as [string];
    const leaving = new AbortController();
    const before = stage.upstream.calls().length;
    const callAt = (place: number) => stage.upstream.calls()[before + place];
    const silent = ask(url, account.secret, body({ fault: 'stall' }), leaving.signal).catch(() => undefined);
    await until(() => callAt(0)?.chunksSent === 2);
    const running = ask(url, account.secret, body({ fault: 'endless' }));
    // It is beyond the other call's money, 700 tokens, unless that ended earlier.
    await until(() => (callAt(1)?.outputTokens ?? 0) > 1_000 || callAt(1)?.endedAt !== undefined);
    leaving.abort();
    await silent;
    expect(sentIn(await running).finishReason).toBe('length');
    await until(async () => (await billsOf(account)).length === 1);
    expect(most(lossOf(await billsOf(account)))).toBeLessThanOrEqual(TOKEN_NANOS);
    await stage.quiet(account.accountId);
  });

  test('of keys with a tiny ceiling each, on a rich account', async () => {
    const account = await stage.account({ balanceNanos: 100_000_000_000n });
    const [url] = stage.urls() as [string];
    const derive = async () => {
      const headers = { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' };
      const order = JSON.stringify({ name: 'tiny', spend_limit: 0.01 });
      const made = await fetch(`${url}/platform/v1/keys/derive`, { method: 'POST', headers, body: order });
      return ((await made.json()) as { key: string }).key;
    };
    const keys = await Promise.all(Array.from({ length: 12 }, derive));
    const answers = await Promise.all(keys.map((key) => ask(url, key, body({ delayMs: 1 }))));
    expect(answers.map((answer) => sentIn(answer).finishReason)).toEqual(keys.map(() => 'length'));
    await stage.quiet(account.accountId);
    const bills = await billsOf(account);
    expect(bills).toHaveLength(keys.length);
    expect(most(lossOf(bills))).toBeLessThanOrEqual(TOKEN_NANOS);
  });
});

describe('an upstream that reports no usage', () => {
  test.each([1, 3])('is paid for in full by an account that can, in %i pieces', async (chunks) => {
    const account = await stage.account({ balanceNanos: 10_000_000_000n });
    await ask(stage.urls()[0]!, account.secret, body({ text: '}{][;,'.repeat(600), chunks, usage: null }));
    const [bill] = await billsOf(account);
    expect(bill).toMatchObject({ writtenOffNanos: 0n });
    await stage.quiet(account.accountId);
  });
});

describe('an answer that arrives in large pieces is cut inside of a piece', () => {
  test.each([
    ['its text', {}],
    ['its reasoning', { text: 'done', reasoning: text }],
    ['text of which each character is several tokens', { text: '\u{13000}\u{12000}\u{16800}'.repeat(300) }],
    ['text of which each character is a token', { text: '}{][;,'.repeat(600) }],
  ])('of %s', async (_, script) => {
    const account = await stage.account({ balanceNanos: 30_000_000n });
    const answer = await ask(stage.urls()[0]!, account.secret, body({ ...script, chunks: 3 }));
    const { sent, finishReason } = sentIn(answer);
    expect(finishReason).toBe('length');
    const [bill] = await billsOf(account);
    expect(bill!.writtenOffNanos).toBeLessThanOrEqual(TOKEN_NANOS);
    expect(bill!.outputTokens).toBe(await countTokens(sent));
    // Nearly all money was used.
    expect(bill!.costNanos).toBeGreaterThan(29_000_000n);
    await stage.quiet(account.accountId);
  });
});
