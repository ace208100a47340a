import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { orderErasure } from '../../db/erasure/erasures.ts';
import { ERASE_SCHEDULE_ID } from '../../workflows/contract.ts';
import { makeAccount } from '../support/account.ts';
import { type RunStage, setRunStage } from '../support/runStage.ts';
import { until } from '../support/until.ts';

let stage: RunStage;
beforeAll(async () => {
  stage = await setRunStage();
  await stage.startWorker();
}, 600_000);
afterAll(() => stage.close());

test('the worker erases a due workspace after the end of its runs, with their histories', async () => {
  const { db, client } = stage;
  const account = await makeAccount(db);
  const { workspaceId } = account;
  const ended = await stage.runToEnd({ account });
  const open = await stage.makeRun({ account, script: { fault: 'endless', delayMs: 50 } });
  await stage.workflows.start(open);
  await stage.untilEvent(open.id, 'run.step.started');
  await orderErasure(db.everywhere, { workspaceId, by: { keyId: null, requestId: 'req_test' } });
  await db.pool.query('update erasures set due_at = now() where workspace_id = $1', [workspaceId]);
  const state = async () =>
    (await db.pool.query('select erased_at is not null as done from erasures where workspace_id = $1', [workspaceId]))
      .rows[0].done as boolean;
  await until(
    async () => {
      await client.schedule.getHandle(ERASE_SCHEDULE_ID).trigger('SKIP');
      return state();
    },
    { timeoutMs: 120_000, pollMs: 500 },
  );
  expect(await stage.readRun(open.id)).toMatchObject({ status: 'cancelled', input: null });
  expect(await stage.eventsOf(ended.id)).toEqual([]);
  const isGone = ({ name }: Error) => name === 'WorkflowNotFoundError';
  const history = client.workflow.getHandle(ended.id);
  await until(() => history.describe().then(() => false, isGone));
}, 300_000);
