import { afterAll, expect, test } from '@jest/globals';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { ask, chatBody, priceNanos, setMoneyStage, worstCaseNanos, type Account } from '../stages/moneyStage.ts';

// The lease outlives this test: a killed process's calls are found by its connection.
const leaseMs = 300_000;
const streams = 5;
const stage = await setMoneyStage({ start: startApiProcess, env: { LEDGER_LEASE_MS: `${leaseMs}` } });
afterAll(() => stage.close());

/** Streams until its API dies; counts what arrives. */
async function runStream(url: string, { secret }: Account, user: string, seen: { tokens: number }): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const body = chatBody({ text: 'word', delayMs: 20, fault: 'endless' }, { stream: true, user });
  try {
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    for await (const text of response.body!.pipeThrough(new TextDecoderStream()))
      seen.tokens += text.match(/"content":"[^"]/g)?.length ?? 0;
  } catch {
    // The API has died.
  }
}

const recorded = async (keyId: string) =>
  (
    await stage.db.pool.query(
      `select from request_progress where settlement->>'key' = $1 and settlement->>'cost' > '0'`,
      [keyId],
    )
  ).rowCount!;

test('the streams of a process that is killed in its first second are billed', async () => {
  const account = await stage.account({ creditUsd: '100' });
  const api = await stage.startAnother();
  const seen = { tokens: 0 };
  const running = Array.from({ length: streams }, (_, nth) => runStream(api.url, account, `early-${nth}`, seen));
  await until(async () => (await recorded(account.keyId)) === streams);
  process.kill(api.pid, 'SIGKILL');
  await Promise.all(running);
  const bills = async () =>
    (await stage.db.pool.query('select status, cost_nanos from requests where key_id = $1', [account.keyId])).rows;
  await until(async () => (await bills()).length === streams);
  for (const { status, cost_nanos } of await bills()) {
    expect(status).toBe(200);
    expect(BigInt(cost_nanos as string)).toBeGreaterThanOrEqual(priceNanos({ inputTokens: 0, outputTokens: 1 }));
  }
  await stage.quiet(account.accountId);
});

test('a stream that had produced nothing is recorded as failed', async () => {
  const account = await stage.account({ creditUsd: '100' });
  const api = await stage.startAnother();
  const body = chatBody({ text: 'Never.', headDelayMs: 60_000 }, { stream: true });
  const lost = ask(api.url, account.secret, body).catch(() => undefined);
  const progress = `select from request_progress where settlement->>'key' = $1`;
  await until(async () => (await stage.db.pool.query(progress, [account.keyId])).rowCount === 1);
  process.kill(api.pid, 'SIGKILL');
  await lost;
  const sql = 'select status, cost_nanos::int from requests where key_id = $1';
  await until(async () => (await stage.db.pool.query(sql, [account.keyId])).rowCount === 1);
  expect((await stage.db.pool.query(sql, [account.keyId])).rows).toEqual([{ status: 503, cost_nanos: 0 }]);
});

test('what a killed process held is free long before its lease has ended', async () => {
  const body = chatBody({ text: 'Late.', headDelayMs: 60_000 }, { max_tokens: 1 });
  // Enough for one call.
  const account = await stage.account({ balanceNanos: (worstCaseNanos(body, 1) * 3n) / 2n });
  const api = await stage.startAnother();
  const lost = ask(api.url, account.secret, body).catch(() => undefined);
  const held = `select from holds where key_id = $1 and state = 'open' and kind = 'request'`;
  await until(async () => (await stage.db.pool.query(held, [account.keyId])).rowCount === 1);
  const other = chatBody({ text: 'Paid for.' }, { max_tokens: 1 });
  expect(await ask(stage.urls()[0]!, account.secret, other)).toMatchObject({ status: 429, code: 'balance_held' });
  process.kill(api.pid, 'SIGKILL');
  await lost;
  await until(async () => (await ask(stage.urls()[0]!, account.secret, other)).status === 200);
});
