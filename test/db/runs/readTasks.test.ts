import { afterAll, expect, test } from '@jest/globals';
import { readTasks } from '../../../db/runs/readTasks.ts';
import { beginRun } from '../../support/run.ts';
import { setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

test('a task that changes between two pages moves to the front, and the list goes on where it was', async () => {
  const { secret, workspaceId } = await stage.account();
  const ids: string[] = [];
  for (let made = 0; made < 3; made += 1) ids.unshift((await stage.create({}, { key: secret })).id);
  const filter = { agent: null, sessionId: null, statuses: null, changedAfter: null, limit: 1 };
  const page = (after: string | null) => readTasks(stage.db.read(workspaceId), { ...filter, after });
  const first = await page(null);
  await beginRun(stage.db.pool, ids[0]!);
  const second = await page(first.next);
  const third = await page(second.next);
  expect([first, second, third].map(({ runs }) => runs.map(({ id }) => id))).toEqual(ids.map((id) => [id]));
  expect([second.total, third.next]).toEqual([3, null]);
});
