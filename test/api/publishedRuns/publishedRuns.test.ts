import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { errorOf, read } from '../../support/runRouteStage.ts';
import { FAILED, planted, setPublishedStage } from './publishedStage.ts';

const stage = await setPublishedStage();
const completed = await stage.end({ status: 'completed' });
await stage.end({ status: 'cancelled' }, stage.other.secret);
const failed = await stage.end(FAILED);
const own = await stage.end(FAILED, stage.publisher.secret);
afterAll(() => stage.close());

interface Listed {
  data: { id: string; caller_id: string; error_code: string | null; is_own: boolean; content_access: string }[];
  next_cursor: string | null;
}

const list = async (query = '') =>
  read<Listed>(await stage.call(`${stage.runs}${query}`, { key: stage.publisher.secret }), 200);
const share = (runId: string, method: string, body?: object, key = stage.mine.secret) =>
  stage.call(`/v1/runs/${runId}/share`, { method, body, key });

describe('the runs of an agent', () => {
  test('have all facts and nothing of their callers', async () => {
    const { data } = await list();
    expect(data).toHaveLength(3);
    expect(data[0]).toEqual({
      id: failed,
      object: 'publisher.run',
      agent_id: stage.agent.id,
      version_id: stage.agent.versionId,
      version: '2026-01-01',
      caller_id: expect.stringMatching(/^caller_/),
      is_own: false,
      status: 'failed',
      error_code: 'output_invalid',
      fault: 'agent',
      source: 'api',
      is_called_by_agent: false,
      is_rerun: false,
      is_rehearsed: false,
      created_at: expect.any(String),
      started_at: expect.any(String),
      ended_at: expect.any(String),
      duration_seconds: expect.any(Number),
      meters: [
        { id: 'model_input_tokens', unit: 'token', quantity: 20 },
        { id: 'model_output_tokens', unit: 'token', quantity: 5 },
      ],
      total_usd: 0,
      earned_usd: 0,
      platform_cost_usd: 0,
      unbilled_usd: expect.any(Number),
      steps_deleted_at: null,
      content_access: 'none',
      shared_until: null,
    });
  });

  test('a planted text is in no answer to the publisher, nor who the caller is', async () => {
    const answers = [
      await stage.readAs(`${stage.runs}?whose=callers`),
      ...(await Promise.all(
        (await list()).data.flatMap(({ id }) => [
          stage.readAs(`${stage.runs}/${id}`),
          stage.readAs(`${stage.runs}/${id}/steps`),
        ]),
      )),
      await stage.readAs(`/v1/publisher/agents/${stage.agent.id}/metrics`),
      await stage.readAs('/v1/publisher/statement'),
      await stage.readAs('/v1/publisher/statement?format=csv'),
      await stage.readAs(`/v1/publisher/alerts`),
      await stage.readAs('/platform/v1/events'),
    ];
    const steps = JSON.parse((await stage.readAs(`${stage.runs}/${failed}/steps`)).text) as { data: { id: string }[] };
    for (const { id } of steps.data) answers.push(await stage.readAs(`${stage.runs}/${failed}/steps/${id}`));
    const hidden = [planted, stage.mine.workspaceId, stage.other.workspaceId, stage.mine.keyId, stage.other.keyId];
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    for (const { text } of answers) for (const secret of hidden) expect(text).not.toContain(secret);
  });

  test('the steps have times, tokens and errors, and the names of tools that the agent has', async () => {
    const { data } = await read<{ data: object[] }>(
      await stage.call(`${stage.runs}/${failed}/steps`, { key: stage.publisher.secret }),
      200,
    );
    expect(data).toMatchObject([
      {
        number: 1,
        kind: 'model',
        name: 'scripted',
        input_tokens: 20,
        output_tokens: 5,
        status: 'completed',
        content: null,
      },
      { number: 2, kind: 'tool', name: 'fetch_url', is_error: false, duration_ms: expect.any(Number), content: null },
      {
        number: 3,
        kind: 'tool',
        name: null,
        is_error: true,
        error_code: 'tool_error',
        status: 'failed',
        content: null,
      },
      { number: 4, kind: 'tool', name: 'look_up', is_error: true, content: null },
    ]);
  });

  test('one caller has one name in all its runs, and another publisher another name for it', async () => {
    const { data } = await list();
    const [mine, other, again] = data.map(({ caller_id: id }) => id);
    expect([mine === again, mine === other]).toEqual([true, false]);
    const found = await list(`?caller_id=${other}`);
    expect(found.data.map(({ caller_id: id }) => id)).toEqual([other]);
    const forged = await stage.call(`${stage.runs}?caller_id=caller_AAAA`, { key: stage.publisher.secret });
    expect(await errorOf(forged)).toMatchObject({ status: 422, param: 'caller_id' });
  });

  test.each([
    ['?status=failed', () => [failed]],
    ['?error_code=output_invalid', () => [failed]],
    ['?fault=agent', () => [failed]],
    ['?fault=provider', () => []],
    ['?whose=own', () => [own]],
    ['?whose=all&status=failed', () => [own, failed]],
    ['?status=completed', () => [completed]],
    ['?from=2030-01-01', () => []],
    ['?shared=true', () => []],
  ])('%s', async (query, ids) => {
    expect((await list(query)).data.map(({ id }) => id)).toEqual(ids());
  });

  test('come in pages', async () => {
    const first = await list('?limit=2');
    const rest = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual((await list()).data.map(({ id }) => id));
    expect(rest.next_cursor).toBeNull();
  });

  test('the next page is found although the caller of the last run was erased', async () => {
    const all = (await list()).data.map(({ id }) => id);
    const first = await list('?limit=1');
    const rename = (from: string, to: string) =>
      stage.asOwner(`set session_replication_role = replica; update runs set id = '${to}' where id = '${from}'`);
    await rename(all[0]!, `${all[0]}x`);
    try {
      expect((await list(`?cursor=${first.next_cursor}`)).data.map(({ id }) => id)).toEqual(all.slice(1));
    } finally {
      await rename(`${all[0]}x`, all[0]!);
    }
  });

  test.each(['?status=queued', '?fault=mine', '?whose=theirs', '?from=yesterday', '?unknown=1'])(
    '%s is refused',
    async (query) => {
      expect((await stage.call(`${stage.runs}${query}`, { key: stage.publisher.secret })).status).toBe(422);
    },
  );

  test('own runs have their content, for keys that may read runs', async () => {
    const path = `${stage.runs}/${own}`;
    const whole = await read<{ content: unknown; content_access: string }>(
      await stage.call(path, { key: stage.publisher.secret }),
      200,
    );
    expect(whole).toMatchObject({
      content_access: 'own',
      content: {
        input: `Look for ${planted}.`,
        output: [{ text: planted }],
        error_message: expect.stringContaining(planted),
      },
    });
    const { workspaceId } = stage.publisher;
    const { secret } = await createKey(stage.db.everywhere, { workspaceId, name: 'ci', scopes: ['publisher'] });
    const bare = await stage.readAs(path, secret);
    expect([bare.status, bare.text.includes(planted)]).toEqual([200, false]);
    expect((await stage.readAs(`${path}/steps`, secret)).text).not.toContain(planted);
  });

  test('other publishers, callers and keys without the scope get none of it', async () => {
    for (const path of ['', `/${failed}`, `/${failed}/steps`]) {
      const foreign = await stage.call(`${stage.runs}${path}`, { key: stage.stranger.secret });
      expect(await errorOf(foreign)).toMatchObject({ status: 404, code: 'agent_not_found' });
      const caller = await stage.call(`${stage.runs}${path}`, { key: stage.mine.secret });
      expect(await errorOf(caller)).toMatchObject({ status: 403, code: 'scope_not_allowed' });
    }
    const writers = await stage.create();
    const elsewhere = await stage.call(`${stage.runs}/${writers.id}`, { key: stage.publisher.secret });
    expect(await errorOf(elsewhere)).toMatchObject({ status: 404, code: 'run_not_found' });
    // Nor does the publisher get it at the caller's own route.
    const direct = await stage.call(`/v1/runs/${failed}`, { key: stage.publisher.secret });
    expect(await errorOf(direct)).toMatchObject({ status: 404, code: 'run_not_found' });
  });
});

test('own runs are marked in the statement, and have lines of their own', async () => {
  const paid = await stage.end({ status: 'completed' }, stage.publisher.secret);
  const key = stage.publisher.secret;
  const statement = await read<{
    own: { runs: number };
    totals: { runs: number };
    data: { is_own: boolean; callers: number }[];
  }>(await stage.call('/v1/publisher/statement', { key }), 200);
  expect(statement.data.map(({ is_own: isOwn, callers }) => [isOwn, callers])).toEqual([
    [false, 2],
    [true, 1],
  ]);
  expect([statement.own.runs, statement.totals.runs]).toEqual([1, 3]);
  const csv = (await stage.readAs('/v1/publisher/statement?format=csv')).text.trimEnd().split('\r\n');
  expect(csv.map((line) => line.split(',').at(-1))).toEqual(['own', '', '', 'own']);
  await read(await stage.call(`/v1/runs/${paid}`, { method: 'DELETE', key }), 200);
});

describe('POST /v1/runs/{run_id}/share', () => {
  test('lets the publisher read that run alone, until it is revoked', async () => {
    expect(await read(await share(failed, 'GET'), 200)).toMatchObject({ status: 'none', is_shareable: true });
    expect(await read(await share(failed, 'POST', { days: 3 }), 200)).toMatchObject({
      status: 'active',
      read_at: null,
    });
    const shared = await stage.readAs(`${stage.runs}/${failed}`);
    expect(JSON.parse(shared.text)).toMatchObject({
      content_access: 'shared',
      content: { input: `Look for ${planted}.`, output: [{ type: 'output_text', text: planted }] },
    });
    const steps = JSON.parse((await stage.readAs(`${stage.runs}/${failed}/steps`)).text) as { data: { id: string }[] };
    expect(steps.data[1]).toMatchObject({
      content: { arguments: expect.stringContaining(planted), result_preview: planted },
    });
    const whole = await stage.readAs(`${stage.runs}/${failed}/steps/${steps.data[0]!.id}`);
    expect(JSON.parse(whole.text)).toMatchObject({ content: { result: { text: planted } } });
    // Who the caller is stays unknown, and so do the other runs.
    for (const { text } of [shared, whole])
      for (const secret of [stage.mine.workspaceId, stage.mine.keyId]) expect(text).not.toContain(secret);
    expect((await stage.readAs(`${stage.runs}/${completed}`)).text).not.toContain(planted);
    expect((await list('?shared=true')).data.map(({ id }) => id)).toEqual([failed]);
    expect(await read(await share(failed, 'GET'), 200)).toMatchObject({ read_at: expect.any(String) });
    // Another publisher gets nothing by it.
    expect((await stage.readAs(`${stage.runs}/${failed}`, stage.stranger.secret)).status).toBe(404);

    expect(await read(await share(failed, 'DELETE'), 200)).toMatchObject({ status: 'revoked' });
    for (const path of ['', '/steps', `/steps/${steps.data[0]!.id}`])
      expect((await stage.readAs(`${stage.runs}/${failed}${path}`)).text).not.toContain(planted);
    const { rows } = await stage.db.pool.query<{ action: string }>(
      'select action from audit_entries where workspace_id = $1 and subject_id = $2 order by created_at',
      [stage.mine.workspaceId, failed],
    );
    expect(rows.map(({ action }) => action)).toEqual(['share_run', 'revoke_run_share']);
  });

  test('ends by itself', async () => {
    await read(await share(failed, 'POST'), 200);
    await stage.db.pool.query(`update run_shares set expires_at = now() - interval '1 second' where run_id = $1`, [
      failed,
    ]);
    expect((await stage.readAs(`${stage.runs}/${failed}`)).text).not.toContain(planted);
    expect(await read(await share(failed, 'GET'), 200)).toMatchObject({ status: 'expired' });
  });

  test('tells the publisher, and gives nothing once the run is deleted', async () => {
    const runId = await stage.end(FAILED);
    await read(await share(runId, 'POST'), 200);
    const { rows } = await stage.db.pool.query<{ data: object }>(
      `select data from platform_events where workspace_id = $1 and type = 'agent.run_shared' and data ->> 'run_id' = $2`,
      [stage.publisher.workspaceId, runId],
    );
    expect(rows).toEqual([{ data: expect.objectContaining({ agent: stage.agent.name, agent_id: stage.agent.id }) }]);
    await read(await stage.call(`/v1/runs/${runId}`, { method: 'DELETE' }), 200);
    expect(JSON.parse((await stage.readAs(`${stage.runs}/${runId}`)).text)).toMatchObject({
      content_access: 'none',
      content: null,
      steps_deleted_at: expect.any(String),
    });
    expect((await share(runId, 'GET')).status).toBe(404);
  });

  test('is refused for open runs, own agents, other workspaces, and bad days', async () => {
    const open = await stage.create({ agent: stage.agent.name });
    expect(await errorOf(await share(open.id, 'POST'))).toMatchObject({ status: 409, code: 'run_not_terminal' });
    const ofPublisher = await share(own, 'POST', undefined, stage.publisher.secret);
    expect(await errorOf(ofPublisher)).toMatchObject({ status: 409, code: 'own_agent' });
    expect(await read(await share(own, 'GET', undefined, stage.publisher.secret), 200)).toMatchObject({
      is_shareable: false,
    });
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await errorOf(await share(failed, method, undefined, stage.other.secret))).toMatchObject({ status: 404 });
    for (const days of [0, 31, 1.5, 'all'])
      expect(await errorOf(await share(failed, 'POST', { days }))).toMatchObject({ status: 422, param: 'days' });
  });
});
