import { expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { readKeyIds } from '../../../base/keyRings.ts';
import { createPayloadCodec } from '../../../base/payloadCodec.ts';
import { createSealingKey } from '../../../db/sealing/sealingKeys.ts';
import { startChild } from '../../../ops/stack/process/child.ts';
import { ownerUrlOf, withClient } from '../../support/database.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { both, expectedRows, openRows } from './rotatedRows.ts';
import { CONTENTS, setRotateStage } from './rotateStage.ts';

const { stage, rotate, asOwner, letTimePass } = setRotateStage();

test('a command that is killed in the middle is repeated, and moves the rest', async () => {
  const { databaseUrl, db, rows, before, after } = stage;
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: '/nonexistent', ...both(after, before) };
  const child = await withClient(ownerUrlOf(databaseUrl), async (owner) => {
    // It waits for this row, in the second portion.
    await owner.query(`begin; select from request_contents where request_id = 'req_00110' for update`);
    const args = ['ops/admin/main.ts', 'keys', 'rotate'];
    const none = () => {};
    const started = await startChild({
      command: process.execPath,
      args,
      env,
      onStdout: none,
      onStderr: none,
      stopSignal: 'SIGTERM',
    });
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like 'update request_contents%'`;
    await until(async () => (await asOwner(waits)).rowCount === 1, { timeoutMs: 60_000, pollMs: 20 });
    process.kill(started.pid, 'SIGKILL');
    await started.exited;
    return started;
  });
  await child.stop(1_000);
  // Some rows are sealed with each key. Until `--finish` both keys open them.
  const [old] = readKeyIds({ ...before }, ['CONTENTS_KEY']).CONTENTS_KEY!;
  const refused = await rotate(both(after, before), '--finish');
  // The database may have carried out the statement that waited.
  expect(refused.stdout).toMatch(new RegExp(`CONTENTS_KEY ${old}: it sealed (10|9) contents of calls`));
  expect(refused.stdout).toContain('it was not run to its end');
  expect(await openRows(db, both(after, before), rows)).toEqual(expectedRows(CONTENTS));
  expect(await openRows(db, both(before, after), rows)).toEqual(expectedRows(CONTENTS));
  expect((await rotate(both(after, before))).exitCode).toBe(0);
  expect(await openRows(db, after, rows)).toEqual(expectedRows(CONTENTS));
  // Repeated, it makes no second version and no second signing key.
  const { rows: made } = await db.pool.query(
    `select (select count(*)::int from secret_versions) as versions, (select count(*)::int from bill_keys) as "billKeys"`,
  );
  expect(made).toEqual([{ versions: 2, billKeys: 2 }]);
});

test('a key of Temporal is needed until the workflows from before have gone, and schedules move', async () => {
  const { before, after } = stage;
  const temporal = await startTestTemporal();
  const [old, current] = [createSealingKey(), createSealingKey()];
  const withKey = (TEMPORAL_PAYLOAD_KEY: string) => ({
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_PAYLOAD_KEY,
    ...after,
  });
  const connection = await Connection.connect({ address: temporal.address });
  const clientOf = (keys: string) =>
    new Client({ connection, dataConverter: { payloadCodecs: [createPayloadCodec(keys)] } });
  const { workflow, schedule } = clientOf(old);
  const action = { type: 'startWorkflow', workflowType: 'kept', taskQueue: 'none', args: ['secret'] } as const;
  await schedule.create({ scheduleId: 'kept', spec: { intervals: [{ every: '30d' }] }, action });
  const running = await workflow.start('kept', { workflowId: 'kept', taskQueue: 'none', args: ['secret'] });
  await until(async () => (await workflow.count()).count === 1);
  await rotate(both(after, before));
  await rotate(withKey(`${current},${old}`));
  const described = await clientOf(current).schedule.getHandle('kept').describe();
  expect(described.action).toMatchObject({ args: ['secret'] });
  await letTimePass();
  await rotate(withKey(`${current},${old}`));
  const refused = await rotate(withKey(`${current},${old}`), '--finish');
  expect(refused.stdout).toMatch(/TEMPORAL_PAYLOAD_KEY \w{8}: Temporal keeps 1 workflows from before \d{4}-/);
  // As the server forgets an ended one after its retention.
  await running.terminate();
  const workflowExecution = { workflowId: 'kept' };
  await connection.workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution });
  await until(async () => (await workflow.count()).count === 0);
  const finished = await rotate(withKey(`${current},${old}`), '--finish');
  expect(finished.stdout).toContain('Remove from TEMPORAL_PAYLOAD_KEY');
  await connection.close();
  await temporal.stop();
});
