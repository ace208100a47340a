import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { afterAll, expect, test } from '@jest/globals';
import { createRunSweep, type SweepDependencies } from '../../activities/sweepRuns.ts';
import { createUpkeep, type UpkeepDependencies } from '../../activities/upkeep.ts';
import { finishRun } from '../../db/runs/states/finishRun.ts';
import { markStarted } from '../../db/runs/states/pendingRuns.ts';
import { setTestDatabase } from '../support/database.ts';
import { beginRun, makeRun } from '../support/run.ts';
import { makeSpender } from '../support/ledger.ts';
import { TEST_ISSUER } from '../support/issuer.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** A run that has begun, and whose workflow was started a minute ago. */
async function begunRun(): Promise<string> {
  const { spender } = await makeSpender(db, { balanceNanos: 10_000n });
  const { id } = await makeRun(db, spender);
  await beginRun(db.pool, id);
  await db.pool.query(
    `update runs set workflow_started_at = now() - interval '1 minute', created_at = now() - interval '1 minute', rate_card = $2
     where id = $1`,
    [id, { meters: [], network_fee_percentage: 10 }],
  );
  return id;
}

type State = 'ended' | 'terminated' | 'unknown';

/** An upkeep and a sweep, with Temporal's answers about workflows; others are open. Returns the runs whose workflows were started. */
async function sweepWith(
  states: Record<string, State | (() => Promise<State>)>,
  onError: (...line: unknown[]) => void = () => {},
): Promise<string[]> {
  const started: string[] = [];
  const nothing = async () => 0;
  const services = {
    db,
    workflows: {
      stateOf: async (id: string) => {
        const state = states[id] ?? 'open';
        return typeof state === 'string' ? state : state();
      },
      start: async ({ id }: { id: string }) => {
        started.push(id);
        await markStarted(db.everywhere, id);
      },
      tellFiring: nothing,
      turn: nothing,
      listTerminated: async () => [],
      pruneSweeps: nothing,
    },
    mailer: { sendMail: nothing },
    issuer: TEST_ISSUER,
    unbilledKeptDays: 30,
    auditExports: {},
    payments: null,
    isStopping: () => false,
  };
  const log = { error: onError, warn: () => {} };
  const context = { heartbeat: () => {}, log } as unknown as Context;
  const dependencies = services as unknown as SweepDependencies & UpkeepDependencies;
  await asyncLocalStorage.run(context, createUpkeep(dependencies).upkeep);
  await asyncLocalStorage.run(context, createRunSweep(dependencies).sweepRuns);
  return started;
}

const readRun = async (id: string) =>
  (await db.pool.query('select status, error, settled_at from runs where id = $1', [id])).rows[0];

test('a run that Temporal does not know begins again; one whose workflow ended without it fails', async () => {
  const [lost, ended, running] = [await begunRun(), await begunRun(), await begunRun()];
  expect(await sweepWith({ [lost]: 'unknown', [ended]: 'ended' })).toEqual([lost]);
  expect(await readRun(lost)).toMatchObject({ status: 'in_progress', error: null, settled_at: null });
  expect(await readRun(running)).toMatchObject({ status: 'in_progress', error: null });
  expect(await readRun(ended)).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
});

test('a run that ends with its workflow while lost ones are looked for has lost nothing', async () => {
  const run = await begunRun();
  const errors: unknown[] = [];
  const endIt = async (): Promise<State> => {
    await finishRun(db, run, { status: 'limit_reached', limit: 'timeout' });
    return 'ended';
  };
  expect(await sweepWith({ [run]: endIt }, (...line: unknown[]) => void errors.push(line))).toEqual([]);
  expect(errors).toEqual([]);
  expect(await readRun(run)).toMatchObject({ status: 'limit_reached' });
});

test('a run whose workflow was terminated while no sweep looked says so', async () => {
  const run = await begunRun();
  expect(await sweepWith({ [run]: 'terminated' })).toEqual([]);
  expect(await readRun(run)).toMatchObject({ status: 'failed', error: { code: 'run_terminated' } });
});

test('a cancelled run that begins again is told of its cancellation once more', async () => {
  const lost = await begunRun();
  await db.pool.query(
    `update runs set status = 'cancelling', cancel_requested_at = now(), cancel_delivered_at = now() where id = $1`,
    [lost],
  );
  expect(await sweepWith({ [lost]: 'unknown' })).toEqual([lost]);
  expect((await db.pool.query('select cancel_delivered_at from runs where id = $1', [lost])).rows).toEqual([
    { cancel_delivered_at: null },
  ]);
});
