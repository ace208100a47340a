import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setMoneyStage, type Account } from '../../flow/stages/moneyStage.ts';
import { until } from '../../support/until.ts';
import { billsOf, creditNanos, resume, send, untilStored } from './replayStage.ts';

const MIB = 1024 * 1024;
const body = JSON.stringify({
  model: 'long-text',
  messages: [{ role: 'user', content: 'Say much.' }],
  stream: true,
});
// Together more than the 8 MiB of a stream that are kept.
const chunks = 9;
const text = 'internationalization '.repeat(Math.ceil((chunks * MIB) / 21));
let account: Account;

const models = [
  {
    id: 'long-text',
    kind: 'text',
    aliases: [],
    contextTokens: 2_000_000,
    outputTokensMax: 1_000_000,
    usdPerMillion: { input_tokens: 0.1, output_tokens: 0.1 },
  },
];
const stage = await setMoneyStage({ apis: 2, catalog: { models } });
const url = stage.urls()[0]!;
beforeEach(async () => {
  stage.upstream.reset();
  stage.upstream.script({ text, chunks });
  account = await stage.account({ balanceNanos: creditNanos });
});
afterAll(() => stage.close());

async function streamed(more: { retries?: number; key?: string } = {}) {
  const answer = await send(url, account, { body, ...more });
  const requestId = answer.headers.get('x-request-id')!;
  return { requestId, replayed: answer.headers.get('idempotent-replayed'), body: await answer.text() };
}

const refusal = { error: { code: 'stream_not_kept', message: expect.stringContaining('8 MiB') as unknown } };

describe('a stream that is too large to be kept', () => {
  test.each([0, 1])('is not resumed after its end, and says why, at API %i', async (at) => {
    const { requestId, body: sent } = await streamed();
    expect(sent.length).toBeGreaterThan(chunks * MIB);
    await untilStored(stage, requestId);
    for (const after of [0, 1, 1_000]) {
      const refused = await resume(stage.urls()[at]!, account, requestId, { after });
      expect([refused.status, await refused.json()]).toMatchObject([410, refusal]);
    }
    expect(await billsOf(stage, account)).toHaveLength(1);
  });

  test.each([0, 1])('is not resumed while it runs, which goes on, at API %i', async (at) => {
    stage.upstream.script({ text, chunks, fault: 'stall', faultAfterChunks: chunks });
    const leaving = new AbortController();
    const first = await send(url, account, { body, signal: leaving.signal });
    const requestId = first.headers.get('x-request-id')!;
    const read = first.text().catch(() => '');
    await untilStored(stage, requestId);
    const refused = await resume(stage.urls()[at]!, account, requestId, { after: 1 });
    expect([refused.status, await refused.json()]).toMatchObject([410, refusal]);
    expect(stage.upstream.calls()[0]!.aborted).toBe(false);
    leaving.abort();
    await read;
    await until(async () => (await billsOf(stage, account)).length === 1);
  });

  test.each([
    ['a retry of the same body', [{ retries: 0 }, { retries: 1 }]],
    ['the same idempotency key', [{ key: 'of-a-large-one' }, { key: 'of-a-large-one' }]],
  ])('runs again for %s, as a whole answer that was too large', async (_, [first, again]) => {
    const { requestId } = await streamed(first);
    await untilStored(stage, requestId);
    const second = await streamed(again);
    expect(second.replayed).toBeNull();
    expect(second.body.length).toBeGreaterThan(chunks * MIB);
    expect(await billsOf(stage, account)).toHaveLength(2);
  });
});
