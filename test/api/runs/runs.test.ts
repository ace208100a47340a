import { afterAll, describe, expect, test } from '@jest/globals';
import { Run } from '../../../api/runs/runAnswers.ts';
import { beginRun, finishTestRun } from '../../support/run.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

interface Page {
  object: string;
  data: RunObject[];
  has_more: boolean;
  next_cursor: string | null;
}

describe('GET /v1/runs/{run_id}', () => {
  test('returns the created run', async () => {
    const run = await stage.create();
    expect(await stage.getRun(run.id)).toEqual(run);
    expect(Run.parse(run)).toEqual(run);
  });

  test('answers 304 while nothing has happened in the run', async () => {
    const { id } = await stage.create();
    const etag = (await stage.call(`/v1/runs/${id}`)).headers.get('etag')!;
    const same = await stage.call(`/v1/runs/${id}`, { headers: { 'if-none-match': etag } });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, '']);
    await beginRun(stage.db.pool, id);
    const moved = await stage.call(`/v1/runs/${id}`, { headers: { 'if-none-match': `W/${etag}` } });
    expect(moved.headers.get('etag')).not.toBe(etag);
    expect(await read<RunObject>(moved, 200)).toMatchObject({ status: 'in_progress', started_at: expect.any(String) });
  });

  test('shows the end of a run exactly as its last event does', async () => {
    const { id } = await stage.create();
    await beginRun(stage.db.pool, id);
    await finishRun(stage.db, id, {
      status: 'failed',
      fault: 'provider',
      code: 'provider_failed',
      message: 'It broke.',
    });
    const run = await stage.getRun(id);
    expect(run).toMatchObject({
      status: 'failed',
      fault: 'provider',
      error: { code: 'provider_failed', message: 'It broke.', type: 'api_error', param: null },
      held_usd: 0,
      usage: { total_usd: 0, settled: true },
      completed_at: expect.any(String),
    });
    expect(Run.parse(run)).toEqual(run);
    const last = await stage.call(`/platform/v1/events/${run.last_event_id}`);
    expect((await read<{ data: object }>(last, 200)).data).toEqual(run);
  });

  test("answers 404 for another workspace's run, as for an unknown id", async () => {
    const { id } = await stage.create();
    const unknown = `${id.slice(0, -4)}0000`;
    const [foreign, none] = await Promise.all(
      [id, unknown].map(async (wanted) => {
        const response = await stage.call(`/v1/runs/${wanted}`, { key: stage.other.secret });
        return { status: response.status, text: (await response.text()).replace(wanted, '') };
      }),
    );
    expect(foreign).toEqual(none);
    expect(foreign).toMatchObject({ status: 404, text: expect.stringContaining('run_not_found') });
  });

  test.each(['run_%00', 'run_', 'ses_0123'])('answers 422 for the malformed id %s', async (id) => {
    expect(await errorOf(await stage.call(`/v1/runs/${id}`))).toEqual({
      status: 422,
      code: 'validation_error',
      param: 'run_id',
    });
  });
});

/** The ids of the list with a query. */
const listerOf = (key: string) => async (query: string) =>
  (await read<Page>(await stage.call(`/v1/runs?${query}`, { key }), 200)).data.map(({ id }) => id);

describe('GET /v1/runs', () => {
  test("lists the workspace's runs, newest first, in pages, each once", async () => {
    const { secret } = await stage.account();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1)
      made.push((await stage.create({ max_cost_usd: 0.1 }, { key: secret })).id);
    const listed: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page += 1) {
      const query = cursor === '' ? '' : `&cursor=${cursor}`;
      const body: Page = await read<Page>(await stage.call(`/v1/runs?limit=2${query}`, { key: secret }), 200);
      expect(body).toMatchObject({ object: 'list', has_more: page < 2 });
      listed.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor;
    }
    expect(listed).toEqual(made.toReversed());
  });

  test('filters by agent, session and state', async () => {
    const { secret } = await stage.account();
    const first = await stage.create({ max_cost_usd: 0.1 }, { key: secret });
    const second = await stage.create({ agent: 'ledgerline/analyst', max_cost_usd: 0.1 }, { key: secret });
    await beginRun(stage.db.pool, second.id);
    const idsOf = listerOf(secret);
    expect(await idsOf('agent=ledgerline/analyst')).toEqual([second.id]);
    expect(await idsOf(`session_id=${first.session_id}`)).toEqual([first.id]);
    expect(await idsOf('status=in_progress')).toEqual([second.id]);
    expect(await idsOf('status=failed')).toEqual([]);
  });

  test('filters by version, source, parent and schedule', async () => {
    const { secret } = await stage.account();
    const first = await stage.create({}, { key: secret });
    const second = await stage.create({ source: 'chat', user: 'ada@example.org' }, { key: secret });
    await stage.db.pool.query(`update runs set parent_run_id = $2, parent_step = 1 where id = $1`, [
      second.id,
      first.id,
    ]);
    const idsOf = listerOf(secret);
    expect(await idsOf(`version=${first.version_id}`)).toEqual([second.id, first.id]);
    expect(await idsOf('version=2001-01-01')).toEqual([]);
    expect(await idsOf('source=chat')).toEqual([second.id]);
    expect(await idsOf('user=ada@example.org')).toEqual([second.id]);
    expect(await idsOf(`user=${'a'.repeat(512)}`)).toEqual([]);
    expect(await idsOf(`parent_run_id=${first.id}`)).toEqual([second.id]);
    expect(await idsOf('schedule_id=sched_0123456789abcdefghijkl')).toEqual([]);
  });

  test('filters by all pairs of metadata', async () => {
    const { secret } = await stage.account();
    const first = await stage.create({ metadata: { team: 'support', 'ticket.id': 'A[1]' } }, { key: secret });
    const second = await stage.create({ metadata: { team: 'support' } }, { key: secret });
    const idsOf = listerOf(secret);
    expect(await idsOf('metadata[team]=support')).toEqual([second.id, first.id]);
    expect(await idsOf('metadata[team]=support&metadata[ticket.id]=A[1]')).toEqual([first.id]);
    expect(await idsOf('metadata[team]=sales')).toEqual([]);
    expect(await errorOf(await stage.call('/v1/runs?metadata=support'))).toMatchObject({
      status: 422,
      param: 'metadata',
    });
    expect(await errorOf(await stage.call('/v1/runs?team[a]=b'))).toMatchObject({ status: 422, param: 'team' });
    for (const [query, param] of [
      ['metadata[__proto__]=a', 'metadata.__proto__'],
      ['__proto__[team]=a', '__proto__'],
      ['__proto__=a', '__proto__'],
    ])
      expect(await errorOf(await stage.call(`/v1/runs?${query}`))).toMatchObject({ status: 422, param });
  });

  test("filters failed runs by code, fault and a part of the error's message", async () => {
    const { secret } = await stage.account();
    await stage.create({}, { key: secret });
    const failed = await stage.create({}, { key: secret });
    await beginRun(stage.db.pool, failed.id);
    const cause = { status: 'failed', fault: 'provider', code: 'provider_failed' } as const;
    await finishRun(stage.db, failed.id, { ...cause, message: 'Line 3 is 50% off_limits.' });
    const idsOf = listerOf(secret);
    expect(await idsOf('error_code=provider_failed')).toEqual([failed.id]);
    expect(await idsOf('error_code=provider')).toEqual([]);
    expect(await idsOf('fault=provider')).toEqual([failed.id]);
    expect(await idsOf('fault=caller')).toEqual([]);
    expect(await idsOf('error=LINE%203')).toEqual([failed.id]);
    expect(await idsOf('error=50%25')).toEqual([failed.id]);
    expect(await idsOf('error=3_is')).toEqual([]);
  });

  test('filters by the time of creation, from one moment until before another', async () => {
    const { secret } = await stage.account();
    const [old, young] = [await stage.create({}, { key: secret }), await stage.create({}, { key: secret })];
    await stage.db.pool.query(`update runs set created_at = '2026-03-04T23:00:00Z' where id = $1`, [old.id]);
    const idsOf = listerOf(secret);
    expect(await idsOf('from=2026-03-04&to=2026-03-04')).toEqual([old.id]);
    expect(await idsOf('to=2026-03-04T23:00:00Z')).toEqual([]);
    expect(await idsOf('from=2026-03-05T00:00:00%2B01:00&to=2026-03-05')).toEqual([old.id]);
    expect(await idsOf('from=2026-03-05')).toEqual([young.id]);
  });

  test('totals are those of the list with the same filters, and of no other workspace', async () => {
    const { secret } = await stage.account();
    const end = async (bill: Parameters<typeof finishTestRun>[2]) => {
      const { id } = await stage.create({ max_cost_usd: 0.1 }, { key: secret });
      const { rows } = await stage.db.pool.query<{ holdId: string }>(
        'select hold_id as "holdId" from runs where id = $1',
        [id],
      );
      await finishTestRun(stage.db, { id, ...rows[0]! }, bill);
      return id;
    };
    await end({ subtotalNanos: 900n, networkFeeNanos: 90n });
    const old = await end({ subtotalNanos: 1_000n });
    await stage.db.pool.query(`update runs set created_at = '2026-03-04T23:00:00Z' where id = $1`, [old]);
    await end({ status: 'failed', absorbedNanos: 70n });
    const deleted = await end({ subtotalNanos: 3_000n });
    await read(await stage.call(`/v1/runs/${deleted}`, { key: secret, method: 'DELETE' }), 200);
    const open = await stage.create({ agent: 'ledgerline/analyst', max_cost_usd: 0.1 }, { key: secret });
    await beginRun(stage.db.pool, open.id);
    const totalsOf = async (query: string, key = secret) =>
      read(await stage.call(`/v1/runs/totals?${query}`, { key }), 200);
    expect(await totalsOf('')).toEqual({ object: 'run.totals', count: 4, cost_usd: 1.99e-6, is_capped: false });
    const sums: [string, number, number][] = [
      ['status=completed', 2, 1.99e-6],
      ['status=failed', 1, 0],
      ['status=in_progress', 1, 0],
      ['to=2026-03-04', 1, 1e-6],
      ['agent=ledgerline/analyst', 1, 0],
      [`session_id=${open.session_id}`, 1, 0],
    ];
    for (const [query, count, cost] of sums) {
      const page = await read<Page>(await stage.call(`/v1/runs?${query}`, { key: secret }), 200);
      expect({ query, listed: page.data.length, ...(await totalsOf(query)) }).toMatchObject({
        query,
        listed: count,
        count,
        cost_usd: cost,
      });
    }
    expect(await totalsOf('', (await stage.account()).secret)).toMatchObject({ count: 0, cost_usd: 0 });
    for (const param of ['limit', 'colour']) {
      const refused = await stage.call(`/v1/runs/totals?${param}=1`, { key: secret });
      expect(await errorOf(refused)).toMatchObject({ status: 422, param });
    }
  });

  test('refuses a cursor of another workspace, an invalid state or limit, and unknown parameters', async () => {
    const { secret } = await stage.account();
    for (let count = 0; count < 2; count += 1) await stage.create({ max_cost_usd: 0.1 }, { key: secret });
    const page = await read<Page>(await stage.call('/v1/runs?limit=1', { key: secret }), 200);
    for (const [query, param] of [
      [`cursor=${page.next_cursor}`, 'cursor'],
      ['status=done', 'status'],
      ['limit=101', 'limit'],
      ['state=failed', 'state'],
    ])
      expect(await errorOf(await stage.call(`/v1/runs?${query}`))).toEqual({
        status: 422,
        code: 'validation_error',
        param,
      });
  });
});

test.each([
  ['POST', '/v1/runs', '{}'],
  ['GET', '/v1/runs', undefined],
  ['GET', '/v1/runs/run_0', undefined],
  ['GET', '/v1/runs/run_0/events', undefined],
  ['POST', '/v1/runs/run_0/cancel', undefined],
  ['POST', '/v1/runs/run_0/input', '{}'],
  ['GET', '/v1/runs/run_0/feedback', undefined],
  ['PUT', '/v1/runs/run_0/feedback', '{}'],
  ['DELETE', '/v1/runs/run_0/feedback', undefined],
  ['POST', '/v1/sessions/ses_0/cancel', undefined],
  ['GET', '/v1/usage', undefined],
])('%s %s requires a key with a scope that may run agents', async (method, path, body) => {
  const { secret } = await stage.account({ scopes: ['voice', 'batch', 'manage'] });
  const ask = (key: string) => stage.call(path, { key, method, ...(body !== undefined && { body }) });
  expect(await errorOf(await ask('sk_live_unknown'))).toMatchObject({ status: 401, code: 'invalid_api_key' });
  expect(await errorOf(await ask(secret))).toMatchObject({ status: 403, code: 'scope_not_allowed' });
});

test('accepts a key with only the scope for text or for agents', async () => {
  for (const scopes of [['llm'], ['agents']]) {
    const { secret } = await stage.account({ scopes });
    expect(await stage.create({}, { key: secret })).toMatchObject({ status: 'queued' });
  }
});
