import { afterAll, describe, expect, test } from '@jest/globals';
import { errorOf, read, setRunRouteStage, writer } from '../../support/runRouteStage.ts';

// Temporal is away: answers depend only on rows.
const stage = await setRunRouteStage();
afterAll(() => stage.close());

interface Answer {
  id: string;
  status: string;
  [member: string]: unknown;
}

const path = '/v1/schedules';
const order = { cron: '0 8 * * mon-fri', timezone: 'Europe/Berlin', run: { agent: writer, input: 'Write the plan.' } };

const post = (members: object = {}, asked = {}) => stage.call(path, { ...asked, body: { ...order, ...members } });
const make = async (members: object = {}): Promise<Answer> => read<Answer>(await post(members), 201);
const change = (id: string, body: object) => stage.call(`${path}/${id}`, { method: 'PATCH', body });

describe('POST /v1/schedules', () => {
  test('answers 201 with the whole schedule, although Temporal is down', async () => {
    const response = await post({ name: 'Morning', pause_note: null });
    const schedule = await read<Answer>(response, 201);
    expect(response.headers.get('location')).toBe(`${path}/${schedule.id}`);
    expect(schedule).toEqual({
      id: expect.stringMatching(/^sched_[0-9A-Za-z]+$/),
      object: 'schedule',
      name: 'Morning',
      status: 'active',
      cron: '0 8 * * mon-fri',
      every_seconds: null,
      timezone: 'Europe/Berlin',
      jitter_seconds: 0,
      start_at: null,
      end_at: null,
      overlap: 'skip',
      catchup_window_seconds: 3600,
      remaining_runs: null,
      pause_after_misses: 3,
      paused_at: null,
      pause_reason: null,
      pause_note: null,
      run: expect.objectContaining({ agent: writer, input: 'Write the plan.', visibility: 'public' }),
      next_run_times: null,
      recent: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  test('answers 201 for what is stored, also when its firings cannot be read', async () => {
    const rename = (from: string, to: string) => stage.asOwner(`alter table ${from} rename to ${to}`);
    await rename('schedule_firings', 'firings_away');
    const answer = await post({ name: 'Stored' });
    await rename('firings_away', 'schedule_firings');
    const { id } = await read<Answer>(answer, 201);
    expect(await read<Answer>(await stage.call(`${path}/${id}`), 200)).toMatchObject({ name: 'Stored', recent: [] });
  });

  test('is carried out once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'schedule-once' };
    const [first, again] = [await post({}, { headers }), await post({}, { headers })];
    expect(await first.json()).toEqual(await again.json());
  });

  test.each([
    [{ cron: '0 8 * *' }, 'cron'],
    [{ cron: '60 8 * * *' }, 'cron'],
    [{ cron: '0 8 * * mon-fry' }, 'cron'],
    [{ cron: '5-1 8 * * *' }, 'cron'],
    [{ cron: '*/0 * * * *' }, 'cron'],
    [{ cron: '@hourly' }, 'cron'],
    [{ cron: '0 0 30 2 *' }, 'cron'],
    [{ cron: '0 0 31 feb,4,6,sep-nov/2 mon' }, 'cron'],
    [{ cron: null }, 'cron'],
    [{ every_seconds: 60 }, 'cron'],
    [{ cron: null, every_seconds: 59 }, 'every_seconds'],
    [{ timezone: 'Europe/Berlinn' }, 'timezone'],
    [{ timezone: '+01:00' }, 'timezone'],
    [{ timezone: 'SystemV/PST8PDT' }, 'timezone'],
    [{ jitter_seconds: 3_601 }, 'jitter_seconds'],
    [{ overlap: 'queue' }, 'overlap'],
    [{ remaining_runs: 0 }, 'remaining_runs'],
    [{ end_at: 'tomorrow' }, 'end_at'],
    [{ surprise: 1 }, 'surprise'],
    [{ run: { agent: writer } }, 'run.input'],
    [{ run: { agent: writer, input: 'x', stream: true } }, 'run.stream'],
    [{ run: { agent: writer, input: 'x', max_cost_usd: 99 } }, 'run.max_cost_usd'],
    [{ run: { agent: writer, input: 'x', webhook_url: 'https://example.com/' } }, 'run.webhook_url'],
  ])('refuses %j and names the member', async (members, param) => {
    expect(await errorOf(await post(members))).toEqual({ status: 422, code: 'validation_error', param });
  });

  test('reads no times that are too long', async () => {
    const cron = `0 8 1${',*'.repeat(60_000)} * *`;
    expect(await errorOf(await post({ cron }))).toEqual({ status: 422, code: 'validation_error', param: 'cron' });
  });

  test('refuses an agent that does not exist, as a run of it would be', async () => {
    const refused = await errorOf(await post({ run: { agent: 'nobody/nothing', input: 'x' } }));
    expect(refused).toEqual({ status: 404, code: 'agent_not_found', param: 'run.agent' });
  });

  test.each(['* * * * *', '*/15 0-6,22 1,15 jan-mar,dec *', '0 12 * * 7', '5/10 8 * * SUN'])(
    'takes %s',
    async (cron) => {
      expect(await make({ cron })).toMatchObject({ cron });
    },
  );

  test('spells a time zone as the database of zones does', async () => {
    expect(await make({ timezone: 'europe/berlin' })).toMatchObject({ timezone: 'Europe/Berlin' });
  });
});

describe('a schedule', () => {
  test('is changed: what is left out stays, and an interval replaces the times', async () => {
    const { id } = await make({ name: 'One', remaining_runs: 5 });
    const changed = await read<Answer>(await change(id, { every_seconds: 90, name: null }), 200);
    expect(changed).toMatchObject({ name: null, cron: null, every_seconds: 90, remaining_runs: 5, overlap: 'skip' });
    const back = await read<Answer>(
      await change(id, { cron: '1 2 3 4 5', run: { agent: writer, input: 'Other.' } }),
      200,
    );
    expect(back).toMatchObject({ cron: '1 2 3 4 5', every_seconds: null, run: { input: 'Other.' } });
    expect(await errorOf(await change(id, { cron: null }))).toMatchObject({ status: 422, param: 'cron' });
    expect(await errorOf(await change(id, { run: { agent: 'nobody/nothing', input: 'x' } }))).toMatchObject({
      status: 404,
    });
  });

  test('is paused with a note and resumed', async () => {
    const { id } = await make();
    const paused = await read<Answer>(await stage.call(`${path}/${id}/pause`, { body: { note: 'Closed.' } }), 200);
    expect(paused).toMatchObject({
      status: 'paused',
      pause_reason: 'requested',
      pause_note: 'Closed.',
      next_run_times: [],
    });
    const resumed = await read<Answer>(await stage.call(`${path}/${id}/resume`, { method: 'POST' }), 200);
    expect(resumed).toMatchObject({ status: 'active', paused_at: null, pause_reason: null, pause_note: null });
  });

  test('cannot be fired while Temporal is away: 503, to be tried again', async () => {
    const { id } = await make();
    const response = await stage.call(`${path}/${id}/trigger`, { method: 'POST' });
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await errorOf(response)).toMatchObject({ status: 503, code: 'overloaded' });
  });

  test('is listed, and gone once it is deleted', async () => {
    const { id } = await make();
    const list = async () => (await read<{ data: Answer[] }>(await stage.call(path), 200)).data.map((one) => one.id);
    expect(await list()).toContain(id);
    const deleted = await read(await stage.call(`${path}/${id}`, { method: 'DELETE' }), 200);
    expect(deleted).toEqual({ id, object: 'schedule', deleted: true });
    expect(await list()).not.toContain(id);
    for (const [method, at] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/trigger'],
      ['GET', '/runs'],
    ])
      expect(await errorOf(await stage.call(`${path}/${id}${at}`, { method }))).toMatchObject({
        code: 'schedule_not_found',
      });
  });

  test('needs a key that may run agents', async () => {
    const { secret } = await stage.account({ scopes: ['voice'] });
    expect(await errorOf(await stage.call(path, { key: secret }))).toMatchObject({
      status: 403,
      code: 'scope_not_allowed',
    });
  });

  test('is one of at most a hundred', async () => {
    const { secret, workspaceId, keyId } = await stage.account();
    await stage.db.pool.query(
      `insert into schedules (id, workspace_id, key_id, run, every_seconds, timezone, jitter_seconds, overlap, catchup_window_seconds, pause_after_misses, synced_revision)
       select 'sched_' || $1 || n, $1, $2, '{"agent": "a/b"}', 60, 'UTC', 0, 'skip', 60, 3, 1 from generate_series(1, 100) n`,
      [workspaceId, keyId],
    );
    expect(await errorOf(await post({}, { key: secret }))).toMatchObject({ status: 409, code: 'too_many_schedules' });
  });
});
