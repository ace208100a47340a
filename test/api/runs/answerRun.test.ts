import { afterAll, describe, expect, test } from '@jest/globals';
import { keyEnded } from '../../../base/errors/keyErrors.ts';
import { createKey, revokeKey } from '../../../db/keys/keyStore.ts';
import { beginRun } from '../../support/run.ts';
import { pauseRun } from '../../../db/runs/states/pauseRun.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { until } from '../../support/until.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

describe('Prefer: wait', () => {
  test('answers 200 with the run as soon as it has ended', async () => {
    const { secret, workspaceId } = await stage.account();
    const answer = stage.post({}, { key: secret, headers: { prefer: 'wait=60' } });
    const runId = await onlyRunOf(workspaceId);
    await beginRun(stage.db.pool, runId);
    await finishRun(stage.db, runId, { status: 'completed' });
    const response = await answer;
    expect(response.headers.get('preference-applied')).toBe('wait=60');
    expect(response.headers.get('retry-after')).toBeNull();
    expect(await read<RunObject>(response, 200)).toMatchObject({ id: runId, status: 'completed' });
  });

  test('ends with 401 when the key is revoked, which cancels its queued run; another key can read that', async () => {
    const { order, one, other, runId, answer } = await waitWithOneOfTwoKeys();
    await revokeKey(stage.db, one.id);
    expect((await answer).status).toBe(401);
    expect(await (await answer).json()).toEqual({ error: keyEnded().body });
    const again = await stage.post({}, { ...order, key: other.secret });
    expect(await read<RunObject>(again, 200)).toMatchObject({ id: runId, status: 'cancelled' });
  });

  test('ends with 401 when the key ends and lets its runs end; another key can follow the run', async () => {
    const { order, one, other, runId, answer } = await waitWithOneOfTwoKeys();
    await beginRun(stage.db.pool, runId);
    await revokeKey(stage.db, one.id, { keepsRuns: true });
    expect((await answer).status).toBe(401);
    const again = stage.post({}, { ...order, key: other.secret });
    await finishRun(stage.db, runId, { status: 'completed' });
    expect(await read<RunObject>(await again, 200)).toMatchObject({ id: runId, status: 'completed' });
  });

  test("answers 202 as soon as the run waits for its caller's input", async () => {
    const { secret, workspaceId } = await stage.account();
    const answer = stage.post({}, { key: secret, headers: { prefer: 'wait=60' } });
    const runId = await onlyRunOf(workspaceId);
    await beginRun(stage.db.pool, runId);
    await pauseRun(stage.db, runId, { type: 'text', step: 2, question: 'Which year?' });
    const run = await read<RunObject>(await answer, 202);
    expect(run).toMatchObject({ status: 'requires_action', required_action: { question: 'Which year?' } });
  });

  test('answers 202 with the current run when the wait is over', async () => {
    const { secret } = await stage.account();
    const response = await stage.post({}, { key: secret, headers: { prefer: 'respond-async, wait=1' } });
    expect(response.headers.get('preference-applied')).toBe('wait=1');
    expect(await read<RunObject>(response, 202)).toMatchObject({ status: 'queued' });
  });
});

describe('stream', () => {
  test("sends the run's events until the last one", async () => {
    const { secret, workspaceId } = await stage.account();
    const response = await stage.post({ stream: true }, { key: secret });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const runId = await onlyRunOf(workspaceId);
    expect(response.headers.get('location')).toBe(`/v1/runs/${runId}`);
    await beginRun(stage.db.pool, runId);
    await finishRun(stage.db, runId, { status: 'completed' });
    const types = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    const untilEnd = ['run.created', 'run.queued', 'run.in_progress', 'run.step.started', 'run.step.failed'];
    expect(types).toEqual([...untilEnd, 'run.completed']);
  });

  test('sends the chosen events; a choice without a stream is refused', async () => {
    const { secret, workspaceId } = await stage.account();
    const response = await stage.post({ stream: true, include: ['cost'] }, { key: secret });
    const runId = await onlyRunOf(workspaceId);
    await beginRun(stage.db.pool, runId);
    await finishRun(stage.db, runId, { status: 'completed' });
    const types = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    expect(types).toEqual(['run.created', 'run.queued', 'run.in_progress', 'run.completed']);
    const refused = await stage.post({ include: ['cost'] }, { key: secret });
    expect(await errorOf(refused)).toMatchObject({ status: 422, param: 'include' });
  });

  test.each([
    ['cancel', 'cancelled'],
    ['continue', 'queued'],
  ])('with on_disconnect %s leaves the run %s when its reader disconnects', async (on_disconnect, status) => {
    const { secret, workspaceId } = await stage.account();
    const reading = new AbortController();
    const response = await stage.post({ stream: true, on_disconnect }, { key: secret, signal: reading.signal });
    const runId = await onlyRunOf(workspaceId);
    reading.abort();
    // A request is logged last of all.
    const requestId = response.headers.get('x-request-id')!;
    await until(() => stage.api.lines.some((line) => line.includes(requestId)));
    expect(await stage.getRun(runId, secret)).toMatchObject({ status });
  });
});

/** A request under an idempotency key that waits for its run, of a workspace that has another key. */
async function waitWithOneOfTwoKeys() {
  const { workspaceId } = await stage.account();
  const order = { headers: { prefer: 'wait=60', 'idempotency-key': 'revoked-0123456789' } };
  const [one, other] = await Promise.all(
    ['one', 'other'].map((name) => createKey(stage.db.everywhere, { workspaceId, name, scopes: ['llm'] })),
  );
  const answer = stage.post({}, { ...order, key: one!.secret });
  return { order, one: one!, other: other!, answer, runId: await onlyRunOf(workspaceId) };
}

/** The id of the only run of a workspace, once it exists. */
async function onlyRunOf(workspaceId: string): Promise<string> {
  let id: string | undefined;
  await until(async () => {
    const { rows } = await stage.db.pool.query('select id from runs where workspace_id = $1', [workspaceId]);
    id = rows[0]?.id as string | undefined;
    return id !== undefined;
  });
  return id!;
}
