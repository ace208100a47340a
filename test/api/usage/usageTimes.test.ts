import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { setStage } from '../platform/stage.ts';
import { giveToAda, storeCalls } from '../../support/pastCalls.ts';

const stage = await setStage();
afterAll(() => stage.close());

interface Report {
  from: string;
  to: string;
  data: Record<string, unknown>[];
  total: Record<string, number>;
}

const usage = (key: string, query: string) => getJson<Report>(`${stage.api.url}/platform/v1/usage${query}`, key);

/** Three calls around 09:59 and 10:00 on a day of March, one of them later. */
async function callInMarch() {
  const { workspaceId, keyId, secret } = await makeAccount(stage.db);
  const call = (at: string, input: number, model = 'model-a') => ({
    at,
    keyId,
    workspaceId,
    model,
    usage: { input_tokens: input, cached_input_tokens: 2, output_tokens: 3 },
  });
  await storeCalls(stage.databaseUrl, [
    call('2026-03-05T09:59:59.999Z', 10),
    call('2026-03-05T10:00:00Z', 20),
    call('2026-03-05T10:00:59.999Z', 30, 'model-b'),
    call('2026-03-05T11:30:00Z', 40),
  ]);
  return { workspaceId, keyId, secret };
}

describe('GET /platform/v1/usage by time', () => {
  test('groups by minute', async () => {
    const { secret } = await callInMarch();
    const { status, body } = await usage(secret, '?group_by=minute&from=2026-03-05T09:00:00Z&to=2026-03-05T12:00:00Z');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { minute: '2026-03-05T09:59:00Z', requests: 1, cost_usd: 1e-6 },
      { minute: '2026-03-05T10:00:00Z', requests: 2, cost_usd: 2e-6 },
      { minute: '2026-03-05T11:30:00Z', requests: 1 },
    ]);
    expect(body.total).toMatchObject({ requests: 4, cost_usd: 4e-6 });
  });

  test('has calls from one instant to another, whether their hours are summed or not', async () => {
    const { secret } = await callInMarch();
    const range = '&from=2026-03-05T10:00:00Z&to=2026-03-05T12:00:59.999%2B01:00';
    const hours = async () => (await usage(secret, `?group_by=hour${range}`)).body;
    const expected = { data: [{ hour: '2026-03-05T10:00:00Z', requests: 2 }], total: { requests: 2 } };
    expect(await hours()).toMatchObject(expected);
    // The hours are summed now.
    expect(await hours()).toMatchObject(expected);
    const minutes = await usage(secret, `?group_by=minute${range}`);
    expect(minutes.body.data).toMatchObject([{ minute: '2026-03-05T10:00:00Z', requests: 2 }]);
    const until = (to: string) => usage(secret, `?group_by=hour&from=2026-03-05T10:00:00.001Z&to=${to}`);
    expect((await until('2026-03-05T10:00:59.999Z')).body.total.requests).toBe(0);
    expect((await until('2026-03-05T10:01:00Z')).body.total.requests).toBe(1);
  });

  test.each([
    ['hour,model', { hour: '2026-03-05T10:00:00Z', model: 'model-a' }],
    ['minute,key', { minute: '2026-03-05T11:30:00Z' }],
    ['hour,product', { hour: '2026-03-05T11:00:00Z', product: 'text' }],
    ['day,member', { day: '2026-03-05', member: 'user_ada', label: 'Ada' }],
  ])('has the tokens of each row by %s', async (groupBy, row) => {
    const { secret, keyId } = await callInMarch();
    await giveToAda(stage.databaseUrl, keyId);
    const { body } = await usage(secret, `?group_by=${groupBy}&from=2026-03-05T09:30:00Z&to=2026-03-05T12:00:00Z`);
    const tokens = Object.fromEntries(
      ['input_tokens', 'cached_input_tokens', 'output_tokens'].map((unit) => [
        unit,
        body.data.reduce((sum, { units }) => sum + (units as Unit[]).find((one) => one.unit === unit)!.quantity, 0),
      ]),
    );
    expect(tokens).toEqual({ input_tokens: 100, cached_input_tokens: 8, output_tokens: 12 });
    expect(body.data).toContainEqual(expect.objectContaining(row));
  });

  test('has runs in the minute in which they ended', async () => {
    const account = await makeAccount(stage.db);
    await finishTestRun(stage.db, await makeRun(stage.db, account), { subtotalNanos: 900n });
    const { body } = await usage(account.secret, '?group_by=minute,agent');
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(3_600_000);
    expect(body.data).toMatchObject([{ minute: expect.stringMatching(/:00Z$/), agent: 'test/agent', runs: 1 }]);
  });

  test.each([
    ['from=2026-03-05T09:00:00Z&to=2026-03-05T12:00:00.001Z', 'from'],
    ['from=2026-03-05&to=2026-03-05', 'from'],
    ['from=2026-03-05', 'from'],
  ])('refuses more than three hours of minutes: %s', async (range, param) => {
    const { secret } = await makeAccount(stage.db);
    const { status, body } = await getJson(`${stage.api.url}/platform/v1/usage?group_by=minute&${range}`, secret);
    expect({ status, body }).toMatchObject({ status: 422, body: { error: { code: 'validation_error', param } } });
  });
});

interface Unit {
  unit: string;
  quantity: number;
}
