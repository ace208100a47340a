import { afterAll, expect, test } from '@jest/globals';
import { removeRun, pruneRuns } from '../../../db/runs/removeRun.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { beginRun, delta, finishTestRun, makeRun, addEvents } from '../../support/run.ts';

const db = await setTestDatabase();
const account = await makeAccount(db);
afterAll(() => db.close());

/** A run with output, ended unless `isOpen`. */
async function spokenRun({ isOpen = false } = {}): Promise<string> {
  const run = await makeRun(db, account);
  await beginRun(db.pool, run.id);
  await addEvents(db, run.id, delta('secret'));
  const output = JSON.stringify([{ type: 'output_text', text: 'secret' }]);
  await db.pool.query('update runs set output = $2 where id = $1', [run.id, output]);
  await db.pool.query(`update run_steps set result = '{"text":"secret"}', state = 'completed' where run_id = $1`, [
    run.id,
  ]);
  if (!isOpen) await finishTestRun(db, run, { subtotalNanos: 100n, networkFeeNanos: 10n });
  return run.id;
}

const age = (runId: string, days: number) =>
  db.pool.query(`update runs set settled_at = settled_at - $2 * interval '1 day' where id = $1`, [runId, days]);

async function keptOf(runId: string) {
  const { rows } = await db.pool.query(
    `select r.input, r.output, r.total_nanos::int as total, (select count(*)::int from run_steps s where s.run_id = r.id) as steps,
       (select count(*)::int from run_events e where e.run_id = r.id) as events,
       (select sum(cost_nanos)::int from run_usage u where u.run_id = r.id) as billed
     from runs r where r.id = $1`,
    [runId],
  );
  return rows[0] as Record<string, unknown>;
}

test('the content of a run is deleted thirty days after its end; its cost stays', async () => {
  const [old, young, open] = [await spokenRun(), await spokenRun(), await spokenRun({ isOpen: true })];
  await age(old, 31);
  await age(young, 29);
  expect(await pruneRuns(db.everywhere)).toBe(1);
  expect(await pruneRuns(db.everywhere)).toBe(0);
  expect(await keptOf(old)).toMatchObject({ input: null, output: [], steps: 0, total: 110, billed: 100 });
  for (const id of [young, open])
    expect(await keptOf(id)).toMatchObject({ input: 'hello', output: [{ text: 'secret' }], steps: 1 });
  await expectSoundLedger(db);
});

test('an ended run can be deleted by its workspace only, once', async () => {
  const id = await spokenRun();
  const mine = { workspaceId: account.workspaceId, runId: id };
  expect(await removeRun(db.write('ws_other'), mine.runId)).toEqual({ outcome: 'not_found' });
  expect(await removeRun(db.write(mine.workspaceId), mine.runId)).toEqual({ outcome: 'deleted' });
  expect(await removeRun(db.write(mine.workspaceId), mine.runId)).toEqual({ outcome: 'not_found' });
  expect(await keptOf(id)).toEqual({ input: null, output: [], steps: 0, events: 0, total: 110, billed: 100 });
  await expectSoundLedger(db);
});

test('a run that has not ended is not deleted', async () => {
  const runId = await spokenRun({ isOpen: true });
  const { workspaceId } = account;
  expect(await removeRun(db.write(workspaceId), runId)).toEqual({ outcome: 'not_terminal', status: 'in_progress' });
  expect(await keptOf(runId)).toMatchObject({ input: 'hello', steps: 1 });
});
