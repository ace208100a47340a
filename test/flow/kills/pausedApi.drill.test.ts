import { afterAll, expect, test } from '@jest/globals';
import { countPromptTokens } from '../../../providers/metering/tokens.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { chatBody, priceNanos, setMoneyStage, untilFlushed } from '../stages/moneyStage.ts';

const leaseMs = 4_000;
const stage = await setMoneyStage({ start: startApiProcess, env: { LEDGER_LEASE_MS: String(leaseMs) } });
afterAll(() => stage.close());

test('a stream of a process that was paused for longer than its lease is billed in full', async () => {
  const account = await stage.account({ creditUsd: '100' });
  const [api] = stage.running;
  const body = chatBody({ text: 'word '.repeat(3_000), delayMs: 2 }, { stream: true });
  const headers = { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' };
  const response = await fetch(`${api!.url}/v1/chat/completions`, { method: 'POST', headers, body });
  let received = '';
  const reading = (async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) received += text;
  })();
  const deliveredTokens = () => received.match(/"content":"[^"]/g)?.length ?? 0;
  await until(() => deliveredTokens() > 50);
  await untilFlushed(stage, account);
  process.kill(api!.pid, 'SIGSTOP');
  try {
    await until(async () => (await stage.db.ledger.reap()).requestsSettled === 1);
  } finally {
    process.kill(api!.pid, 'SIGCONT');
  }
  await reading;
  expect(received).toContain('[DONE]');
  const outputTokens = stage.upstream.calls()[0]!.outputTokens;
  expect(deliveredTokens()).toBe(outputTokens);
  const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
  await stage.quiet(account.accountId);
  const sql = 'select cost_nanos, provisional from requests where key_id = $1';
  const { rows } = await stage.db.pool.query(sql, [account.keyId]);
  expect(rows).toEqual([{ cost_nanos: String(priceNanos({ inputTokens, outputTokens })), provisional: false }]);
});
