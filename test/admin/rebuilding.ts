import { expect } from '@jest/globals';
import { Client } from 'pg';
import { ownerUrlOf } from '../support/database.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import type { RunStage } from '../support/runStage.ts';
import { runAdmin } from './runAdmin.ts';

/** Ways through a run that a rebuild meets: each kind of end, of pause and of retry. The drill plays all others too. */
export const quickScenarios =
  'completed fileWritten costLimit limitRaised questionsInTurn modelComesBack modelBreaks answerEmpty cancelledGracefully agentSuspended'.split(
    ' ',
  );

/** Loses the rows of a run that has ended, and fails unless a rebuild brings all of them back as they were. */
export async function expectRebuilt(stage: RunStage, runId: string): Promise<void> {
  const before = await rowsOf(stage, runId);
  await loseRows(stage, runId);
  const env = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: stage.temporal.address };
  const { exitCode, stderr } = await runAdmin(['runs', 'rebuild', runId], env);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(await rowsOf(stage, runId)).toEqual(before);
  await expectSoundLedger(stage.db);
}

/** What a history carries of a run, as the rows tell it. Times as the history has them. */
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

/** Loses everything that the history carries, as no role of the platform could. */
async function loseRows(stage: RunStage, runId: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  await owner.connect();
  // What was said and made is content: it is in the database alone.
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
