import { afterAll, expect, test } from '@jest/globals';
import { setRunStage } from '../support/runStage.ts';
import { sharedSandbox } from '../support/sandbox.ts';
import { afterTools } from './joinedScenarios.ts';

const stage = await setRunStage({ sandbox: await sharedSandbox() });
afterAll(async () => {
  await stage.close();
});

/** The activities of a run's history in order, by name. */
async function activitiesOf(runId: string): Promise<string[]> {
  const { events } = await stage.client.workflow.getHandle(runId).fetchHistory();
  return events!.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? []);
}

/** The numbers of the events that the failure of a run's activity carries, step by step. */
async function eventsInFailureOf(runId: string): Promise<number[]> {
  const { events } = await stage.client.workflow.getHandle(runId).fetchHistory();
  const failed = events!.findLast(({ activityTaskFailedEventAttributes: one }) => one);
  const details = failed?.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo?.details;
  const { steps } = JSON.parse(String(Buffer.from(details!.payloads![0]!.data!))) as {
    steps: { events: Numbered[] }[];
  };
  return steps.flatMap(({ events: own }) => own.map(({ sequence }) => sequence));
}

interface Numbered {
  sequence: number;
}

/** The steps of a run by number, with their attempts. */
async function stepsOf(runId: string) {
  const { rows } = await stage.db.pool.query(
    'select step, kind, state, attempt from run_steps where run_id = $1 order by step',
    [runId],
  );
  return rows.map(({ step, kind, state, attempt }) => `${step} ${kind} ${state} ${attempt}`);
}

const DONE = ['model', 'file', 'model', 'file', 'model', 'file', 'model'].map(
  (kind, at) => `${at + 1} ${kind} completed 1`,
);

test('short steps of a run are one activity, in a history of few events', async () => {
  const worker = await stage.startWorker();
  const { id } = await stage.runToEnd(afterTools({ text: 'Nothing.' }));
  expect(await activitiesOf(id)).toEqual(['modelStep']);
  expect(await stepsOf(id)).toEqual(DONE);
  const { events } = await stage.client.workflow.getHandle(id).fetchHistory();
  expect(events!.length).toBeLessThan(20);
  await stage.stopWorker(worker);
});

test('a worker that stops hands a run over between two steps, and no step is repeated', async () => {
  const worker = await stage.startWorker();
  const slow = { toolCalls: [{ name: 'list_files', arguments: '{}' }], headDelayMs: 3_000 };
  const [first, ...rest] = afterTools({ text: 'Nothing.' }).script.turns;
  const run = await stage.makeRun({ tools: ['list_files'], script: { turns: [first!, slow, ...rest.slice(1)] } });
  await stage.workflows.start(run);
  await stage.untilEvent(run.id, 'run.step.started', 3);
  await stage.stopWorker(worker);
  expect(await stepsOf(run.id)).toEqual(DONE.slice(0, 3));
  const next = await stage.startWorker();
  expect(await stage.endOf(run.id)).toMatchObject({ status: 'completed' });
  expect(await stepsOf(run.id)).toEqual(DONE);
  expect(await activitiesOf(run.id)).toEqual(['modelStep', 'toolStep', 'modelStep']);
  await stage.stopWorker(next);
});

test('a failed step is tried again without those before it', async () => {
  const worker = await stage.startWorker();
  const broken = { text: 'I begin to tell you all of it.', fault: 'reset' as const, faultAfterChunks: 4, delayMs: 50 };
  const { id, status } = await stage.runToEnd(afterTools(broken));
  expect(status).toBe('failed');
  expect(await stepsOf(id)).toEqual([...DONE.slice(0, 6), '7 model failed 3']);
  // Each event once: a history takes two megabytes at once, whatever the number of steps.
  const numbers = await eventsInFailureOf(id);
  expect(numbers.length).toBeGreaterThan(12);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  await stage.stopWorker(worker);
});
