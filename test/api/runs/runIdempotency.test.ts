import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { until, untilAnswered } from '../../support/until.ts';
import { errorOf, read, setRunRouteStage, writer, type RunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const key = (name: string) => ({ 'idempotency-key': `${name}-0123456789` });

const countRuns = async (workspaceId: string) => {
  const { rows } = await stage.db.pool.query('select count(*)::int as runs from runs where workspace_id = $1', [
    workspaceId,
  ]);
  return rows[0].runs as number;
};

/** Retries while the first request takes longer than the wait of a repetition. */
const sendUntilAnswered = (...order: Parameters<RunRouteStage['post']>) => untilAnswered(() => stage.post(...order));

describe('Idempotency-Key', () => {
  test('creates one run for 200 concurrent posts, and sends all of them the same bytes', async () => {
    const { secret, workspaceId } = await stage.account();
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const response = await sendUntilAnswered({}, { key: secret, headers: key('storm') });
        return { at, status: response.status, replayed: response.headers.get('idempotent-replayed'), response };
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    const bodies = new Set(await Promise.all(answers.map(({ response }) => response.text())));
    expect(bodies.size).toBe(1);
    expect(new Set(answers.map(({ response }) => response.headers.get('location'))).size).toBe(1);
    expect(await countRuns(workspaceId)).toBe(1);
  });

  test('answers 409 idempotency_conflict for a changed body, also among concurrent requests', async () => {
    const { secret, workspaceId } = await stage.account();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        sendUntilAnswered({ input: at % 2 === 0 ? 'one' : 'two' }, { key: secret, headers: key('mixed') }),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(20);
    expect(refused[0]!.headers.get('x-should-retry')).toBe('false');
    expect(await errorOf(refused[0]!)).toEqual({ status: 409, code: 'idempotency_conflict', param: null });
    expect(await countRuns(workspaceId)).toBe(1);
  });

  test('is separate for each workspace and path', async () => {
    const [one, two] = [await stage.account(), await stage.account()];
    const first = await stage.create({}, { key: one.secret, headers: key('shared') });
    const second = await stage.create({}, { key: two.secret, headers: key('shared') });
    expect(second.id).not.toBe(first.id);
    const cancel = `/v1/runs/${first.id}/cancel`;
    const cancelled = await stage.call(cancel, { key: one.secret, method: 'POST', headers: key('shared') });
    expect(await read<RunObject>(cancelled, 202)).toMatchObject({ id: first.id, status: 'cancelled' });
    const again = await stage.call(cancel, { key: one.secret, method: 'POST', headers: key('shared') });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
  });

  test('is separate for each project, over HTTP and A2A, and shared by its keys', async () => {
    const { workspaceId } = await stage.account();
    const keyIn = async (projectId: string) =>
      (await createKey(stage.db.everywhere, { workspaceId, name: projectId, scopes: ['llm'], projectId })).secret;
    const [one, two, alsoTwo] = [await keyIn('proj_one'), await keyIn('proj_two'), await keyIn('proj_two')];
    const byHttp = (secret: string) => stage.post({}, { key: secret, headers: key('project') });
    const byA2a = (secret: string) => {
      const message = { messageId: 'message-4711', role: 'ROLE_USER', parts: [{ text: 'same' }] };
      const params = { message, configuration: { returnImmediately: true }, metadata: { agent: writer } };
      return stage.call('/a2a', { key: secret, body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params } });
    };
    for (const send of [byHttp, byA2a]) {
      const ids: string[] = [];
      for (const secret of [one, two, alsoTwo, one])
        ids.push(/run_[0-9A-Za-z]+/.exec(await (await send(secret)).text())![0]);
      const [first, second] = ids;
      expect(second).not.toBe(first);
      expect(ids).toEqual([first, second, second, first]);
      const { rows } = await stage.db.pool.query(
        'select project_id as project from runs where id = any ($1) order by 1',
        [ids],
      );
      expect(rows).toEqual([{ project: 'proj_one' }, { project: 'proj_two' }]);
    }
  });

  test.each(['short', 'x'.repeat(256)])('refuses the key %s', async (sent) => {
    const response = await stage.post({}, { headers: { 'idempotency-key': sent } });
    expect(await errorOf(response)).toEqual({
      status: 422,
      code: 'validation_error',
      param: 'idempotency-key',
    });
  });

  test('stores a refusal that a later attempt could not change', async () => {
    const { secret } = await stage.account();
    const ask = () => stage.post({ agent: 'nobody/nothing' }, { key: secret, headers: key('nothing') });
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status]).toEqual([404, 404]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await second.text()).toBe(await first.text());
  });

  test('does not store a busy-session refusal: the request runs once its session is free', async () => {
    const { secret } = await stage.account();
    const { id, session_id } = await stage.create({}, { key: secret });
    const ask = () => stage.post({ session_id }, { key: secret, headers: key('busy') });
    const refused = await ask();
    expect(await errorOf(refused)).toEqual({ status: 409, code: 'session_busy', param: null });
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect((await stage.call(`/v1/runs/${id}/cancel`, { key: secret, method: 'POST' })).status).toBe(202);
    const accepted = await ask();
    expect([accepted.status, accepted.headers.get('idempotent-replayed')]).toEqual([202, null]);
    const again = await ask();
    expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual(['true', await accepted.text()]);
  });

  test('does not store a refusal of an invalid or premature request', async () => {
    const { secret } = await stage.account({ rpmLimit: 1 });
    const wrong = await stage.post({ max_cost_usd: 400 }, { key: secret, headers: key('patient') });
    const soon = await stage.post({}, { key: secret, headers: key('patient') });
    expect([wrong.status, soon.status]).toEqual([422, 429]);
    await stage.db.pool.query('update api_keys set rpm_limit = 1000 where workspace_id = $1', [
      (await workspaceOf(secret)) as string,
    ]);
    await until(async () => (await stage.post({}, { key: secret, headers: key('patient') })).status === 202);
  });

  test('a request refused for lack of money can be retried after a payment', async () => {
    const { secret, workspaceId } = await stage.account({ balanceNanos: 0n });
    const poor = await stage.post({}, { key: secret, headers: key('poor') });
    expect([poor.status, poor.headers.get('x-limit-source')]).toEqual([402, 'balance']);
    await stage.db.ledger.transfer({
      kind: 'topup',
      subject: workspaceId,
      workspaceId,
      houseAccountId: 'payments',
      amountNanos: 5_000_000_000n,
    });
    await until(async () => (await stage.post({}, { key: secret, headers: key('poor') })).status === 202);
  });

  test('replays a stream, with the same run', async () => {
    const { secret, workspaceId } = await stage.account();
    const reading = new AbortController();
    const asked = { key: secret, headers: key('stream') };
    const first = await stage.post({ stream: true }, { ...asked, signal: reading.signal });
    reading.abort();
    const requestId = first.headers.get('x-request-id')!;
    await until(() => stage.api.lines.some((line) => line.includes(requestId)));
    const second = await stage.post({ stream: true }, asked);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    await second.body!.cancel();
    expect(await countRuns(workspaceId)).toBe(1);
  });

  test('a second request waits for the first one, and gets retry-after when that takes long', async () => {
    const { secret, workspaceId } = await stage.account();
    const asked = { key: secret, headers: { ...key('waiting'), prefer: 'wait=60' } };
    const first = stage.post({}, asked);
    await until(async () => (await countRuns(workspaceId)) === 1);
    const second = await stage.post({}, asked);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(second.headers.get('x-should-retry')).toBe('true');
    expect(await errorOf(second)).toEqual({ status: 409, code: 'idempotency_in_progress', param: null });
    await cancelAll(workspaceId, secret);
    const answered = await (await first).text();
    const third = await stage.post({}, asked);
    expect(await third.text()).toBe(answered);
  });

  test('when an API process is killed between claim and answer, the retry gets the same single run', async () => {
    const { secret, workspaceId } = await stage.account();
    const victim = await stage.startAnother();
    const sent = fetch(`${victim.url}/v1/runs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        prefer: 'wait=60',
        ...key('killed'),
      },
      body: JSON.stringify(stage.order()),
    }).catch(() => null);
    await until(async () => (await countRuns(workspaceId)) === 1);
    process.kill(victim.pid, 'SIGKILL');
    expect(await sent).toBeNull();
    const run = await stage.create({}, { key: secret, headers: key('killed') });
    expect(await countRuns(workspaceId)).toBe(1);
    const replayed = await stage.post({}, { key: secret, headers: key('killed') });
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(await read<RunObject>(replayed, 202)).toEqual(run);
  });

  test('when an API process is killed before the run is created, the retry uses the same id', async () => {
    const { secret, workspaceId } = await stage.account();
    await stage.create({}, { key: secret, headers: key('early') });
    // The state after a dead process: claimed, with nothing created.
    const { rows } = await stage.db.pool.query(
      `update idempotency_keys set status = null, headers = null, body = null, resource_id = 'run_0mi9earlyABCDEFGHIJKLM',
        running_until = now() where workspace_id = $1 returning resource_id`,
      [workspaceId],
    );
    const run = await stage.create({}, { key: secret, headers: key('early') });
    expect(run.id).toBe(rows[0].resource_id);
  });
});

/** Ends every run of a workspace, and so the requests that wait for them. */
async function cancelAll(workspaceId: string, secret: string): Promise<void> {
  const { rows } = await stage.db.pool.query<{ id: string }>('select id from runs where workspace_id = $1', [
    workspaceId,
  ]);
  for (const { id } of rows)
    expect((await stage.call(`/v1/runs/${id}/cancel`, { key: secret, method: 'POST' })).status).toBe(202);
}

async function workspaceOf(secret: string): Promise<unknown> {
  const { rows } = await stage.db.pool.query('select workspace_id from api_keys where prefix = $1', [
    secret.slice(0, 12),
  ]);
  return rows[0].workspace_id;
}
