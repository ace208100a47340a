import { afterAll, expect, test } from '@jest/globals';
import { expectSoundLedger } from '../../support/ledger.ts';
import { type RunSetup, setSandboxedRunStage } from '../../support/runStage.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';

const RUNS = 50;

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

const setups: RunSetup[] = [
  { script: { text: 'word '.repeat(40), delayMs: 50 } },
  { script: { text: 'Late.', headDelayMs: 1_500 } },
  { script: { text: 'At once.' } },
  {
    tools: ['write_file'],
    script: {
      turns: [{ toolCalls: [call('write_file', { path: 'a.txt', content: 'a' })], delayMs: 100 }, { text: 'Done.' }],
    },
  },
];

test('runs that are open when Temporal is killed end once after its restart, and so does one created meanwhile', async () => {
  const runs = [];
  for (let nth = 0; nth < RUNS; nth += 1) {
    const run = await stage.makeRun(setups[nth % setups.length]);
    await stage.workflows.start(run);
    runs.push(run.id);
  }
  await stage.temporal.kill();
  const meanwhile = await stage.makeRun();
  runs.push(meanwhile.id);
  await stage.temporal.restart();

  const openCount = async () => {
    const { rows } = await stage.db.pool.query('select count(*)::int as open from runs where settled_at is null');
    return rows[0].open as number;
  };
  await until(async () => (await openCount()) === 0, { timeoutMs: 480_000, pollMs: 100 });
  const rows = await Promise.all(runs.map((id) => stage.readRun(id)));
  expect(rows.map(({ status }) => status)).toEqual(runs.map(() => 'completed'));
  await expectSoundLedger(stage.db);
}, 600_000);
