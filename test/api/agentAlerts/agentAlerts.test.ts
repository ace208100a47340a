import { afterAll, describe, expect, test } from '@jest/globals';
import { setPublishedStage, FAILED } from '../publishedRuns/publishedStage.ts';

const stage = await setPublishedStage();
afterAll(() => stage.close());

interface Answer {
  status: number;
  body: Record<string, unknown> & {
    id: string;
    data: Record<string, unknown>[];
    error: { code: string; param: string };
  };
}

const path = '/v1/publisher/alerts';

async function send(
  method: string,
  at = '',
  body?: object,
  key = stage.publisher.secret,
  headers = {},
): Promise<Answer> {
  const response = await stage.call(`${path}${at}`, { method, key, headers, ...(body && { body }) });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const rate = (more: object = {}) => ({ agent_id: stage.agent.id, type: 'failure_rate', threshold: 20, ...more });

describe('/v1/publisher/alerts', () => {
  test('an alert is created, read with what it watches, changed and deleted, each in the audit', async () => {
    const { status, body } = await send('POST', '', rate({ runs_min: 1 }));
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^aal_/),
        object: 'publisher.alert',
        agent_id: stage.agent.id,
        agent: stage.agent.name,
        type: 'failure_rate',
        threshold: 20,
        window_minutes: 60,
        runs_min: 1,
        faults: ['agent', 'platform', 'provider'],
        mail: true,
        mail_to: null,
        runs: 0,
        failures: 0,
        failure_rate: null,
        is_failing: false,
        created_at: expect.any(String),
      },
    });
    await stage.end(FAILED);
    await stage.end({ status: 'completed' });
    const now = { runs: 2, failures: 1, failure_rate: 0.5, is_failing: true };
    expect((await send('GET', `/${body.id}`)).body).toMatchObject(now);
    expect((await send('GET', `?agent_id=${stage.agent.id}`)).body.data).toMatchObject([{ id: body.id, ...now }]);
    expect((await send('GET', '?agent_id=agent_other')).body.data).toEqual([]);
    expect((await send('PATCH', `/${body.id}`, { threshold: 60 })).body).toMatchObject({
      threshold: 60,
      is_failing: false,
    });
    expect((await send('PATCH', `/${body.id}`, { threshold: 101 })).body.error.param).toBe('threshold');
    expect((await send('PATCH', `/${body.id}`, { type: 'failures', threshold: 101 })).status).toBe(200);
    expect((await send('PATCH', `/${body.id}`, { type: 'failure_rate' })).body.error.param).toBe('threshold');
    expect((await send('DELETE', `/${body.id}`)).body).toEqual({
      id: body.id,
      object: 'publisher.alert',
      deleted: true,
    });
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await send(method, `/${body.id}`, method === 'PATCH' ? {} : undefined)).status).toBe(404);
    const { rows } = await stage.db.pool.query<{ action: string }>(
      'select action from audit_entries where subject_id = $1 order by created_at, id',
      [body.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'create_agent_alert',
      'change_agent_alert',
      'change_agent_alert',
      'delete_agent_alert',
    ]);
  });

  test('a retry with the same key makes no second one', async () => {
    const headers = { 'idempotency-key': 'alert-once' };
    const made = await Promise.all([1, 2].map(() => send('POST', '', rate(), undefined, headers)));
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    await send('DELETE', `/${made[0]!.body.id}`);
  });

  test.each([
    [{ threshold: 0 }, 'threshold'],
    [{ threshold: 101 }, 'threshold'],
    [{ type: 'cost' }, 'type'],
    [{ window_minutes: 4 }, 'window_minutes'],
    [{ window_minutes: 1_441 }, 'window_minutes'],
    [{ runs_min: 0 }, 'runs_min'],
    [{ faults: [] }, 'faults'],
    [{ faults: ['agent', 'agent'] }, 'faults'],
    [{ mail_to: ['user_nobody'] }, 'mail_to'],
    [{ other: 1 }, 'other'],
  ])('%j is refused', async (wrong, param) => {
    expect(await send('POST', '', rate(wrong))).toMatchObject({ status: 422, body: { error: { param } } });
  });

  test('agents of others, other workspaces and keys without the scope are refused', async () => {
    const key = stage.stranger.secret;
    expect((await send('POST', '', rate(), key)).body.error).toMatchObject({
      code: 'agent_not_found',
      param: 'agent_id',
    });
    const { body } = await send('POST', '', rate());
    expect((await send('GET', '', undefined, key)).body.data).toEqual([]);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await send(method, `/${body.id}`, method === 'PATCH' ? {} : undefined, key)).status).toBe(404);
    expect((await send('GET', '', undefined, stage.mine.secret)).body.error.code).toBe('scope_not_allowed');
    await send('DELETE', `/${body.id}`);
  });
});
