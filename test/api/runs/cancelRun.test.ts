import { afterAll, describe, expect, test } from '@jest/globals';
import { beginRun } from '../../support/run.ts';
import { isGraceful } from '../../../db/runs/steps/stepRecords.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const cancel = (id: string, body?: object, key = stage.mine.secret) =>
  stage.call(`/v1/runs/${id}/cancel`, { key, method: 'POST', ...(body && { body }) });

describe('POST /v1/runs/{run_id}/cancel', () => {
  test('ends a run that has not begun at once, at no cost, and releases its hold', async () => {
    const { secret } = await stage.account();
    const { id } = await stage.create({}, { key: secret });
    const run = await read<RunObject>(await cancel(id, { reason: 'changed my mind' }, secret), 202);
    expect(run).toMatchObject({
      status: 'cancelled',
      status_reason: 'changed my mind',
      held_usd: 0,
      usage: { total_usd: 0, settled: true },
      cancel_requested_at: expect.any(String),
    });
    expect(await (await stage.call('/platform/v1/billing/balance', { key: secret })).json()).toMatchObject({
      held_usd: 0,
      balance_usd: 10,
    });
    expect(await beginRun(stage.db.pool, id)).toEqual({ state: 'over' });
    expect(await stage.getRun(id, secret)).toEqual(run);
  });

  test('stops a running run: it is cancelling until its work has ended', async () => {
    const { id } = await stage.create();
    await beginRun(stage.db.pool, id);
    expect(await read<RunObject>(await cancel(id), 202)).toMatchObject({ status: 'cancelling' });
    expect(await read<RunObject>(await cancel(id), 202)).toMatchObject({ status: 'cancelling' });
    await finishRun(stage.db, id, { status: 'cancelled' });
    expect(await read<RunObject>(await cancel(id), 200)).toMatchObject({ status: 'cancelled' });
    const list = await stage.call(`/v1/runs/${id}/events`, { headers: { accept: 'application/json' } });
    const { data } = await read<{ data: { type: string }[] }>(list, 200);
    expect(data.map(({ type }) => type)).toEqual([
      'run.created',
      'run.queued',
      'run.in_progress',
      'run.step.started',
      'run.cancelling',
      'run.step.failed',
      'run.cancelled',
    ]);
  });

  test('an immediate cancellation after a graceful one stops the tool; the reverse has no effect', async () => {
    const { id } = await stage.create();
    await beginRun(stage.db.pool, id);
    const first = await read<RunObject>(await cancel(id, { mode: 'graceful', reason: 'enough' }), 202);
    expect(await isGraceful(stage.db.pool, id)).toBe(true);
    const second = await read<RunObject>(await cancel(id, { mode: 'immediate', reason: 'now' }), 202);
    expect(second).toEqual(first);
    expect(await isGraceful(stage.db.pool, id)).toBe(false);
    await read(await cancel(id, { mode: 'graceful' }), 202);
    expect(await isGraceful(stage.db.pool, id)).toBe(false);
    await finishRun(stage.db, id, { status: 'cancelled' });
    expect(await stage.getRun(id)).toMatchObject({ status: 'cancelled', status_reason: 'enough' });
  });

  test('answers 409 for a run that has ended otherwise', async () => {
    const { id } = await stage.create();
    await beginRun(stage.db.pool, id);
    await finishRun(stage.db, id, { status: 'completed' });
    expect(await errorOf(await cancel(id))).toMatchObject({ status: 409, code: 'run_already_terminal' });
  });

  test('starts the run that was queued behind the cancelled one', async () => {
    const { secret } = await stage.account();
    const first = await stage.create({ start_after_seconds: 600 }, { key: secret });
    const waiting = { session_id: first.session_id, if_session_busy: 'enqueue' };
    const second = await stage.create(waiting, { key: secret });
    await cancel(first.id, undefined, secret);
    const { rows } = await stage.db.pool.query('select waiting from runs where id = $1', [second.id]);
    expect(rows).toEqual([{ waiting: false }]);
  });

  test("answers 404 for another workspace's run", async () => {
    const { id } = await stage.create();
    expect(await errorOf(await cancel(id, undefined, stage.other.secret))).toMatchObject({
      status: 404,
      code: 'run_not_found',
    });
    expect(await stage.getRun(id)).toMatchObject({ status: 'queued' });
  });

  test('refuses an unknown mode and a too long reason', async () => {
    const { id } = await stage.create();
    for (const [body, param] of [
      [{ mode: 'rough' }, 'mode'],
      [{ reason: 'x'.repeat(501) }, 'reason'],
    ] as const)
      expect(await errorOf(await cancel(id, body))).toMatchObject({ status: 422, param });
  });

  test("a race with the run's end leaves one end and one bill", async () => {
    const { secret } = await stage.account();
    for (let round = 0; round < 25; round += 1) {
      const { id } = await stage.create({ max_cost_usd: 0.1 }, { key: secret });
      await beginRun(stage.db.pool, id);
      const [cancelled] = await Promise.all([
        cancel(id, undefined, secret),
        finishRun(stage.db, id, { status: 'completed' }),
      ]);
      const { status, last_event_id } = await stage.getRun(id, secret);
      const last = await read<{ type: string }>(
        await stage.call(`/platform/v1/events/${last_event_id}`, { key: secret }),
        200,
      );
      // An earlier cancellation races with the run's completion.
      expect({ status, type: last.type, answered: [202, 409].includes(cancelled.status) }).toEqual({
        status: 'completed',
        type: 'run.completed',
        answered: true,
      });
    }
    expect((await checkInvariants(stage.db.pool)).violations).toEqual([]);
  });
});

test("a race with the run's start is won by the cancellation: the run does no further work", async () => {
  const { secret } = await stage.account();
  for (let round = 0; round < 25; round += 1) {
    const { id } = await stage.create({ max_cost_usd: 0.1 }, { key: secret });
    const [begun] = await Promise.all([beginRun(stage.db.pool, id), cancel(id, undefined, secret)]);
    const { status } = await stage.getRun(id, secret);
    expect([begun.state, status]).toEqual(begun.state === 'begun' ? ['begun', 'cancelling'] : ['over', 'cancelled']);
    await finishRun(stage.db, id, { status: 'cancelled' });
  }
  expect((await checkInvariants(stage.db.pool)).violations).toEqual([]);
});

describe('POST /v1/sessions/{session_id}/cancel', () => {
  test('cancels every run of the session that has not ended', async () => {
    const { secret } = await stage.account();
    const first = await stage.create({}, { key: secret });
    await beginRun(stage.db.pool, first.id);
    const session_id = first.session_id;
    const second = await stage.create({ session_id, if_session_busy: 'enqueue' }, { key: secret });
    const response = await stage.call(`/v1/sessions/${session_id}/cancel`, { key: secret, method: 'POST' });
    const { data } = await read<{ data: RunObject[] }>(response, 202);
    expect(data.map(({ id, status }) => [id, status])).toEqual([
      [second.id, 'cancelled'],
      [first.id, 'cancelling'],
    ]);
  });

  test("answers 404 for another workspace's session", async () => {
    const { session_id } = await stage.create();
    const response = await stage.call(`/v1/sessions/${session_id}/cancel`, { key: stage.other.secret, method: 'POST' });
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'session_not_found' });
  });
});
