import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ownerUrlOf } from '../support/database.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import type { RunStage } from '../support/runStage.ts';
import { setSandboxedRunStage } from '../support/sandboxedRunStage.ts';
import { scenarios } from '../workflows/scenarios.ts';
import { runAdmin } from './runAdmin.ts';

let stage: RunStage;

beforeAll(async () => {
  stage = await setSandboxedRunStage();
}, 600_000);
afterAll(() => stage?.close());

/** What a history carries of a run, as the rows tell it. Times as the history has them. */
async function rowsOf(runId: string) {
  const read = async (text: string) => (await stage.db.pool.query(text, [runId])).rows as unknown[];
  return {
    run: await read(`select status, meters, subtotal_nanos, network_fee_nanos, total_nanos, absorbed_nanos, last_sequence,
      date_trunc('milliseconds', started_at) as started, date_trunc('milliseconds', completed_at) as completed,
      date_trunc('milliseconds', settled_at) as settled from runs where id = $1`),
    meters: await read('select step, meter, quantity_thousandths from run_meters where run_id = $1 order by 1, 2'),
    usage: await read(
      'select meter, unit, quantity_thousandths, cost_nanos from run_usage where run_id = $1 order by 1',
    ),
    events: await read(`select sequence, type, data, date_trunc('milliseconds', created_at) as at from run_events
      where run_id = $1 order by sequence`),
  };
}

/** Loses everything that the history carries, as no role of the platform could. */
async function loseRows(runId: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  await owner.connect();
  const carried = `('run.in_progress', 'run.step.started', 'run.step.completed', 'run.usage.updated', 'run.budget.warning',
    'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached')`;
  await owner.query(`delete from run_events where run_id = $1 and type in ${carried}`, [runId]);
  await owner.query('delete from run_meters where run_id = $1', [runId]);
  await owner.query('delete from run_usage where run_id = $1', [runId]);
  await owner.query(
    `update runs set status = 'queued', meters = '{}', subtotal_nanos = 0, network_fee_nanos = 0, total_nanos = 0, absorbed_nanos = 0,
       last_sequence = 2, started_at = null, completed_at = null, settled_at = null where id = $1`,
    [runId],
  );
  await owner.end();
}

test.each([
  'completed',
  'minimumCost',
  'toolsTogether',
  'fileWritten',
  'codeRun',
  'costLimit',
  'cancelledWhileThinking',
  'stepsLimit',
])('what a history carries of a run is rebuilt from it as it was (%s)', async (name) => {
  const { id } = await scenarios[name]!.play(stage);
  const before = await rowsOf(id);
  await loseRows(id);
  const env = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: stage.temporal.address };
  const { exitCode, stderr } = await runAdmin(['runs', 'rebuild', id], env);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(await rowsOf(id)).toEqual(before);
  await expectSoundLedger(stage.db);
});

test('a run whose rows are whole is left as it is', async () => {
  const { id } = await scenarios.completed!.play(stage);
  const before = await rowsOf(id);
  const env = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: stage.temporal.address };
  const { stdout } = await runAdmin(['runs', 'rebuild', id, '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({
    run_id: id,
    status_was: 'completed',
    status: 'completed',
    events: 0,
    usage: 0,
  });
  expect(await rowsOf(id)).toEqual(before);
});
