import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { setKillStage } from '../stages/killStage.ts';
import { createCaller } from '../stages/runCaller.ts';

// Ten minutes with `FAULT_AWAY_SECONDS=600`. The outage is longer than each time limit and retry of a call to Temporal.
const AWAY_MS = Number(process.env.FAULT_AWAY_SECONDS ?? 60) * 1_000;
const patient = { timeoutMs: 300_000, pollMs: 100 };

const stage = await setKillStage();
const caller = createCaller(stage);
afterAll(() => stage.close());

const order = (script: object) => caller.postPatiently('/v1/runs', caller.orderOf(script));

test('runs that are ordered while Temporal is away are accepted, begin when it is back, and end once', async () => {
  const before = await Promise.all(Array.from({ length: 10 }, () => order({ text: 'word '.repeat(100), delayMs: 50 })));
  const linesOf = () => stage.programs().flatMap(({ lines }) => lines);
  const linesBefore = linesOf().length;
  await stage.victims.Temporal.kill();
  const endsMs = performance.now() + AWAY_MS;
  const meanwhile = [];
  while (performance.now() < endsMs) {
    meanwhile.push(await order({ text: 'At last.' }));
    await sleep(Math.min(2_000, AWAY_MS / 20));
  }
  await stage.victims.Temporal.start();
  const ids = [...before, ...meanwhile].map(({ run }) => run?.id);
  expect(ids).not.toContain(undefined);
  await until(async () => (await stage.countOpenRuns()) === 0, patient);
  const { rows } = await stage.db.pool.query('select status, count(*)::int as runs from runs group by 1');
  expect(rows).toEqual([{ status: 'completed', runs: new Set(ids).size }]);
  expect(stage.crashes()).toEqual([]);
  // Each poller tries again several times a second, and all lines are JSON.
  const told = linesOf().map((line) => JSON.parse(line) as { level: number; msg: string });
  const warned = told.slice(linesBefore).filter(({ level }) => level >= 40);
  expect(warned.filter(({ msg }) => msg === 'a call to Temporal fails; trying again')).toHaveLength(1);
  await stage.expectQuiet();
}, 1_800_000);
