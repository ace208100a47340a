import { afterAll, expect, test } from '@jest/globals';
import { requestCancel } from '../../../db/runs/states/cancelRun.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { setRunStage, type RunSetup } from '../../support/runStage.ts';
import { startWorkerProcess, type RunningWorker } from '../../support/startWorker.ts';
import { until } from '../../support/until.ts';

const KILLS = 7;
const prompt: Script = { text: 'At last.' };
const late: Script = { ...prompt, headDelayMs: 60_000 };

const stage = await setRunStage();
let worker = await startWorker();

afterAll(async () => {
  await worker.stop();
  await stage.close();
});

function startWorker(env: Record<string, string> = {}): Promise<RunningWorker> {
  const addresses = { databaseUrl: stage.databaseUrl, upstreamUrl: stage.upstream.url };
  return startWorkerProcess({ ...addresses, temporalAddress: stage.temporal.address, env });
}

async function restartWorker(): Promise<void> {
  await worker.kill();
  await worker.stop();
  worker = await startWorker({ MODEL_RETRY_DELAY_MAX_SECONDS: '8' });
}

async function startRun(wish: RunSetup) {
  const run = await stage.makeRun(wish);
  await stage.workflows.start(run);
  return run;
}

/** A run whose first step has lost eleven workers, and is put off because of it: for four minutes or more. */
async function startPutOff(wish: RunSetup) {
  const run = await startRun({ script: late, ...wish });
  await stage.untilEvent(run.id, 'run.step.started');
  await worker.kill();
  await worker.stop();
  await stage.db.pool.query('update run_steps set attempt = 11 where run_id = $1', [run.id]);
  worker = await startWorker({ MODEL_RETRY_DELAY_MAX_SECONDS: '3600' });
  return run;
}

test('runs complete and are billed once although every worker of their step but the last is killed', async () => {
  stage.upstream.script(late);
  const before = stage.upstream.calls().length;
  const runs = await Promise.all([{}, {}, {}].map(startRun));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await until(() => stage.upstream.calls().length >= before + kill * runs.length, { timeoutMs: 180_000 });
    if (kill === KILLS) stage.upstream.script(prompt);
    await restartWorker();
  }
  const quiet = await startRun({});
  const ended = await Promise.all([...runs, quiet].map(({ id }) => stage.endOf(id)));
  const { meters, total_nanos } = ended.at(-1)!;
  expect(ended).toMatchObject(ended.map(() => ({ status: 'completed', meters, total_nanos })));
  for (const { id } of runs) {
    const events = await stage.eventsOf(id);
    expect(events.filter(({ type }) => type === 'run.completed')).toHaveLength(1);
    expect(events.filter(({ data }) => data.code === 'worker_lost')).toHaveLength(KILLS - 2);
  }
  await expectSoundLedger(stage.db);
}, 900_000);

test('a run that is cancelled while its step is put off ends at once, without a bill', async () => {
  const run = await startPutOff({});
  await stage.untilEvent(run.id, 'run.step.retrying');
  const calls = stage.upstream.calls().length;
  const order = { mode: 'immediate', reason: 'no longer needed' } as const;
  await requestCancel(stage.db, { workspaceId: run.workspace_id, runId: run.id, ...order });
  await stage.workflows.cancel(run.id);
  await until(async () => (await stage.readRun(run.id)).status === 'cancelled');
  expect(stage.upstream.calls()).toHaveLength(calls);
  const [retrying] = (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.step.retrying');
  expect(Date.parse(retrying!.data.retry_at as string)).toBeGreaterThan(Date.now());
  await expectSoundLedger(stage.db);
});

test('a run whose step would be put off beyond its deadline fails at once, without a bill', async () => {
  const run = await startPutOff({ timeoutSeconds: 240 });
  expect(await stage.endOf(run.id)).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
  await expectSoundLedger(stage.db);
});
