import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { makeAccount } from '../../support/account.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
const account = await makeAccount(stage.db, { creditUsd: '10' });
const { workspaceId } = account;
const manager = (await createKey(stage.db.everywhere, { workspaceId, name: 'manager', scopes: ['manage'] })).secret;
afterAll(() => stage.close());

interface Answer {
  status: number;
  body: Record<string, unknown> & {
    id: string;
    data: Record<string, unknown>[];
    error: { code: string; param: string };
  };
}

async function send(method: string, path: string, body?: object, key = manager, headers = {}): Promise<Answer> {
  const response = await fetch(`${stage.api.url}/platform/v1/alerts${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const BUDGET = { type: 'spend', amount_usd: 25.5, period: 'monthly' };

describe('/platform/v1/alerts', () => {
  test('a budget is created, read, changed and deleted', async () => {
    const { status, body } = await send('POST', '', { ...BUDGET, percentages: [100, 80] });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^alert_/),
        object: 'alert',
        type: 'spend',
        key_id: null,
        key_name: null,
        project_id: null,
        project_name: null,
        amount_usd: 25.5,
        period: 'monthly',
        percentages: [80, 100],
        days: null,
        mail: true,
        mail_to: null,
        spent_usd: 0,
        reached_percentage: null,
        runway_days: null,
        is_reached: false,
        created_at: expect.any(String),
      },
    });
    expect((await send('GET', `/${body.id}`, undefined, account.secret)).body).toEqual(body);
    const changed = await send('PATCH', `/${body.id}`, { amount_usd: 0.000000001, mail: false });
    expect(changed.body).toMatchObject({ amount_usd: 0.000000001, mail: false, percentages: [80, 100] });
    expect((await send('PATCH', `/${body.id}`, { days: 3 })).status).toBe(422);
    expect((await send('DELETE', `/${body.id}`)).body).toEqual({ id: body.id, object: 'alert', deleted: true });
    expect((await send('GET', `/${body.id}`)).status).toBe(404);
    expect((await send('PATCH', `/${body.id}`, { mail: true })).status).toBe(404);
    expect((await send('DELETE', `/${body.id}`)).status).toBe(404);
  });

  test('a new budget has counted what was answered before', async () => {
    const spender = await makeAccount(stage.db, { creditUsd: '10', scopes: ['llm', 'manage'] });
    await stage.chat(spender.secret);
    const { body } = await send('POST', '', BUDGET, spender.secret);
    expect(body.spent_usd).toBeGreaterThan(0);
  });

  test('a runway is created; a retry with the same key makes no second one', async () => {
    const headers = { 'idempotency-key': 'runway-once' };
    const first = await send('POST', '', { type: 'runway', days: 7 }, manager, headers);
    const again = await send('POST', '', { type: 'runway', days: 7 }, manager, headers);
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect(first.body).toMatchObject({
      type: 'runway',
      days: 7,
      runway_days: null,
      spent_usd: null,
      is_reached: false,
    });
    expect((await send('PATCH', `/${first.body.id}`, { amount_usd: 3 })).status).toBe(422);
    const { body } = await send('GET', '');
    expect(body.data.map(({ id }) => id)).toEqual([first.body.id]);
    await send('DELETE', `/${first.body.id}`);
  });

  test('a budget of a key names it, and needs one of the workspace', async () => {
    const { body } = await send('POST', '', { ...BUDGET, key_id: account.keyId });
    expect(body).toMatchObject({ key_id: account.keyId, key_name: expect.any(String) });
    await send('DELETE', `/${body.id}`);
    const other = await makeAccount(stage.db);
    const refused = await send('POST', '', { ...BUDGET, key_id: other.keyId });
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
      404,
      'key_not_found',
      'key_id',
    ]);
  });

  test.each([
    [{ ...BUDGET, amount_usd: 0 }],
    [{ ...BUDGET, amount_usd: 0.0000000001 }],
    [{ ...BUDGET, period: 'weekly' }],
    [{ ...BUDGET, percentages: [] }],
    [{ ...BUDGET, percentages: [50, 50] }],
    [{ ...BUDGET, days: 3 }],
    [{ type: 'runway' }],
    [{ type: 'runway', days: 0 }],
    [{ type: 'other' }],
    [{}],
  ])('%j is refused', async (body) => {
    expect((await send('POST', '', body)).status).toBe(422);
  });

  test('keys without the scope read alerts and set none; other workspaces see none', async () => {
    const { body } = await send('POST', '', BUDGET);
    for (const [method, path, sent] of [
      ['POST', '', BUDGET],
      ['PATCH', `/${body.id}`, { mail: false }],
      ['DELETE', `/${body.id}`, undefined],
    ] as const)
      expect((await send(method, path, sent, account.secret)).body.error.code).toBe('scope_not_allowed');
    const other = await makeAccount(stage.db);
    expect((await send('GET', '', undefined, other.secret)).body.data).toEqual([]);
    expect((await send('GET', `/${body.id}`, undefined, other.secret)).status).toBe(404);
    await send('DELETE', `/${body.id}`);
  });

  test('a workspace has at most fifty', async () => {
    const { workspaceId } = await makeAccount(stage.db);
    const { secret } = await createKey(stage.db.everywhere, { workspaceId, name: 'one', scopes: ['manage'] });
    const sendFour = () => Promise.all(Array.from({ length: 4 }, () => send('POST', '', BUDGET, secret)));
    const made = await sendFour();
    while (made.length < 52) made.push(...(await sendFour()));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(made.filter(({ body }) => body.error?.code === 'too_many_alerts')).toHaveLength(2);
  });
});
