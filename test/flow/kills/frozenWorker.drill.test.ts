import { afterAll, expect, test } from '@jest/globals';
import type { RunRow } from '../../../db/runs/runRow.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { setRunStage, type RunSetup } from '../../support/runStage.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';

const stage = await setRunStage();
const addresses = { databaseUrl: stage.databaseUrl, upstreamUrl: stage.upstream.url };
const worker = await startWorkerProcess({ ...addresses, temporalAddress: stage.temporal.address });

afterAll(async () => {
  await worker.stop();
  await stage.close();
});

async function startRun(wish: RunSetup): Promise<RunRow> {
  const run = await stage.makeRun(wish);
  await stage.workflows.start(run);
  return run;
}

/** Whether the server has taken the run's open step from its worker. */
async function isReassigned({ id }: RunRow): Promise<boolean> {
  const { raw } = await stage.client.workflow.getHandle(id).describe();
  return (raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) > 1);
}

const TEXT = 'word '.repeat(120);
const CODE = {
  language: 'javascript',
  code: `const end = Date.now() + 3000; while (Date.now() < end); writeFile('a.txt', 'once');`,
};
const TOOL: RunSetup = {
  tools: ['run_code'],
  script: { turns: [{ toolCalls: [call('run_code', CODE)] }, { text: 'Written.' }] },
};

// The rest of each answer waits in the frozen worker's socket, and is read completely once the worker continues.
test('runs of a worker that was frozen past its lease end with their whole answers', async () => {
  const speaking = await Promise.all([1, 2, 3, 4].map(() => startRun({ script: { text: TEXT, delayMs: 10 } })));
  const tooling = await startRun(TOOL);
  const runs = [...speaking, tooling];
  await Promise.all([
    ...speaking.map(({ id }) => stage.untilEvent(id, 'run.output_text.delta')),
    stage.untilEvent(tooling.id, 'run.step.started', 2),
  ]);

  process.kill(worker.pid, 'SIGSTOP');
  try {
    await until(async () => (await Promise.all(runs.map(isReassigned))).every(Boolean), { timeoutMs: 60_000 });
  } finally {
    process.kill(worker.pid, 'SIGCONT');
  }

  const ended = await Promise.all(runs.map(({ id }) => stage.endOf(id)));
  expect(ended.map(({ status }) => status)).toEqual(runs.map(() => 'completed'));
  const texts = ended.slice(0, 4).map(({ output }) => (output as { text?: string }[]).map(({ text }) => text));
  expect(texts).toEqual(speaking.map(() => [TEXT]));
  expect(ended[4]!.output).toMatchObject([{ type: 'output_file', filename: 'a.txt' }, { text: 'Written.' }]);
  await expectSoundLedger(stage.db);
}, 600_000);
