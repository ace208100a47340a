import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { readWorkload } from '../../../db/accounting/workload.ts';
import { ownerUrlOf } from '../../support/database.ts';
import { makeSpender, openLedger } from '../../support/ledger.ts';
import { addEvents, beginRun, delta, finishTestRun, makeRun } from '../../support/run.ts';

const db = await openLedger();

const waiting = async (of: string) => (await readWorkload(db.everywhere)).backlog.find(({ kind }) => kind === of)!;
const overdue = () => waiting('overdue_runs');

/** The run began and had its last event so many minutes ago. */
async function age(runId: string, startedMinutes: number, eventMinutes: number, status = 'in_progress'): Promise<void> {
  await db.pool.query(`update runs set started_at = now() - make_interval(mins => $2), status = $3 where id = $1`, [
    runId,
    startedMinutes,
    status,
  ]);
  // Events are only added by the product's logins.
  const owner = new Client({ connectionString: ownerUrlOf(db.url) });
  await owner.connect();
  await owner.query(`update run_events set created_at = now() - make_interval(mins => $2) where run_id = $1`, [
    runId,
    eventMinutes,
  ]);
  await owner.end();
}

test('a run that should have ended waits to be done, of live money, and however long it waited for its caller', async () => {
  const { spender } = await makeSpender(db, {});
  const run = await makeRun(db, spender);
  expect(await overdue()).toMatchObject({ count: 0, ageSeconds: 0 });
  await beginRun(db.pool, run.id);
  await addEvents(db, run.id, delta('a'));
  // Its time limit is an hour, and a quarter is left for its end.
  await age(run.id, 200, 74);
  expect(await overdue()).toMatchObject({ count: 0 });
  await age(run.id, 200, 85);
  const late = await overdue();
  expect(late.count).toBe(1);
  expect(Math.round(late.ageSeconds / 60)).toBe(10);
  await age(run.id, 2_000, 1_450, 'requires_action');
  expect(await overdue()).toMatchObject({ count: 0 });
  await age(run.id, 2_000, 1_460, 'requires_action');
  expect(await overdue()).toMatchObject({ count: 1 });
  await age(run.id, 2_000, 85, 'cancelling');
  expect(await overdue()).toMatchObject({ count: 1 });
  await finishTestRun(db, run);
  expect(await overdue()).toMatchObject({ count: 0, ageSeconds: 0 });
});

test('a run of test money is never late for operators', async () => {
  const { spender } = await makeSpender(db, { isTest: true });
  const run = await makeRun(db, spender);
  await beginRun(db.pool, run.id);
  await age(run.id, 2_000, 2_000);
  expect(await overdue()).toMatchObject({ count: 0 });
});

test('a submission waits for an operator since it was made', async () => {
  const { spender } = await makeSpender(db, {});
  expect(await waiting('reviews')).toMatchObject({ count: 0, ageSeconds: 0 });
  await db.pool.query(
    `insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, created_at)
    values ('dep_1', $1, 'agent_1', 'ver_1', 'public', 'in_review', now() - interval '4 days')`,
    [spender.workspaceId],
  );
  const late = await waiting('reviews');
  expect([late.count, Math.round(late.ageSeconds / 3_600)]).toEqual([1, 96]);
  await db.pool.query(`update deployments set status = 'active' where id = 'dep_1'`);
  expect(await waiting('reviews')).toMatchObject({ count: 0 });
});
