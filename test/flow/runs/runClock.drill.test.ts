import { afterAll, expect, test } from '@jest/globals';
import type { Script } from '../../../rules/scripted/script.ts';
import { startStepped, stepClock } from '../../support/ownClock.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';
import { setKillStage } from '../stages/killStage.ts';
import { createCaller } from '../stages/runCaller.ts';

const hourMs = 3_600_000;
const patient = { timeoutMs: 120_000, pollMs: 50 };

const stage = await setKillStage({ env: startStepped([-hourMs, hourMs]) });
const caller = createCaller(stage);
afterAll(() => stage.close());

const writing: Script = {
  turns: [{ toolCalls: [call('write_file', { path: 'a.txt', content: 'a' })] }, { text: 'Written.' }],
};

/** Orders runs with the given options. Returns how they ended, and their delays from creation to beginning and end. */
async function runAll(orders: [Script, object][]) {
  const runs = await Promise.all(
    orders.map(([script, members]) => caller.post('/v1/runs', caller.orderOf(script, members))),
  );
  const ids = runs.map(({ run }) => run!.id);
  const readRuns = async () => (await stage.db.pool.query(TIMES, [ids])).rows as Ended[];
  await until(
    async () => (await readRuns()).every(({ status }) => !['queued', 'in_progress'].includes(status)),
    patient,
  );
  const byId = new Map((await readRuns()).map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id)!);
}

interface Ended {
  id: string;
  status: string;
  reason: string | null;
  beganAfterMs: number;
  tookMs: number;
}

const TIMES = `
select id, status, status_reason as reason, extract(epoch from started_at - created_at)::float * 1000 as "beganAfterMs",
  extract(epoch from completed_at - started_at)::float * 1000 as "tookMs"
from runs where id = any ($1)`;

async function expectTimely(): Promise<void> {
  const [plain, tooling, delayed, endless] = await runAll([
    [{ text: 'At once.' }, {}],
    [writing, { timeout_seconds: 600 }],
    [{ text: 'Later.' }, { start_after_seconds: 2 }],
    [{ text: ' word', fault: 'endless', delayMs: 20 }, { timeout_seconds: 2 }],
  ]);
  expect([plain, tooling, delayed].map((run) => run!.status)).toEqual(['completed', 'completed', 'completed']);
  expect(delayed!.beganAfterMs).toBeGreaterThanOrEqual(2_000);
  expect(endless).toMatchObject({ status: 'limit_reached' });
  expect(endless!.tookMs).toBeGreaterThanOrEqual(2_000);
}

test('runs begin and end on time, although the clocks of API and worker are an hour slow', async () => {
  await expectTimely();
});

test('runs begin and end on time, although their clocks are an hour fast', async () => {
  await Promise.all(stage.programs().map(stepClock));
  await expectTimely();
  await stage.expectQuiet();
});
