import { afterAll, describe, expect, test } from '@jest/globals';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const remove = (id: string, key?: string) => stage.call(`/v1/runs/${id}`, { method: 'DELETE', ...(key && { key }) });

async function endedRun(): Promise<{ id: string; eventId: string }> {
  const run = await stage.create();
  const cancelled = await read<{ last_event_id: string }>(
    await stage.call(`/v1/runs/${run.id}/cancel`, { method: 'POST' }),
    202,
  );
  return { id: run.id, eventId: cancelled.last_event_id };
}

describe('DELETE /v1/runs/{run_id}', () => {
  test('deletes an ended run: no route finds it any more', async () => {
    const { id, eventId } = await endedRun();
    expect(await read(await remove(id), 200)).toEqual({ id, object: 'run', deleted: true });
    for (const path of [`/v1/runs/${id}`, `/v1/runs/${id}/events`, `/v1/runs/${id}/feedback`])
      expect(await errorOf(await stage.call(path))).toMatchObject({ status: 404, code: 'run_not_found' });
    expect(await errorOf(await stage.call(`/platform/v1/events/${eventId}`))).toMatchObject({ status: 404 });
    const { data } = await read<{ data: { id: string }[] }>(await stage.call('/v1/runs?limit=100'), 200);
    expect(data.map((run) => run.id)).not.toContain(id);
    for (const response of [await remove(id), await stage.call(`/v1/runs/${id}/cancel`, { method: 'POST' })])
      expect(await errorOf(response)).toMatchObject({ status: 404, code: 'run_not_found' });
  });

  test('keeps nothing that its caller has said of its user', async () => {
    const { id } = await stage.create({ user: 'ada@example.org', metadata: { team: 'support' } });
    await stage.call(`/v1/runs/${id}/cancel`, { method: 'POST' });
    expect((await remove(id)).status).toBe(200);
    const { rows } = await stage.db.pool.query('select end_user, metadata from runs where id = $1', [id]);
    expect(rows).toEqual([{ end_user: null, metadata: {} }]);
  });

  test('answers 409 for a run that has not ended, with advice', async () => {
    const { id } = await stage.create();
    expect(await errorOf(await remove(id))).toEqual({ status: 409, code: 'run_not_terminal', param: null });
    expect(await stage.getRun(id)).toMatchObject({ id, status: 'queued' });
  });

  test("answers 404 for another workspace's run", async () => {
    const { id } = await endedRun();
    const answer = await remove(id, stage.other.secret);
    expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'run_not_found' });
    expect(await stage.getRun(id)).toMatchObject({ id, status: 'cancelled' });
  });
});
