import { afterAll, expect, test } from '@jest/globals';
import { orderErasure } from '../../db/erasure/erasures.ts';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { insertAgent } from '../../db/publishing/publisherAgents.ts';
import { submitDraft } from '../../db/publishing/submit.ts';
import { newId } from '../../db/ids.ts';
import { createBatchWorkflows, createReviewWorkflows, createWebhookWorkflows } from '../../worker/workflows.ts';
import { draft } from '../db/publishing/publishingStage.ts';
import { ERASE_SCHEDULE_ID, ERASE_WORKFLOW } from '../../contracts/erasure.ts';
import { RECONCILE_WORKFLOW } from '../../contracts/payments.ts';
import { PLUGIN_SIGN_IN_WORKFLOW, pluginSignInStartOf } from '../../contracts/pluginSignIn.ts';
import { RUN_SEARCH_ATTRIBUTES } from '../../contracts/start.ts';
import { CHECK_WORKFLOW, SIGN_WORKFLOW, SWEEP_WORKFLOW } from '../../contracts/sweep.ts';
import { testModels } from '../support/agent.ts';
import { makeAccount } from '../support/account.ts';
import { setRunStage } from '../support/runStage.ts';
import { until } from '../support/until.ts';

const stage = await setRunStage();
await stage.startWorker();
afterAll(() => stage.close());

/** Orders the erasure of a workspace, and waits for it. */
async function erase(workspaceId: string): Promise<void> {
  const { db, client } = stage;
  await orderErasure(db.everywhere, { workspaceId, by: { keyId: null, requestId: 'req_test' } });
  await db.pool.query('update erasures set due_at = now() where workspace_id = $1', [workspaceId]);
  const sql = 'select erased_at is not null as done from erasures where workspace_id = $1';
  await until(
    async () => {
      await client.schedule.getHandle(ERASE_SCHEDULE_ID).trigger('SKIP');
      return (await db.pool.query<{ done: boolean }>(sql, [workspaceId])).rows[0]!.done;
    },
    { timeoutMs: 120_000, pollMs: 500 },
  );
}

// The platform's own workflows, which belong to no workspace.
const OWN = [SWEEP_WORKFLOW, CHECK_WORKFLOW, RECONCILE_WORKFLOW, SIGN_WORKFLOW, ERASE_WORKFLOW];

/** The types of the workflows that a query finds, except for the platform's. */
async function typesOf(query: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of stage.client.workflow.list({ query })) if (!OWN.includes(type)) types.push(type);
  return types.toSorted();
}

/** Submits an agent of the workspace, and starts its review. */
async function submit(workspaceId: string): Promise<void> {
  const { db, client } = stage;
  const rows = db.write(workspaceId);
  const namespace = `space-${newId('n').slice(2).toLowerCase()}`;
  const made = await insertAgent(rows, { namespace, slug: 'poet', draft: { ...draft, tools: [] } });
  if (made.outcome !== 'created') throw new Error(made.outcome);
  const deploymentId = newId('dep');
  const order = { agentId: made.agentId, revision: null, visibility: 'public' as const, deploymentId };
  const models = { ...testModels, costsOf: () => ({}) };
  await submitDraft(rows, { ...order, tools: new Set<string>(), models, submissionsPerDayMax: 1 });
  await createReviewWorkflows(client, db).start(deploymentId);
}

test('an erasure leaves no workflow behind, running ones included', async () => {
  const { db, client } = stage;
  await seedAgents(db.everywhere);
  const account = await makeAccount(db);
  const { workspaceId } = account;
  await stage.runToEnd({ account });
  await submit(workspaceId);
  const delivery = { eventId: 'evt_1', endpointId: 'whe_1', workspaceId };
  await createWebhookWorkflows(client).start(delivery, { isAgain: false });
  // No worker validates it: it runs until it is deleted.
  await createBatchWorkflows(client).start({ id: newId('batch'), workspaceId });
  for (const part of ['begin', 'finish'] as const)
    await client.workflow.start(
      PLUGIN_SIGN_IN_WORKFLOW,
      pluginSignInStartOf({ part, attemptId: newId('att') }, workspaceId),
    );
  const own = `${RUN_SEARCH_ATTRIBUTES.workspace} = '${workspaceId}'`;
  const expected = ['batch', 'pluginSignIn', 'pluginSignIn', 'review', 'run', 'run', 'webhook'];
  // The run of a trial has the attribute of its publisher.
  await until(async () => {
    const types = await typesOf(own);
    return expected.every(
      (type) => types.filter((one) => one === type).length >= expected.filter((one) => one === type).length,
    );
  });
  expect(await typesOf(`${RUN_SEARCH_ATTRIBUTES.workspace} IS NULL`)).toEqual([]);
  await erase(workspaceId);
  await until(async () => (await typesOf(own)).length === 0, { timeoutMs: 200_000, pollMs: 250 });
});

test('the worker erases a due workspace after the end of its runs, with their histories', async () => {
  const { db, client } = stage;
  const account = await makeAccount(db);
  const { workspaceId } = account;
  const ended = await stage.runToEnd({ account });
  const open = await stage.makeRun({ account, script: { fault: 'endless', delayMs: 50 } });
  await stage.workflows.start(open);
  await stage.untilEvent(open.id, 'run.step.started');
  await erase(workspaceId);
  expect(await stage.readRun(open.id)).toMatchObject({ status: 'cancelled', input: null });
  expect(await stage.eventsOf(ended.id)).toEqual([]);
  const isGone = ({ name }: Error) => name === 'WorkflowNotFoundError';
  const history = client.workflow.getHandle(ended.id);
  await until(() => history.describe().then(() => false, isGone));
});
