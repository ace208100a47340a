import { afterAll, describe, expect, test } from '@jest/globals';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { prunePlaces } from '../../../db/runs/flow/upkeep.ts';
import { errorOf, read } from '../../support/runRouteStage.ts';
import { setFlowStage } from './flowStage.ts';

const stage = await setFlowStage();
afterAll(() => stage.close());

const of = (key: string, limit = 1, more: object = {}) => ({
  concurrency: { key, limit },
  max_cost_usd: 0.01,
  ...more,
});

describe('concurrency of an order', () => {
  test('starts as many runs of a key as its limit; the others wait, each with its position', async () => {
    const { secret, workspaceId } = await stage.account();
    const runs = [];
    for (let nth = 0; nth < 4; nth += 1) runs.push(await stage.order(secret, of('customer 42', 2)));
    expect(await stage.admittedOf(workspaceId)).toHaveLength(2);
    expect(runs.map(({ queue }) => queue?.position ?? null)).toEqual([null, null, 1, 2]);
    expect(await stage.show(runs[3]!.id, secret)).toMatchObject({
      status: 'queued',
      concurrency: { key: 'customer 42', limit: 2 },
      held_usd: 0.01,
      queue: {
        waits_for: 'concurrency',
        position: 2,
        key: 'customer 42',
        limit: 2,
        period_seconds: null,
        starts_at: null,
      },
    });
    const list = await read<{ data: { id: string; queue: object | null }[] }>(
      await stage.call('/v1/runs', { key: secret }),
      200,
    );
    expect(list.data.map(({ queue }) => queue && 'position' in queue && queue.position)).toEqual([2, 1, null, null]);
  });

  test('starts the next one when one ends, is cancelled or fails, and no other', async () => {
    const { secret, workspaceId } = await stage.account();
    const runs = [];
    for (let nth = 0; nth < 4; nth += 1) runs.push(await stage.order(secret, of('a')));
    const ids = runs.map(({ id }) => id);
    await stage.end(workspaceId, ids[0]!);
    expect(await stage.admittedOf(workspaceId)).toEqual([ids[1]]);
    await stage.cancel(ids[1]!, secret);
    await stage.untilAdmitted(ids[2]!);
    await stage.end(workspaceId, ids[2]!, { status: 'failed', fault: 'agent', code: 'x', message: 'X.' });
    expect(await stage.admittedOf(workspaceId)).toEqual([ids[3]]);
  });

  test('a cancelled waiting run leaves its place, costs nothing and releases its hold', async () => {
    const { secret, workspaceId } = await stage.account();
    const [first, second, third] = [
      await stage.order(secret, of('a')),
      await stage.order(secret, of('a')),
      await stage.order(secret, of('a')),
    ];
    await read(await stage.cancel(second.id, secret), 202);
    expect(await stage.show(second.id, secret)).toMatchObject({ status: 'cancelled', held_usd: 0, queue: null });
    expect((await stage.show(third.id, secret)).queue?.position).toBe(1);
    await stage.end(workspaceId, first.id);
    expect(await stage.admittedOf(workspaceId)).toEqual([third.id]);
  });

  test('another key does not wait behind a busy one', async () => {
    const { secret, workspaceId } = await stage.account();
    for (let nth = 0; nth < 5; nth += 1) await stage.order(secret, of('busy'));
    const other = await stage.order(secret, of('calm'));
    expect(other.queue).toBeNull();
    expect(await stage.admittedOf(workspaceId)).toHaveLength(2);
  });

  test('the key is of one workspace', async () => {
    const [one, two] = [await stage.account(), await stage.account()];
    await stage.order(one.secret, of('shared'));
    expect((await stage.order(two.secret, of('shared'))).queue).toBeNull();
  });

  test('priority lets a run go first by its seconds, and not before those that have waited longer', async () => {
    const { secret, workspaceId } = await stage.account();
    const running = await stage.order(secret, of('a'));
    const old = await stage.order(secret, of('a'));
    await stage.db.pool.query(
      "update flow_places set ranked_at = ranked_at - interval '11 minutes' where run_id = $1",
      [old.id],
    );
    const usual = await stage.order(secret, of('a'));
    const urgent = await stage.order(secret, of('a', 1, { priority: 600 }));
    const later = await stage.order(secret, of('a', 1, { priority: -600 }));
    const last = await stage.order(secret, of('a'));
    let current = running.id;
    for (const next of [old, urgent, usual, last, later]) {
      await stage.end(workspaceId, current);
      expect(await stage.admittedOf(workspaceId)).toEqual([next.id]);
      current = next.id;
    }
  });

  test('a run waits for its session and for its key, and holds no place while its session is busy', async () => {
    const { secret, workspaceId } = await stage.account();
    const first = await stage.order(secret, { max_cost_usd: 0.01 });
    const inSession = { session_id: first.session_id, if_session_busy: 'enqueue' };
    const behind = await stage.order(secret, of('a', 1, inSession));
    expect(behind.queue).toMatchObject({ waits_for: 'session', position: 1 });
    const other = await stage.order(secret, of('a'));
    expect(other.queue).toBeNull();
    await stage.end(workspaceId, first.id);
    await stage.turns.take({ workspaceId, runId: behind.id });
    expect(await stage.show(behind.id, secret)).toMatchObject({ queue: { waits_for: 'concurrency', position: 1 } });
    await stage.end(workspaceId, other.id);
    expect(await stage.admittedOf(workspaceId)).toEqual([behind.id]);
  });

  test('a run of a session that only waits for the session says so too', async () => {
    const { secret } = await stage.account();
    const first = await stage.order(secret, { max_cost_usd: 0.01 });
    const enqueue = { session_id: first.session_id, if_session_busy: 'enqueue', max_cost_usd: 0.01 };
    await stage.order(secret, enqueue);
    expect(await stage.order(secret, enqueue)).toMatchObject({
      queue: { waits_for: 'session', position: 2, key: null },
    });
  });

  test('a run that starts later takes its place then', async () => {
    const { secret, workspaceId } = await stage.account();
    const later = await stage.order(secret, of('a', 1, { start_after_seconds: 60 }));
    expect(later.queue).toMatchObject({ waits_for: 'start_time', starts_at: expect.any(String) });
    const first = await stage.order(secret, of('a'));
    expect(first.queue).toBeNull();
    await stage.wait(workspaceId, 61);
    expect(await stage.show(later.id, secret)).toMatchObject({ queue: { waits_for: 'concurrency', position: 1 } });
    await stage.end(workspaceId, first.id);
    expect(await stage.admittedOf(workspaceId)).toEqual([later.id]);
  });

  test('refuses limits, keys and priorities out of range by name', async () => {
    for (const [members, param] of [
      [{ concurrency: { key: 'a', limit: 0 } }, 'concurrency.limit'],
      [{ concurrency: { key: '', limit: 1 } }, 'concurrency.key'],
      [{ concurrency: { key: 'a', limit: 1, scope: 'agent' } }, 'concurrency'],
      [{ priority: 601 }, 'priority'],
      [{ debounce: { key: 'a', seconds: 10, max_seconds: 5 } }, 'debounce.max_seconds'],
      [{ debounce: { key: 'a', seconds: 10 }, start_after_seconds: 5 }, 'start_after_seconds'],
    ] as const) {
      const { status, param: named } = await errorOf(await stage.post(members));
      expect([status, named]).toEqual([422, expect.stringContaining(param)]);
    }
  });

  test('never runs more than the limit of 50 orders at once at two API processes, and loses none', async () => {
    const { secret, workspaceId } = await stage.account({ creditUsd: '100' });
    const other = await stage.startAnother();
    const urls = [stage.url, other.url];
    const body = JSON.stringify(stage.bodyOf(of('many', 3)));
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => fetch(`${urls[nth % 2]}/v1/runs`, { method: 'POST', headers, body })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 202));
    let ended = 0;
    for (let open = await stage.admittedOf(workspaceId); open.length > 0; open = await stage.admittedOf(workspaceId)) {
      expect(open.length).toBe(Math.min(3, 50 - ended));
      // All at once: each end looks for the next ones.
      await Promise.all(open.map((id) => stage.end(workspaceId, id)));
      ended += open.length;
    }
    expect(ended).toBe(50);
    expect((await stage.db.pool.query('select from flow_places where workspace_id = $1', [workspaceId])).rowCount).toBe(
      0,
    );
    expect(await checkInvariants(stage.db.pool)).toMatchObject({ violations: [] });
  });

  test('a lost turn is taken by the look at all that wait', async () => {
    const { secret, workspaceId } = await stage.account();
    const first = await stage.order(secret, of('a'));
    const second = await stage.order(secret, of('a'));
    // The worker was killed after the end of the run.
    await stage.finish(first.id);
    expect(await stage.isAdmitted(second.id)).toBe(false);
    await stage.turns.take({ workspaceId });
    expect(await stage.isAdmitted(second.id)).toBe(true);
  });

  test('an order does not wait for another run that is being cancelled, which it could let start', async () => {
    const { secret, workspaceId } = await stage.account();
    const first = await stage.order(secret, of('a'));
    const second = await stage.order(secret, of('a'));
    await stage.finish(first.id);
    const cancelling = await stage.db.pool.connect();
    try {
      // A cancellation locks the run, and then the account, which the order has locked.
      await cancelling.query('begin');
      await cancelling.query('select from runs where id = $1 for update', [second.id]);
      const third = await stage.order(secret, of('a'));
      expect(third.queue).toMatchObject({ waits_for: 'concurrency', position: 2 });
    } finally {
      await cancelling.query('rollback');
      cancelling.release();
    }
    await stage.turns.take({ workspaceId });
    expect(await stage.admittedOf(workspaceId)).toEqual([second.id]);
  });

  test('the upkeep deletes places in portions', async () => {
    const { secret } = await stage.account();
    const runs = [
      await stage.order(secret, of('a')),
      await stage.order(secret, of('b')),
      await stage.order(secret, of('c')),
    ];
    await prunePlaces(stage.db.everywhere);
    for (const { id } of runs) await stage.finish(id);
    let statements = 0;
    const counted = Object.assign(Object.create(stage.db.everywhere) as typeof stage.db.everywhere, {
      statement: (work: Parameters<typeof stage.db.everywhere.statement>[0]) => {
        statements += 1;
        return stage.db.everywhere.statement(work);
      },
    });
    expect(await prunePlaces(counted, 2)).toBe(3);
    expect(statements).toBe(2);
  });

  test('the upkeep leaves places alone that another transaction is about to delete', async () => {
    const { secret } = await stage.account();
    const run = await stage.order(secret, of('a'));
    await stage.finish(run.id);
    const leaving = await stage.db.pool.connect();
    try {
      await leaving.query('begin');
      await leaving.query('select from flow_places where run_id = $1 for update', [run.id]);
      await prunePlaces(stage.db.everywhere);
    } finally {
      await leaving.query('rollback');
      leaving.release();
    }
    const placesOf = () => stage.db.pool.query('select from flow_places where run_id = $1', [run.id]);
    expect((await placesOf()).rowCount).toBe(1);
    await prunePlaces(stage.db.everywhere);
    expect((await placesOf()).rowCount).toBe(0);
  });
});
