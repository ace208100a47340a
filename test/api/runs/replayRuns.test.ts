import { afterAll, describe, expect, test } from '@jest/globals';
import { Replay, ReplayQuote } from '../../../api/runs/replaySchema.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { beginRun } from '../../support/run.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';
import { replayRunIdOf } from '../../../db/runs/replayRuns.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const CAUSE = { status: 'failed', fault: 'provider', code: 'provider_failed', message: 'It broke.' } as const;

/** Runs of one workspace that have failed, the newest first. */
async function failedRuns(secret: string, count: number, order: object = {}): Promise<RunObject[]> {
  const runs: RunObject[] = [];
  for (let made = 0; made < count; made += 1) {
    const run = await stage.create({ max_cost_usd: 0.1, ...order }, { key: secret });
    await beginRun(stage.db.pool, run.id);
    await finishRun(stage.db, run.id, CAUSE);
    runs.unshift(run);
  }
  return runs;
}

const replay = async (key: string, body: object = {}) =>
  Replay.parse(await read(await stage.call('/v1/runs/replay', { key, body }), 200));
const quote = async (key: string, body: object = {}) =>
  ReplayQuote.parse(await read(await stage.call('/v1/runs/replay/quote', { key, body }), 200));

describe('POST /v1/runs/replay', () => {
  test('repeats failed runs with their input, metadata and limits; a quote says before what they cost at most', async () => {
    const { secret } = await stage.account();
    const runs = await failedRuns(secret, 2, { metadata: { team: 'a' }, timeout_seconds: 77 });
    await stage.create({}, { key: secret });
    expect(await quote(secret)).toEqual({
      object: 'run.replay_quote',
      count: 2,
      refused: 0,
      p50_usd: null,
      p90_usd: null,
      max_usd: 0.2,
      run_ids: runs.map(({ id }) => id),
      has_more: false,
      next_cursor: null,
    });
    const { data, ...rest } = await replay(secret);
    expect(rest).toEqual({ object: 'run.replay', stopped_by: null, has_more: false, next_cursor: null });
    expect(data).toEqual(runs.map(({ id }) => ({ run_id: id, new_run_id: replayRunIdOf(id), error: null })));
    expect(await stage.getRun(data[0]!.new_run_id!, secret)).toMatchObject({
      status: 'queued',
      rerun_of: { run_id: runs[0]!.id, from_step: 1 },
      metadata: { team: 'a' },
      max_cost_usd: 0.1,
      input: runs[0]!.input,
    });
  });

  test('repeats each run once, however often and however many at once ask for it', async () => {
    const { secret } = await stage.account();
    const runs = await failedRuns(secret, 3);
    await Promise.all([replay(secret), replay(secret), replay(secret)]);
    expect((await replay(secret)).data).toEqual([]);
    const { rows } = await stage.db.pool.query('select rerun_of from runs where rerun_of = any ($1)', [
      runs.map(({ id }) => id),
    ]);
    expect(rows).toHaveLength(3);
    expect((await checkInvariants(stage.db.pool)).violations).toEqual([]);
  });

  test('takes filters, and goes on page by page', async () => {
    const { secret } = await stage.account();
    const [young, old] = await failedRuns(secret, 2, { metadata: { team: 'a' } });
    await failedRuns(secret, 1, { metadata: { team: 'b' } });
    const order = { metadata: { team: 'a' }, error_code: 'provider_failed', limit: 1 };
    const first = await replay(secret, order);
    expect([first.data.map(({ run_id }) => run_id), first.has_more]).toEqual([[young!.id], true]);
    const second = await replay(secret, { ...order, cursor: first.next_cursor });
    expect([second.data.map(({ run_id }) => run_id), second.has_more]).toEqual([[old!.id], false]);
  });

  test('stops where the money ends, and goes on there later', async () => {
    const { secret } = await stage.account({ creditUsd: '0.2' });
    const [first, second, third] = await failedRuns(secret, 3);
    const stopped = await replay(secret);
    expect(stopped).toMatchObject({ stopped_by: { code: 'balance_held' }, has_more: true });
    expect(stopped.data.map(({ run_id }) => run_id)).toEqual([first!.id, second!.id]);
    await stage.call(`/v1/runs/${stopped.data[0]!.new_run_id}/cancel`, { key: secret, method: 'POST' });
    const resumed = await replay(secret, { cursor: stopped.next_cursor });
    expect(resumed).toMatchObject({ data: [{ run_id: third!.id }], stopped_by: null, has_more: false });
  });

  test('a run that cannot be repeated is refused by itself', async () => {
    const { secret } = await stage.account();
    const [young, old] = await failedRuns(secret, 2);
    await stage.db.pool.query(`update runs set version_id = 'aver_gone' where id = $1`, [young!.id]);
    expect(await quote(secret)).toMatchObject({ count: 1, refused: 1, run_ids: [old!.id] });
    const { data } = await replay(secret);
    expect(data).toEqual([
      { run_id: young!.id, new_run_id: null, error: { code: 'agent_not_found', message: expect.any(String) } },
      { run_id: old!.id, new_run_id: replayRunIdOf(old!.id), error: null },
    ]);
  });

  test('refuses completed runs, unknown members and a foreign cursor', async () => {
    const { secret } = await stage.account();
    const asked = async (body: object) => errorOf(await stage.call('/v1/runs/replay', { key: secret, body }));
    expect(await asked({ status: ['completed'] })).toMatchObject({ status: 422, param: 'status.0' });
    expect(await asked({ runs: [] })).toMatchObject({ status: 422, param: 'runs' });
    expect(await asked({ cursor: 'x' })).toMatchObject({ status: 422, param: 'cursor' });
  });
});
