import { expect, test } from '@jest/globals';
import { readFile, readdir } from 'node:fs/promises';
import { Worker } from '@temporalio/worker';
import { readWorkflowBundle } from '../../worker/workflowBundle.ts';
import { silenceTemporal } from '../support/temporalRuntime.ts';
import { batchScenarios } from './batchScenarios.ts';
import { longScenarios } from './longScenarios.ts';
import { evaluationScenarios } from './evaluationScenarios.ts';
import { reviewScenarios } from './reviewScenarios.ts';
import { scenarios } from './scenarios.ts';
import { scheduledRunScenarios } from './scheduledRunScenarios.ts';
import { sweeperScenarios } from './sweeperScenarios.ts';
import { testClockScenarios } from './testClockScenarios.ts';
import { webhookScenarios } from './webhookScenarios.ts';

silenceTemporal();

const folder = new URL('histories/', import.meta.url);
const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
const read = async (file: string) => JSON.parse(await readFile(new URL(file, folder), 'utf8')) as object;

/** The worker's own bundle, which is cached. */
const replaying = { workflowBundle: await readWorkflowBundle() };

// The files are histories recorded by the server: `record.ts` beside this file records each type. A workflow that a release may interrupt
// must replay them; a change of its order needs `patched()`.
test('the current workflows replay the recorded histories', async () => {
  const histories = await Promise.all(files.map(async (file) => ({ workflowId: file, history: await read(file) })));
  const outcomes: Record<string, string> = {};
  for await (const { workflowId, error } of Worker.runReplayHistories(replaying, histories)) {
    outcomes[workflowId] = error ? error.message : 'replayed';
  }
  expect(outcomes).toEqual(Object.fromEntries(files.map((file) => [file, 'replayed'])));
});

test.each([
  ['run', scenarios],
  ['run', longScenarios],
  ['review', reviewScenarios],
  ['batch', batchScenarios],
  ['evaluation', evaluationScenarios],
  ['webhook', webhookScenarios],
  ['sweeper', sweeperScenarios],
  ['scheduledRun', scheduledRunScenarios],
  ['testClock', testClockScenarios],
])('every path through a %s is recorded (node test/workflows/record.ts does it)', (kind, ways) => {
  const recorded = new Set(files.map((file) => file.toLowerCase()));
  const missing = Object.keys(ways).filter((name) => !recorded.has(`${kind}${name}.json`.toLowerCase()));
  expect(missing).toEqual([]);
  expect(files.length).toBeGreaterThan(20);
});

test('recorded histories have no content of runs', async () => {
  const told = ['Four', 'colour', 'Blue', 'notes/a.md', 'two and two', 'scripted', 'told'];
  for (const file of files) {
    const text = JSON.stringify(await read(file));
    const payloads = [...text.matchAll(/"data":"([\w+/=]+)"/g)].map(([, data]) =>
      Buffer.from(data!, 'base64').toString(),
    );
    const found = told.filter((word) => [text, ...payloads].some((part) => part.includes(word)));
    expect([file, found]).toEqual([file, []]);
  }
});

test('a history that these workflows could not have produced is refused', async () => {
  const history = (await read('sweepCompleted.json')) as {
    events: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }[];
  };
  const scheduled = history.events.find((event) => event.activityTaskScheduledEventAttributes);
  scheduled!.activityTaskScheduledEventAttributes!.activityType.name = 'somethingElse';
  await expect(Worker.runReplayHistory(replaying, history)).rejects.toThrow(/[Nn]on-?determinis/);
});
