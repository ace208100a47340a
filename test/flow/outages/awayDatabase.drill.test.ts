import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerUrlOf, withClient } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';
import { setKillStage } from '../stages/killStage.ts';
import { createCaller } from '../stages/runCaller.ts';

// Ten minutes with `FAULT_AWAY_SECONDS=600`. The outage is longer than a step that fails six times.
const AWAY_MS = Number(process.env.FAULT_AWAY_SECONDS ?? 60) * 1_000;
// Longer than six tries of a step.
const ENDING_MS = 40_000;
const patient = { timeoutMs: 300_000, pollMs: 100 };

const stage = await setKillStage({ killsDatabase: true });
const caller = createCaller(stage);
afterAll(() => stage.close());

const writing = (nth: number) => ({
  turns: [
    { toolCalls: [call('write_file', { path: `${nth}.txt`, content: 'a' })], headDelayMs: nth * 200 },
    { text: 'word '.repeat(20), delayMs: 50 },
    { text: 'Done.' },
  ],
});

const order = async (script: object): Promise<string> =>
  (await caller.postPatiently('/v1/runs', caller.orderOf(script))).run!.id;

/** Waits until all runs have ended; each has completed. */
async function expectCompleted(ids: string[]): Promise<void> {
  await until(async () => (await stage.countOpenRuns()) === 0, patient);
  const { rows } = await stage.db.pool.query(
    'select status, status_reason, count(*)::int as runs from runs where id = any ($1) group by 1, 2',
    [ids],
  );
  expect(rows).toEqual([{ status: 'completed', status_reason: null, runs: ids.length }]);
  expect(stage.crashes()).toEqual([]);
  await stage.expectQuietSoon();
}

test('runs that are open while PostgreSQL is away go on when it is back, and end once', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, (_, nth) => order(writing(nth))));
  await sleep(1_500);
  await stage.victims.PostgreSQL.kill();
  await sleep(AWAY_MS);
  await stage.victims.PostgreSQL.start();
  await expectCompleted(ids);
}, 1_800_000);

test('runs go on although their connections to PostgreSQL end again and again', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => order({ text: 'word '.repeat(60), delayMs: 100 })));
  await withClient(ownerUrlOf(stage.databaseUrl), async (owner) => {
    const endsMs = performance.now() + ENDING_MS;
    while (performance.now() < endsMs) {
      await owner.query(END_OTHERS);
      await sleep(200);
    }
  });
  await expectCompleted(ids);
}, 1_800_000);

const END_OTHERS = `
select pg_terminate_backend(pid) from pg_stat_activity
where pid <> pg_backend_pid() and backend_type = 'client backend' and datname = current_database()`;
