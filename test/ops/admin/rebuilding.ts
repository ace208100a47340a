import { expect } from '@jest/globals';
import { Client } from 'pg';
import { ownerUrlOf } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import type { RunStage } from '../../support/runStage.ts';
import { runAdmin } from './runAdmin.ts';

/** Paths through a run that a rebuild must restore: each kind of end and pause. The drill also plays all others. */
export const quickScenarios = `
  completed fileWritten costLimit limitRaised questionsInTurn cancelledGracefully agentSuspended rerunFromTool agentCalled stepsJoined`
  .trim()
  .split(/\s+/);

/** Deletes the rows of an ended run, and fails unless a rebuild restores all of them. */
export async function expectRebuilt(stage: RunStage, runId: string): Promise<void> {
  const before = await rowsOf(stage, runId);
  await loseRows(stage, runId);
  const env = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: stage.temporal.address };
  const { exitCode, stderr } = await runAdmin(['runs', 'rebuild', runId], env);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(await rowsOf(stage, runId)).toEqual(before);
  await expectSoundLedger(stage.db);
}

/** The part of a run that its history contains, read from the rows. Times in the history's precision. */
export async function rowsOf(stage: RunStage, runId: string) {
  const read = async (text: string) => (await stage.db.pool.query(text, [runId])).rows as unknown[];
  return {
    run: await read(`select status, meters, subtotal_nanos, network_fee_nanos, total_nanos, absorbed_nanos, last_sequence,
      date_trunc('milliseconds', started_at) as started, date_trunc('milliseconds', completed_at) as completed,
      date_trunc('milliseconds', settled_at) as settled from runs where id = $1`),
    meters: await read(
      'select step, meter, quantity_thousandths from run_meters where run_id = $1 and quantity_thousandths > 0 order by 1, 2',
    ),
    usage: await read(
      'select meter, unit, quantity_thousandths, cost_nanos from run_usage where run_id = $1 order by 1',
    ),
    events: await read(`select sequence, type, data, date_trunc('milliseconds', created_at) as at from run_events
      where run_id = $1 order by sequence`),
  };
}

/** Deletes all data that the history contains, with rights that no role of the platform has. */
async function loseRows(stage: RunStage, runId: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  await owner.connect();
  // Texts and results are content: only the database has them.
  const content = `('run.output_text.delta', 'run.output_text.done', 'run.output_file.created', 'run.output_data.done')`;
  await owner.query(`delete from run_events where run_id = $1 and type not in ${content}`, [runId]);
  await owner.query('delete from run_meters where run_id = $1', [runId]);
  await owner.query('delete from run_usage where run_id = $1', [runId]);
  await owner.query(
    `update runs set status = 'queued', meters = '{}', subtotal_nanos = 0, network_fee_nanos = 0, total_nanos = 0, absorbed_nanos = 0,
       last_sequence = 0, started_at = null, completed_at = null, settled_at = null where id = $1`,
    [runId],
  );
  await owner.end();
}
