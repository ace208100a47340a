import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ensureSchedules } from '../../worker/namespace.ts';
import { readLedgerProof } from '../../db/invariants/ledgerChecks.ts';
import { revokeKey } from '../../db/keys/keyStore.ts';
import { childRunIdOf } from '../../db/runs/childRuns.ts';
import { expectSoundLedger, openHoldsOf } from '../support/ledger.ts';
import { calling, makeCaller } from '../workflows/childScenarios.ts';
import { ARCHIVE_SCHEDULE_ID } from '../../contracts/archive.ts';
import { ERASE_SCHEDULE_ID } from '../../contracts/erasure.ts';
import { RECONCILE_SCHEDULE_ID } from '../../contracts/payments.ts';
import { TASK_QUEUE } from '../../contracts/start.ts';
import {
  CHECK_SCHEDULE_ID,
  CHECK_WORKFLOW,
  SIGN_SCHEDULE_ID,
  SWEEP_SCHEDULE_ID,
  SWEEP_WORKFLOW,
} from '../../contracts/sweep.ts';
import { ownerUrlOf } from '../support/database.ts';
import { setRunStage } from '../support/runStage.ts';
import { until } from '../support/until.ts';

// The server may have to be obtained first.
const stage = await setRunStage();
await stage.startWorker();

afterAll(() => stage.close());

/** With all rights on the database, and triggers disabled. */
async function withOwner(sql: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  await owner.connect();
  await owner.query(`set session_replication_role = replica; ${sql}`);
  await owner.end();
}

const statusOf = async (runId: string) => (await stage.readRun(runId)).status;

/** Moved back in time, so that the process that should have notified the workflow counts as dead. */
const age = (runId: string, column: string, by: string) =>
  stage.db.pool.query(`update runs set ${column} = ${column} - interval '${by}' where id = $1`, [runId]);

test('the scheduled sweep ends holds of a dead process, and starts a run that was not started', async () => {
  const { pool } = stage.db;
  await pool.query(`insert into processes (id, lease_until) values ('dead', now() - interval '1 hour')`);
  const run = await stage.makeRun();
  await age(run.id, 'created_at', '1 minute');
  await until(async () => (await statusOf(run.id)) === 'completed', { timeoutMs: 200_000, pollMs: 50 });
  const { rows } = await pool.query(`select reaped_at is not null as reaped from processes where id = 'dead'`);
  expect(rows).toEqual([{ reaped: true }]);
});

const sweeper = () => stage.client.workflow.list({ query: `WorkflowType = '${SWEEP_WORKFLOW}'` });

test('one workflow sweeps, in one activity for many sweeps', async () => {
  const names = async () => {
    const ids: string[] = [];
    for await (const { workflowId } of sweeper()) ids.push(workflowId);
    expect(ids.length).toBeLessThanOrEqual(1);
    if (ids.length === 0) return [];
    const { events } = await stage.client.workflow.getHandle(ids[0]!).fetchHistory();
    return events!.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
  };
  await until(async () => (await names()).length > 0, { timeoutMs: 200_000, pollMs: 200 });
  // Another run is started by a later sweep of the same activity.
  const run = await stage.makeRun();
  await age(run.id, 'created_at', '1 minute');
  await until(async () => (await statusOf(run.id)) === 'completed', { timeoutMs: 200_000, pollMs: 50 });
  expect(await names()).toEqual(['sweepLoop']);
});

test('the schedule starts the sweeping workflow again when an operator has ended it', async () => {
  for await (const { workflowId } of sweeper())
    await stage.client.workflow.getHandle(workflowId).terminate('by an operator');
  const isRunning = async () => {
    for await (const { status } of sweeper()) if (status.name === 'RUNNING') return true;
    return false;
  };
  await until(isRunning, { timeoutMs: 200_000, pollMs: 200 });
});

test('a run whose workflow an operator terminated fails at the next sweep, and costs nothing', async () => {
  const run = await stage.makeRun({ script: { fault: 'endless', delayMs: 50 } });
  await stage.workflows.start(run);
  await until(async () => (await stage.eventsOf(run.id)).some(({ type }) => type === 'run.output_text.delta'));
  await stage.client.workflow.getHandle(run.id).terminate('by an operator');
  expect(await stage.workflows.stateOf(run.id)).toBe('terminated');
  await until(async () => (await statusOf(run.id)) === 'failed', { timeoutMs: 500_000, pollMs: 100 });
  expect(await stage.readRun(run.id)).toMatchObject({
    fault: 'platform',
    status_reason: 'run_terminated',
    total_nanos: '0',
  });
  expect((await stage.eventsOf(run.id)).at(-1)).toMatchObject({ type: 'run.failed' });
}, 600_000);

test('the sweep cancels the run that a terminated run has started', async () => {
  const run = await makeCaller(stage, (called) => calling(called, { fault: 'endless', delayMs: 50 }));
  await stage.workflows.start(run);
  const childId = childRunIdOf(run.id, 2);
  await stage.untilEvent(childId, 'run.output_text.delta');
  await stage.client.workflow.getHandle(run.id).terminate('by an operator');
  await until(async () => (await statusOf(run.id)) === 'failed', { timeoutMs: 500_000, pollMs: 100 });
  await until(async () => (await statusOf(childId)) === 'cancelled', { timeoutMs: 60_000, pollMs: 100 });
  expect(await openHoldsOf(stage.db, run.account_id)).toEqual({ nanos: 0n, count: 0 });
  await expectSoundLedger(stage.db);
}, 600_000);

test('the sweep cancels the runs of a revoked key: unstarted ones at no cost, running ones unless kept', async () => {
  const endless = { fault: 'endless' as const, delayMs: 50 };
  const live = await stage.makeRun({ script: endless });
  const kept = await stage.makeRun({ script: { text: 'Done.', headDelayMs: 8_000 } });
  const accountOf = (run: typeof live) => ({
    workspaceId: run.workspace_id,
    keyId: run.key_id,
    accountId: run.account_id,
  });
  const scheduled = [];
  for (const run of [live, kept]) {
    scheduled.push(await stage.makeRun({ account: accountOf(run), startAfterSeconds: 3_600 }));
    await stage.workflows.start(run);
    await stage.untilEvent(run.id, 'run.step.started');
  }
  for (const run of scheduled) await stage.workflows.start(run);
  await revokeKey(stage.db, live.key_id);
  await revokeKey(stage.db, kept.key_id, { keepsRuns: true });
  await until(async () => (await statusOf(live.id)) === 'cancelled', { timeoutMs: 60_000 });
  for (const { id } of scheduled) {
    await until(async () => (await statusOf(id)) === 'cancelled', { timeoutMs: 60_000 });
    expect(await stage.readRun(id)).toMatchObject({ started_at: null, total_nanos: '0' });
  }
  expect(await stage.endOf(kept.id)).toMatchObject({ status: 'completed' });
  await expectSoundLedger(stage.db);
});

test('Temporal keeps histories for thirty days', async () => {
  const { config } = await stage.client.workflowService.describeNamespace({ namespace: stage.temporal.namespace });
  expect(Number(config!.workflowExecutionRetentionTtl!.seconds)).toBe(30 * 24 * 3_600);
});

test('setting the schedules up again changes the schedules and adds none', async () => {
  await ensureSchedules(stage.client);
  await ensureSchedules(stage.client);
  const ids: string[] = [];
  for await (const schedule of stage.client.schedule.list()) ids.push(schedule.scheduleId);
  expect(ids.toSorted()).toEqual([
    ARCHIVE_SCHEDULE_ID,
    CHECK_SCHEDULE_ID,
    ERASE_SCHEDULE_ID,
    RECONCILE_SCHEDULE_ID,
    SIGN_SCHEDULE_ID,
    SWEEP_SCHEDULE_ID,
  ]);
  const { spec, policies } = await stage.client.schedule.getHandle(SWEEP_SCHEDULE_ID).describe();
  expect(spec.intervals).toMatchObject([{ every: 10_000 }]);
  expect(policies.overlap).toBe('SKIP');
});

test('the scheduled ledger check reports a changed entry with the violated rule', async () => {
  const schedule = stage.client.schedule.getHandle(CHECK_SCHEDULE_ID);
  expect((await schedule.describe()).spec.intervals).toMatchObject([{ every: 3_600_000 }]);
  const check = () =>
    stage.client.workflow.execute(CHECK_WORKFLOW, { taskQueue: TASK_QUEUE, workflowId: `check-${randomUUID()}` });
  await expect(check()).resolves.toMatchObject({ entries: expect.any(Number) as unknown });
  await withOwner(`update ledger_legs set created_at = created_at - interval '1 day' where kind = 'topup'`);
  await expect(check()).rejects.toMatchObject({
    cause: { cause: { type: 'LedgerViolated', message: expect.stringContaining('the hash chain holds') as unknown } },
  });
  const { checks } = await readLedgerProof(stage.db.everywhere, { checks: 9 });
  const broken = expect.objectContaining({ rule: expect.stringContaining('the hash chain holds') as unknown });
  expect(checks.map(({ violations }) => violations)).toEqual(
    expect.arrayContaining([[], expect.arrayContaining([broken])]),
  );
});
