import { afterAll, describe, expect, test } from '@jest/globals';
import { nanosOfUsd } from '../../../db/money.ts';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { setStage } from './stage.ts';

const stage = await setStage();
const other = await stage.startOther();
afterAll(async () => {
  await other.stop();
  await stage.close();
});

/** The answer of a process that did not serve the call. */
async function read(path: string, key: string): Promise<Record<string, unknown>> {
  const { status, body } = await getJson<Record<string, unknown>>(`${other.url}/platform/v1${path}`, key);
  expect(status).toBe(200);
  return body;
}

describe('another process returns at once what one has answered:', () => {
  test('the cost of calls, in every figure', async () => {
    const { secret } = await makeAccount(stage.db, { spendLimitNanos: nanosOfUsd(1), spendLimitPeriod: 'daily' });
    let spentNanos = 0n;
    for (let call = 0; call < 5; call += 1) {
      const id = await stage.chat(secret);
      const request = await read(`/requests/${id}`, secret);
      spentNanos += nanosOfUsd(request.cost_usd as number);
      const usd = (nanos: bigint) => Number(nanos) / 1e9;
      const balance = usd(nanosOfUsd(10) - spentNanos);
      expect(await read('/billing/balance', secret)).toMatchObject({ balance_usd: balance });
      const key = { usage_daily: usd(spentNanos), limit_remaining: usd(nanosOfUsd(1) - spentNanos), balance };
      expect(await read('/key', secret)).toMatchObject(key);
      expect(await read('/keys', secret)).toMatchObject({ data: [{ spend_monthly: usd(spentNanos) }] });
      const newest = { id: (request.ledger_entry_ids as string[])[0], request_id: id, balance_after_usd: balance };
      expect(await read('/billing/ledger?limit=1', secret)).toMatchObject({ data: [newest] });
    }
  });

  test.each([
    ['that failed', '{"scripted":{"status":500}}', {}, 500],
    ['that failed in its stream', '{"scripted":{"fault":"errorFrame"}}', { stream: true }, 200],
  ])('a call %s', async (_, script, more, shown) => {
    const { secret } = await makeAccount(stage.db);
    for (let call = 0; call < 5; call += 1) {
      const { status, text, requestId } = await stage.ask(secret, script, more);
      expect([status >= 500 ? 500 : status, text]).toEqual([shown, expect.stringContaining('"error"')]);
      expect(await read(`/requests/${requestId}`, secret)).toMatchObject({ id: requestId, cost_usd: 0 });
    }
    expect(await read('/billing/balance', secret)).toMatchObject({ balance_usd: 10 });
  });
});
