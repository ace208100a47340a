import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { textModel } from '../../support/startApi.ts';
import { setStage } from '../platform/stage.ts';
import {
  dayBefore,
  giveToAda,
  storeCalls,
  storeRefusals,
  type PastCall,
  type PastRefusal,
} from '../../support/pastCalls.ts';

const stage = await setStage();
afterAll(() => stage.close());

interface Report {
  from: string;
  refused_since: string;
  data: Record<string, unknown>[];
  total: Record<string, unknown>;
}

const errors = (key: string, query = '') => getJson<Report>(`${stage.api.url}/platform/v1/usage/errors${query}`, key);

const DAY_MS = 86_400_000;

/** Errors three days ago at 10:20, refused and failed, and a failure of March, which has no code any more. */
async function failThreeDaysAgo() {
  const { workspaceId, keyId, secret } = await makeAccount(stage.db);
  const day = dayBefore(3);
  const call = (more: Partial<PastCall> = {}): PastCall => ({ at: `${day}T10:20:30Z`, keyId, workspaceId, ...more });
  const refusal = (more: Partial<PastRefusal> = {}): PastRefusal => ({ ...call(), ...more });
  const [failed] = await storeCalls(stage.databaseUrl, [
    call({ status: 502, model: 'model-b', product: 'speech' }),
    call(),
    call({ status: 499, cancelled: true }),
    call({ status: 500, at: '2026-03-05T10:20:30Z' }),
  ]);
  await storeRefusals(stage.databaseUrl, [
    refusal({ id: failed!, status: 502, code: 'provider_failed', model: 'model-b' }),
    refusal({ calls: 5 }),
    refusal({ at: `${day}T11:00:00Z`, code: 'unknown_model', status: 404, model: null, route: '/v1/embeddings' }),
    refusal({ at: `${dayBefore(8)}T11:00:00Z`, code: 'expired' }),
  ]);
  return { workspaceId, keyId, secret, day };
}

describe('GET /platform/v1/usage/errors', () => {
  test('refuses a caller without a key', async () => {
    expect((await getJson(`${stage.api.url}/platform/v1/usage/errors`)).status).toBe(401);
  });

  test('counts refused and failed calls by day, each once, and says since when refusals are known', async () => {
    const { secret, day } = await failThreeDaysAgo();
    const { status, body } = await errors(secret, '?from=2026-03-01');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: 'usage.errors',
        from: '2026-03-01T00:00:00.000Z',
        to: expect.stringMatching(/T00:00:00\.000Z$/),
        refused_since: expect.stringMatching(/Z$/),
        group_by: ['day'],
        data: [
          { day: '2026-03-05', calls: 1, refused: 0, failed: 1 },
          { day, calls: 7, refused: 6, failed: 1 },
        ],
        total: { calls: 8, refused: 6, failed: 2 },
      },
    });
    expect(Date.now() - Date.parse(body.refused_since)).toBeGreaterThanOrEqual(7 * DAY_MS);
    expect(Date.now() - Date.parse(body.refused_since)).toBeLessThan(7.1 * DAY_MS);
    const { body: today } = await errors(secret, `?from=${dayBefore(0)}`);
    expect(today.refused_since).toBe(today.from);
  });

  test('groups by minute, hour and day, and by code, model, key, product and member', async () => {
    const { secret, keyId, day } = await failThreeDaysAgo();
    await giveToAda(stage.databaseUrl, keyId);
    const by = async (groups: string, range = 'from=2026-03-01') =>
      (await errors(secret, `?group_by=${groups}&${range}`)).body.data;
    expect(await by('hour,code')).toMatchObject([
      { hour: '2026-03-05T10:00:00Z', code: null, failed: 1 },
      { hour: `${day}T10:00:00Z`, code: 'provider_failed', calls: 1, failed: 1 },
      { hour: `${day}T10:00:00Z`, code: 'rate_limited', calls: 5, refused: 5 },
      { hour: `${day}T11:00:00Z`, code: 'unknown_model', calls: 1, refused: 1 },
    ]);
    expect(await by('minute,code', `from=${day}T10:00:00Z&to=${day}T11:00:00Z`)).toMatchObject([
      { minute: `${day}T10:20:00Z`, code: 'provider_failed' },
      { minute: `${day}T10:20:00Z`, code: 'rate_limited' },
    ]);
    expect(await by('code')).toMatchObject([{ code: 'rate_limited', calls: 5 }, {}, {}, {}]);
    expect(await by('model')).toMatchObject([
      { model: 'model-a', calls: 6 },
      { model: 'model-b', calls: 1 },
      { model: null, calls: 1 },
    ]);
    expect(await by('product')).toMatchObject([
      { product: 'text', refused: 5, failed: 1 },
      { product: 'embeddings', refused: 1 },
      { product: 'speech', failed: 1 },
    ]);
    expect(await by('key,day')).toMatchObject([
      { day: '2026-03-05', key: keyId, label: 'Ada', calls: 1 },
      { day, key: keyId, label: 'Ada', calls: 7 },
    ]);
    expect(await by('member')).toMatchObject([{ member: 'user_ada', label: 'Ada', calls: 8 }]);
  });

  test('filters by model, key and instants', async () => {
    const { secret, keyId, day } = await failThreeDaysAgo();
    const count = async (query: string) => (await errors(secret, `?${query}`)).body.total;
    expect(await count(`from=${day}&model=model-b`)).toEqual({ calls: 1, refused: 0, failed: 1 });
    expect(await count(`from=${day}&key=${keyId}`)).toMatchObject({ calls: 7 });
    expect(await count(`from=${day}&key=key_other`)).toMatchObject({ calls: 0 });
    expect(await count(`from=${day}T10:20:30Z&to=${day}T11:00:00Z`)).toMatchObject({ calls: 6 });
    expect(await count(`from=${day}T10:20:30.001Z&to=${day}T11:00:00.001Z`)).toMatchObject({ calls: 1 });
  });

  test('has the calls that were just answered', async () => {
    const { secret } = await makeAccount(stage.db);
    await stage.chat(secret);
    await stage.ask(secret, '{"scripted":{"status":500}}');
    await stage.ask(secret, 'Hi', { model: 'no-such-model' });
    const { body } = await errors(secret, '?group_by=minute,model');
    expect(body.total).toEqual({ calls: 2, refused: 1, failed: 1 });
    expect(body.data).toContainEqual(expect.objectContaining({ model: textModel, failed: 1 }));
    expect(body.data).toContainEqual(expect.objectContaining({ model: 'no-such-model', refused: 1 }));
  });

  test('shows nothing of another workspace', async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await failThreeDaysAgo()];
    for (const query of ['?', `?key=${theirs.keyId}&`, '?group_by=key&', '?group_by=code&'])
      expect((await errors(ours.secret, `${query}from=2026-03-01`)).body).toMatchObject({
        data: [],
        total: { calls: 0 },
      });
  });

  test('refuses more groups than it shows', async () => {
    const { workspaceId, keyId, secret } = await makeAccount(stage.db);
    const call = { at: '2026-03-05T10:00:00Z', keyId, workspaceId, status: 500 };
    const calls = Array.from({ length: 10_001 }, (_, nth) => ({ ...call, model: `model-${nth}` }));
    await storeCalls(stage.databaseUrl, calls);
    expect(await errors(secret, '?group_by=model&from=2026-03-05')).toMatchObject({
      status: 422,
      body: { error: { param: 'group_by' } },
    });
  });

  test.each([
    ['group_by=colour', 'group_by'],
    ['group_by=day,hour', 'group_by'],
    ['group_by=code,model', 'group_by'],
    ['from=today', 'from'],
    ['group_by=minute,code&from=2026-03-05', 'from'],
    ['status=500', 'status'],
  ])('answers 422 for the query %s', async (query, param) => {
    const { secret } = await makeAccount(stage.db);
    const { status, body } = await getJson<{ error: { param: string } }>(
      `${stage.api.url}/platform/v1/usage/errors?${query}`,
      secret,
    );
    expect({ status, body }).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
    expect(body.error.param).toMatch(new RegExp(`^${param}`));
  });
});
