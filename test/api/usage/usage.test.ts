import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { textModel } from '../../support/startApi.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
afterAll(() => stage.close());

interface Report {
  from: string;
  to: string;
  data: Record<string, unknown>[];
  total: Record<string, number>;
}

const usage = (key: string, query = '') => getJson<Report>(`${stage.api.url}/platform/v1/usage${query}`, key);

/** A workspace with two good calls, a failed one, and a billed run. */
async function useAll() {
  const account = await makeAccount(stage.db);
  for (const _ of [1, 2]) await stage.chat(account.secret);
  await stage.ask(account.secret, '{"scripted":{"status":500}}');
  await finishTestRun(stage.db, await makeRun(stage.db, account), { subtotalNanos: 900n, networkFeeNanos: 90n });
  return account;
}

describe('GET /platform/v1/usage', () => {
  test('sums calls and runs of the last 30 days by day, equal to the ledger', async () => {
    const { secret } = await useAll();
    const { status, body } = await usage(secret);
    expect(status).toBe(200);
    const today = new Date().toISOString().slice(0, 10);
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(30 * 86_400_000);
    expect(body).toMatchObject({ object: 'usage', group_by: ['day'], total: { requests: 3, runs: 1, errors: 1 } });
    expect(body.data).toMatchObject([{ day: today, requests: 3, runs: 1, errors: 1, cost_usd: body.total.cost_usd }]);
    expect(body.data[0]!.units).toEqual([
      { unit: 'input_tokens', quantity: expect.any(Number) },
      { unit: 'network_fee', quantity: 1 },
      { unit: 'output_tokens', quantity: expect.any(Number) },
      { unit: 'tool_calls', quantity: 1 },
    ]);
    const ledger = await getJson<{ data: { kind: string; amount_usd: number }[] }>(
      `${stage.api.url}/platform/v1/billing/ledger`,
      secret,
    );
    const debits = ledger.body.data.filter(({ kind }) => kind === 'debit');
    const spent = debits.reduce((sum, entry) => sum - Math.round(entry.amount_usd * 1e9), 0);
    expect(Math.round(body.total.cost_usd! * 1e9)).toBe(spent);
  });

  test('groups by product, model, key, route, agent and hour, and by two at once', async () => {
    const { secret, keyId } = await useAll();
    const by = async (groups: string) => (await usage(secret, `?group_by=${groups}`)).body.data;
    expect(await by('product')).toMatchObject([{ product: 'text' }, { product: 'agents' }]);
    expect(await by('model')).toMatchObject([
      { model: textModel, requests: 3, runs: 0 },
      { model: null, requests: 0, runs: 1 },
    ]);
    expect(await by('key')).toMatchObject([{ key: keyId, label: 'test', requests: 3, runs: 1 }]);
    expect(await by('route')).toMatchObject([{ route: '/v1/chat/completions' }, { route: '/v1/runs' }]);
    expect(await by('agent')).toMatchObject([
      { agent: null, cost_usd: expect.any(Number) },
      { agent: 'test/agent', label: 'Agent', cost_usd: 9.9e-7 },
    ]);
    expect(await by('member')).toMatchObject([{ member: null, requests: 3 }]);
    await stage.db.pool.query(`update api_keys set member_user_id = 'user_1', name = 'Ada' where id = $1`, [keyId]);
    expect(await by('member')).toMatchObject([{ member: 'user_1', label: 'Ada', requests: 3 }]);
    expect(await by('hour,product')).toMatchObject([
      { hour: expect.stringMatching(/T\d\d:00:00Z$/), product: 'agents' },
      { hour: expect.stringMatching(/Z$/), product: 'text', requests: 3 },
    ]);
  });

  test('splits each bill into its meters; the rest is rounding', async () => {
    const { secret } = await useAll();
    const { data, total } = (await usage(secret, '?group_by=meter')).body;
    const costOf = (meter: string) => Math.round((data.find((row) => row.meter === meter)!.cost_usd as number) * 1e9);
    const quantityOf = (meter: string) =>
      (data.find((row) => row.meter === meter)!.units as { quantity: number }[])[0]!.quantity;
    expect(costOf('input_tokens')).toBe(quantityOf('input_tokens') * 300);
    expect(costOf('output_tokens')).toBe(quantityOf('output_tokens') * 2500);
    expect([costOf('tool_calls'), costOf('network_fee')]).toEqual([900, 90]);
    const sum = data.reduce((nanos, { cost_usd }) => nanos + Math.round((cost_usd as number) * 1e9), 0);
    expect(sum).toBe(Math.round(total.cost_usd! * 1e9));
  });

  test('filters by model, key and time', async () => {
    const { secret, keyId } = await useAll();
    expect((await usage(secret, `?model=${textModel}`)).body.total).toMatchObject({ requests: 3, runs: 0 });
    expect((await usage(secret, `?key=${keyId}`)).body.total).toMatchObject({ requests: 3, runs: 1 });
    expect((await usage(secret, '?key=key_other')).body.total).toMatchObject({ requests: 0, runs: 0, cost_usd: 0 });
    expect((await usage(secret, '?to=2026-01-01')).body).toMatchObject({ data: [], total: { requests: 0 } });
  });

  test('returns CSV with a column for each unit', async () => {
    const { secret } = await useAll();
    const response = await fetch(`${stage.api.url}/platform/v1/usage?group_by=product&format=csv`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="usage-[\d-]+\.csv"$/);
    const [head, text, agents] = (await response.text()).split('\r\n');
    expect(head).toBe(
      'product,label,requests,runs,errors,cost_usd,units.input_tokens,units.network_fee,units.output_tokens,units.tool_calls',
    );
    expect(text).toMatch(/^text,,3,0,1,0\.000\d+,\d+,,\d+,$/);
    expect(agents).toBe('agents,,0,1,0,0.00000099,,1,,1');
  });

  test('shows nothing of another workspace', async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await useAll()];
    for (const query of ['', `?key=${theirs.keyId}`, '?group_by=key'])
      expect((await usage(ours.secret, query)).body).toMatchObject({ data: [], total: { requests: 0, cost_usd: 0 } });
  });

  test.each([
    ['?group_by=colour', 'group_by'],
    ['?group_by=day,day', 'group_by'],
    ['?group_by=day,model,key', 'group_by'],
    ['?group_by=', 'group_by'],
    ['?from=today', 'from'],
    ['?format=xml', 'format'],
  ])('answers 422 for the query %s', async (query, param) => {
    const { secret } = await makeAccount(stage.db);
    const { status, body } = await getJson(`${stage.api.url}/platform/v1/usage${query}`, secret);
    expect({ status, body }).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
    expect((body as { error: { param: string } }).error.param).toMatch(new RegExp(`^${param}`));
  });
});
