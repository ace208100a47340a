import { afterAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { RUN_WORKFLOW } from '../../../contracts/run.ts';
import { ensureSearchAttributes } from '../../../worker/namespace.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { read, setRunRouteStage } from '../../support/runRouteStage.ts';

const temporal = await startTestTemporal();
const connection = await Connection.connect({ address: temporal.address });
const client = new Client({ connection, namespace: temporal.namespace });
await ensureSearchAttributes(connection, temporal.namespace);
const stage = await setRunRouteStage({ env: { TEMPORAL_ADDRESS: temporal.address } });
afterAll(async () => {
  await stage.close();
  await connection.close();
  await temporal.stop();
});

/** The notifications that the run's row has recorded for its workflow. */
async function toldOf(id: string): Promise<{ started: boolean; cancelled: boolean }> {
  const { rows } = await stage.db.pool.query(TOLD, [id]);
  return rows[0];
}

const isStarted = (id: string) => until(async () => (await toldOf(id)).started);

test('a created run has a workflow with its own id and search attributes', async () => {
  const { id, version } = await stage.create();
  await isStarted(id);
  const { type, searchAttributes } = await client.workflow.getHandle(id).describe();
  expect(type).toBe(RUN_WORKFLOW);
  expect(searchAttributes).toMatchObject({
    LedgerlineWorkspace: [stage.mine.workspaceId],
    LedgerlineAgent: ['ledgerline/writer'],
    LedgerlineVersion: [version],
    LedgerlineKeyPrefix: [stage.mine.secret.slice(0, 12)],
  });
});

test('the process reports whether Temporal is reachable', async () => {
  const stateAt = async (url: string) => (await (await fetch(`${url}/readyz`)).json()) as { temporal: string };
  await stage.create();
  await until(async () => (await stateAt(stage.api.url)).temporal === 'reachable');
  const other = await stage.startAnother({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  await until(async () => (await stateAt(other.url)).temporal === 'away');
});

test('a delayed run has a workflow that begins later', async () => {
  const { id } = await stage.create({ start_after_seconds: 3_600 });
  await isStarted(id);
  const { raw } = await client.workflow.getHandle(id).describe();
  const delaySeconds = Number(raw.workflowExecutionInfo?.executionTime?.seconds) - Date.now() / 1000;
  expect(delaySeconds).toBeGreaterThan(3_500);
});

test('a run that waits for its session has no workflow', async () => {
  const { session_id } = await stage.create();
  const { id } = await stage.create({ session_id, if_session_busy: 'enqueue' });
  const later = await stage.create();
  await isStarted(later.id);
  expect((await toldOf(id)).started).toBe(false);
  await expect(client.workflow.getHandle(id).describe()).rejects.toMatchObject({ name: 'WorkflowNotFoundError' });
});

test("a cancelled run's workflow is cancelled, and one that has not begun ends", async () => {
  const [queued, later] = [await stage.create(), await stage.create({ start_after_seconds: 3_600 })];
  for (const { id } of [queued, later]) {
    await isStarted(id);
    await read(await stage.call(`/v1/runs/${id}/cancel`, { method: 'POST' }), 202);
    await until(async () => (await toldOf(id)).cancelled);
  }
  const events = await client.workflow.getHandle(queued.id).fetchHistory();
  expect(events.events!.some((event) => event.workflowExecutionCancelRequestedEventAttributes)).toBe(true);
  expect((await client.workflow.getHandle(later.id).describe()).status.name).toBe('TERMINATED');
});

test('the firing of a scheduled run is told that its run was cancelled while it waited', async () => {
  const { session_id } = await stage.create();
  const { id } = await stage.create({ session_id, if_session_busy: 'enqueue' });
  const workflowId = `firing of ${id}`;
  const firing = await client.workflow.start('scheduledRun', { workflowId, taskQueue: 'nobody' });
  await stage.db.pool.query(`update runs set source = 'schedule' where id = $1`, [id]);
  await stage.db.pool.query(FIRED, [workflowId, stage.mine.workspaceId, id]);
  await read(await stage.call(`/v1/runs/${id}/cancel`, { method: 'POST' }), 202);
  const isTold = async () =>
    (await firing.fetchHistory()).events!.some((event) => event.workflowExecutionSignaledEventAttributes);
  await until(isTold);
});

const FIRED = `
insert into schedule_firings (id, schedule_id, workspace_id, workflow_id, scheduled_at, outcome, run_id)
values ($1, 'sched_1', $2, $1, now(), 'started', $3)`;

const TOLD = `select workflow_started_at is not null as started, cancel_delivered_at is not null as cancelled from runs where id = $1`;
