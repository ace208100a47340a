import { afterAll, expect, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { createScheduleActivities } from '../../activities/schedules.ts';
import { newId } from '../../db/ids.ts';
import { revokeKey } from '../../db/keys/keyStore.ts';
import { LedgerUnavailable } from '../../db/postgres/ledgerUnavailable.ts';
import { insertProject, updateProject } from '../../db/projects/projects.ts';
import { insertSchedule } from '../../db/schedules/schedules.ts';
import { makeAccount } from '../support/account.ts';
import { publishAgent, testModels } from '../support/agent.ts';
import { setTestDatabase } from '../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const ignore = () => {};
const ignoreLater = () => Promise.resolve();

/** A schedule of the account, and a firing of it. */
async function makeFiring(account: Awaited<ReturnType<typeof makeAccount>>, { ledger = db.ledger, attempt = 1 } = {}) {
  const agent = await publishAgent(db, {}, { workspaceId: newId('ws') });
  const id = newId('sched');
  await insertSchedule(db.write(account.workspaceId), {
    id,
    by: { keyId: account.keyId, requestId: 'req_test' },
    pause: null,
    name: null,
    run: { agent, input: 'Hello.' },
    cron: null,
    timezone: 'UTC',
    everySeconds: 3_600,
    jitterSeconds: 0,
    startAt: null,
    endAt: null,
    overlap: 'skip',
    catchupWindowSeconds: 60,
    remainingRuns: null,
    pauseAfterMisses: 3,
  });
  const { fireSchedule } = createScheduleActivities({
    db,
    workflows: { cancel: ignoreLater },
    orders: { db: { ...db, ledger }, agentModels: testModels, config: { openRunsMax: 10, webhookLoopback: false } },
    runStarter: { start: ignore, cancel: ignore, turn: ignore },
    schedules: {
      temporal: {
        sync: () => Promise.resolve(0),
        reconcile: () => Promise.resolve(0),
        fireAt: ignoreLater,
        timesBetween: () => Promise.resolve([]),
      },
    },
  });
  const fired = { scheduleId: id, workflowId: `schedule/${id}-1`, scheduledAt: '2026-01-01T00:00:00Z' };
  const context = { info: { attempt }, log: { warn: ignore, error: ignore } } as unknown as Context;
  return { id, fire: () => asyncLocalStorage.run(context, () => fireSchedule(fired)) };
}

test('a firing whose run exists has started, even if its key was revoked before that was recorded', async () => {
  const account = await makeAccount(db);
  const { id, fire } = await makeFiring(account);
  const first = await fire();
  expect(first).toMatchObject({ outcome: 'started' });
  await db.pool.query('update schedule_firings set outcome = null where schedule_id = $1', [id]);
  await revokeKey(db, account.keyId);
  expect(await fire()).toEqual(first);
});

test('a firing is not lost to a ledger that cannot be reached, however long that was', async () => {
  let asked = 0;
  const holdRunPatiently: typeof db.ledger.holdRunPatiently = (...args) =>
    (asked += 1) === 1
      ? Promise.reject(new LedgerUnavailable('the lease could not be renewed'))
      : db.ledger.holdRunPatiently(...args);
  const account = await makeAccount(db);
  const { fire } = await makeFiring(account, { ledger: { ...db.ledger, holdRunPatiently }, attempt: 20 });
  await expect(fire()).rejects.toThrow(LedgerUnavailable);
  expect(await fire()).toMatchObject({ outcome: 'started' });
});

test('a firing without a run says whether its key has ended or the project of the key is archived', async () => {
  const [ended, archived] = [await makeAccount(db), await makeAccount(db)];
  await revokeKey(db, ended.keyId);
  const by = { keyId: null, requestId: 'req_test' };
  const rows = db.write(archived.workspaceId);
  const project = { id: newId('proj'), name: 'Shop', spendLimitNanos: null, spendLimitPeriod: null };
  await insertProject(rows, { ...project, by });
  await db.pool.query('update api_keys set project_id = $2 where id = $1', [archived.keyId, project.id]);
  await updateProject(rows, project.id, { change: { isArchived: true }, by });
  const missed = { outcome: 'missed' };
  expect(await (await makeFiring(ended)).fire()).toMatchObject({ ...missed, code: 'invalid_api_key' });
  const firing = await makeFiring(archived);
  expect(await firing.fire()).toMatchObject({ ...missed, code: 'project_archived' });
  const [schedule] = (await db.pool.query('select pause_reason from schedules where id = $1', [firing.id])).rows;
  expect(schedule).toEqual({ pause_reason: 'key' });
});
