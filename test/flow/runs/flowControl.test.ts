import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { BATCH_WORKFLOW, batchStartOf } from '../../../contracts/batch.ts';
import { EVALUATION_WORKFLOW, evaluationStartOf } from '../../../contracts/evaluation.ts';
import { RUN_WORKFLOW, runStartOf } from '../../../contracts/run.ts';
import { WEBHOOK_WORKFLOW, webhookStartOf } from '../../../contracts/webhook.ts';
import { makeAccount } from '../../support/account.ts';
import { ask, told } from '../../support/guardStage.ts';
import { setRunStage } from '../../support/runStage.ts';
import { until } from '../../support/until.ts';
import { mostAtOnce } from './overlaps.ts';

const stage = await setRunStage();
await seedAgents(stage.db.everywhere);
await stage.startWorker();
const api = await stage.startApi();
afterAll(() => stage.close());

const order = async (secret: string, script: object, members: object = {}): Promise<RunObject> => {
  const input = told(script)[0]!.content;
  const body = JSON.stringify({ agent: 'ledgerline/writer', input, max_cost_usd: 0.05, ...members });
  const answer = await ask(api.url, '/v1/runs', { headers: { authorization: `Bearer ${secret}` }, body });
  expect(answer.status).toBe(202);
  return (await answer.json()) as RunObject;
};

const countCompleted = async (workspaceId: string): Promise<number> => {
  const query = `select count(*)::int as runs from runs where workspace_id = $1 and status = 'completed'`;
  return (await stage.db.pool.query(query, [workspaceId])).rows[0].runs as number;
};

test('twelve runs of one key follow each other, two at once, started by the ends of others', async () => {
  const { secret, workspaceId } = await makeAccount(stage.db);
  const concurrency = { key: 'a', limit: 2 };
  await Promise.all(
    Array.from({ length: 12 }, () => order(secret, { text: 'Done.', headDelayMs: 30 }, { concurrency })),
  );
  await until(async () => (await countCompleted(workspaceId)) === 12);
  expect(await mostAtOnce(stage.db.pool, workspaceId)).toBeLessThanOrEqual(2);
});

test('a burst of orders ends in one run with the last input', async () => {
  const { secret, workspaceId } = await makeAccount(stage.db);
  const debounce = { key: 'note', seconds: 2 };
  const runs: RunObject[] = [];
  for (const text of ['One.', 'Two.', 'Three.']) runs.push(await order(secret, { text }, { debounce }));
  await until(async () => (await countCompleted(workspaceId)) === 1);
  const { rows } = await stage.db.pool.query(
    `select id, output from runs where workspace_id = $1 and status = 'completed'`,
    [workspaceId],
  );
  expect(rows).toEqual([{ id: runs[2]!.id, output: [{ type: 'output_text', text: 'Three.' }] }]);
});

test('a run that a caller cancels while it runs lets the next one start', async () => {
  const { secret, workspaceId } = await makeAccount(stage.db);
  const concurrency = { key: 'a', limit: 1 };
  const first = await order(secret, { text: 'Slow.', headDelayMs: 60_000 }, { concurrency });
  await order(secret, { text: 'Next.' }, { concurrency });
  await until(async () => (await stage.readRun(first.id)).status === 'in_progress');
  const headers = { authorization: `Bearer ${secret}` };
  await ask(api.url, `/v1/runs/${first.id}/cancel`, { headers, body: '{}' });
  await until(async () => (await countCompleted(workspaceId)) === 1);
});

test('Temporal knows whose share batches, evaluations and webhooks take, webhooks after runs', async () => {
  const { workflow } = stage.client;
  const of = { id: randomUUID(), workspaceId: 'ws_share', agentId: 'agent_1' };
  const taskQueue = `share-${of.id}`;
  const handles = [
    await workflow.start(BATCH_WORKFLOW, { ...batchStartOf(of), taskQueue }),
    await workflow.start(EVALUATION_WORKFLOW, { ...evaluationStartOf(of), taskQueue }),
  ];
  for (const handle of handles) {
    const { raw } = await handle.describe();
    expect(raw.workflowExecutionInfo?.priority).toMatchObject({ fairnessKey: 'ws_share' });
    await handle.terminate();
  }
  for (const [pace, priorityKey] of [
    ['usual', 4],
    ['flood', 5],
  ] as const) {
    const delivery = webhookStartOf({ workspaceId: 'ws_share', eventId: `evt_${of.id}`, endpointId: pace }, pace);
    const handle = await workflow.start(WEBHOOK_WORKFLOW, { ...delivery, taskQueue });
    const { raw } = await handle.describe();
    expect(raw.workflowExecutionInfo?.priority).toMatchObject({ priorityKey, fairnessKey: 'ws_share' });
    await handle.terminate();
  }
});

test('Temporal knows the priority of a run, and hands out urgent ones first', async () => {
  const { client } = stage;
  const taskQueue = `order-${randomUUID()}`;
  const started: string[] = [];
  for (const priority of [-600, 0, 600, 1]) {
    const run = { ...(await stage.makeRun()), priority };
    await client.workflow.start(RUN_WORKFLOW, { ...runStartOf(run, { keyPrefix: '', delayMs: 0 }), taskQueue });
    started.push(run.id);
  }
  const { workspace_id: workspaceId } = await stage.readRun(started[0]!);
  const { raw } = await client.workflow.getHandle(started[0]!).describe();
  expect(raw.workflowExecutionInfo?.priority).toMatchObject({ priorityKey: 5, fairnessKey: workspaceId });
  const taken: string[] = [];
  for (const _ of started) {
    const request = { namespace: client.options.namespace, taskQueue: { name: taskQueue }, identity: 'test' };
    const { workflowExecution } = await client.withDeadline(Date.now() + 60_000, () =>
      client.workflowService.pollWorkflowTaskQueue(request),
    );
    taken.push(workflowExecution!.workflowId!);
  }
  const [last, third, first, second] = started;
  expect(taken).toEqual([first, second, third, last]);
  for (const id of started) await client.workflow.getHandle(id).terminate();
});
