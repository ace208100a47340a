import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { setStage } from '../platform/stage.ts';
import { giveToAda, storeCalls, withOwner, type PastCall } from '../../support/pastCalls.ts';

const stage = await setStage();
afterAll(() => stage.close());

interface Report {
  data: Record<string, unknown>[];
  total: Record<string, unknown>;
}

const latency = (key: string, query = '') => getJson<Report>(`${stage.api.url}/platform/v1/usage/latency${query}`, key);

const MARCH = 'from=2026-03-05&to=2026-03-06';

/** Twenty calls of 10 to 200 ms in an hour of March and a slow one a day later; streams began after a tenth. */
async function callInMarch() {
  const { workspaceId, keyId, secret } = await makeAccount(stage.db);
  const call = (more: Partial<PastCall>): PastCall => ({ at: '2026-03-05T10:20:30.5Z', keyId, workspaceId, ...more });
  await storeCalls(stage.databaseUrl, [
    ...Array.from({ length: 20 }, (_, at) =>
      call({ durationMs: (at + 1) * 10, firstByteMs: at % 2 ? at + 1 : null, model: at < 5 ? 'model-a' : 'model-b' }),
    ),
    call({ at: '2026-03-06T23:59:59.999Z', durationMs: 9_000, product: 'speech' }),
    call({ durationMs: 50_000, status: 502 }),
    call({ durationMs: 60_000, cancelled: true, status: 499, firstByteMs: 1 }),
  ]);
  return { workspaceId, keyId, secret };
}

describe('GET /platform/v1/usage/latency', () => {
  test('refuses a caller without a key', async () => {
    expect((await getJson(`${stage.api.url}/platform/v1/usage/latency`)).status).toBe(401);
  });

  test('has percentiles of calls and of first events of streams, by day, of what succeeded', async () => {
    const { secret } = await callInMarch();
    const { status, body } = await latency(secret, `?${MARCH}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: 'usage.latency',
        from: '2026-03-05T00:00:00.000Z',
        to: '2026-03-07T00:00:00.000Z',
        group_by: ['day'],
        data: [
          {
            day: '2026-03-05',
            requests: 20,
            duration_ms: { p50: 100, p95: 190 },
            first_byte_ms: { p50: 10, p95: 20 },
          },
          { day: '2026-03-06', requests: 1, duration_ms: { p50: 9_000, p95: 9_000 }, first_byte_ms: null },
        ],
        total: { requests: 21, duration_ms: { p50: 110, p95: 200 }, first_byte_ms: { p50: 10, p95: 20 } },
      },
    });
  });

  test('groups by minute, hour and day, and by model, key, product and member', async () => {
    const { secret, keyId } = await callInMarch();
    await giveToAda(stage.databaseUrl, keyId);
    const by = async (groups: string, range = MARCH) =>
      (await latency(secret, `?group_by=${groups}&${range}`)).body.data;
    expect(await by('hour,model')).toMatchObject([
      { hour: '2026-03-05T10:00:00Z', model: 'model-a', requests: 5, duration_ms: { p50: 30, p95: 50 } },
      { hour: '2026-03-05T10:00:00Z', model: 'model-b', requests: 15 },
      { hour: '2026-03-06T23:00:00Z', model: 'model-a', requests: 1 },
    ]);
    const tenToEleven = 'from=2026-03-05T10:00:00Z&to=2026-03-05T11:00:00Z';
    expect(await by('model,minute', tenToEleven)).toMatchObject([
      { minute: '2026-03-05T10:20:00Z', model: 'model-a', requests: 5 },
      { minute: '2026-03-05T10:20:00Z', model: 'model-b', requests: 15 },
    ]);
    expect(await by('day,key')).toMatchObject([{ key: keyId, label: 'Ada', requests: 20 }, { requests: 1 }]);
    expect(await by('product')).toMatchObject([
      { product: 'text', requests: 20 },
      { product: 'speech', requests: 1 },
    ]);
    expect(await by('member')).toMatchObject([{ member: 'user_ada', label: 'Ada', requests: 21 }]);
  });

  test('filters by model, key and instants', async () => {
    const { secret, keyId } = await callInMarch();
    const count = async (query: string) => (await latency(secret, `?${query}`)).body.total.requests;
    expect(await count(`${MARCH}&model=model-b`)).toBe(15);
    expect(await count(`${MARCH}&key=${keyId}`)).toBe(21);
    expect(await count(`${MARCH}&key=${secret.slice(0, 12)}`)).toBe(21);
    expect(await count(`${MARCH}&key=key_other`)).toBe(0);
    expect(await count('from=2026-03-05T10:20:30.5Z&to=2026-03-05T10:20:30.501Z')).toBe(20);
    expect(await count('from=2026-03-05T10:20:30.501Z&to=2026-03-06')).toBe(1);
  });

  test('is empty, with a total of nothing, where no call was', async () => {
    const { secret } = await makeAccount(stage.db);
    const total = { requests: 0, duration_ms: null, first_byte_ms: null };
    expect((await latency(secret, '?group_by=hour,key')).body).toMatchObject({ data: [], total });
  });

  test('has the calls that just ended, a stream by its first event', async () => {
    const { secret } = await makeAccount(stage.db);
    await stage.chat(secret);
    const stream = await stage.ask(secret, 'What is two and two?', { stream: true });
    const { body } = await getJson<{ first_byte_ms: number }>(
      `${stage.api.url}/platform/v1/requests/${stream.requestId}`,
      secret,
    );
    expect((await latency(secret, '?group_by=minute')).body.total).toMatchObject({
      requests: 2,
      first_byte_ms: { p50: body.first_byte_ms, p95: body.first_byte_ms },
    });
  });

  test('shows nothing of another workspace', async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await callInMarch()];
    for (const query of [`?${MARCH}`, `?${MARCH}&key=${theirs.keyId}`, `?${MARCH}&group_by=key`])
      expect((await latency(ours.secret, query)).body).toMatchObject({ data: [], total: { requests: 0 } });
  });

  test('refuses more groups than it shows, and more calls than it reads, by name', async () => {
    const { workspaceId, keyId, secret } = await makeAccount(stage.db);
    const at = '2026-03-05T10:00:00Z';
    const calls = Array.from({ length: 10_001 }, (_, nth) => ({ at, keyId, workspaceId, model: `model-${nth}` }));
    await storeCalls(stage.databaseUrl, calls);
    const refusal = (param: string) => ({ status: 422, body: { error: { code: 'validation_error', param } } });
    expect(await latency(secret, `?group_by=model&${MARCH}`)).toMatchObject(refusal('group_by'));
    expect((await latency(secret, `?${MARCH}`)).body.total).toMatchObject({ requests: 10_001 });
    await withOwner(stage.databaseUrl, (owner) =>
      owner.query('update usage_hours set requests = 2000001 where workspace_id = $1 and model = $2', [
        workspaceId,
        'model-1',
      ]),
    );
    expect(await latency(secret, `?${MARCH}`)).toMatchObject(refusal('from'));
  });

  test.each([
    ['group_by=colour', 'group_by'],
    ['group_by=day,hour', 'group_by'],
    ['group_by=model,key', 'group_by'],
    ['group_by=day,model,key', 'group_by'],
    ['group_by=meter', 'group_by'],
    ['group_by=', 'group_by'],
    ['from=today', 'from'],
    ['group_by=minute&from=2026-03-05', 'from'],
    ['format=csv', 'format'],
  ])('answers 422 for the query %s', async (query, param) => {
    const { secret } = await makeAccount(stage.db);
    const { status, body } = await getJson<{ error: { param: string } }>(
      `${stage.api.url}/platform/v1/usage/latency?${query}`,
      secret,
    );
    expect({ status, body }).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
    expect(body.error.param).toMatch(new RegExp(`^${param}`));
  });
});
