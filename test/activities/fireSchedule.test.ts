import { afterAll, expect, test } from '@jest/globals';
import { createScheduleActivities } from '../../activities/schedules.ts';
import { newId } from '../../db/ids.ts';
import { revokeKey } from '../../db/keys/keyStore.ts';
import { insertSchedule } from '../../db/schedules/schedules.ts';
import { makeAccount } from '../support/account.ts';
import { publishAgent, testModels } from '../support/agent.ts';
import { setTestDatabase } from '../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const ignore = () => {};
const ignoreLater = () => Promise.resolve();

test('a firing whose run exists has started, even if its key was revoked before that was recorded', async () => {
  const account = await makeAccount(db);
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
    orders: { db, agentModels: testModels, config: { openRunsMax: 10, webhookLoopback: false } },
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
  const first = await fireSchedule(fired);
  expect(first).toMatchObject({ outcome: 'started' });
  await db.pool.query('update schedule_firings set outcome = null where schedule_id = $1', [id]);
  await revokeKey(db, account.keyId);
  expect(await fireSchedule(fired)).toEqual(first);
});
