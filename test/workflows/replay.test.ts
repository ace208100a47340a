import { expect, test } from '@jest/globals';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { installRuntime } from '../../worker/runtime.ts';

installRuntime(pino({ level: 'silent' }));

const folder = new URL('histories/', import.meta.url);
const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));

// The files are histories as the server recorded them (`temporal workflow show --output json`).
// A workflow that a release may interrupt must replay them; when its order has to change, the change goes behind `patched()`.
test.each(files)('today’s workflows continue what is recorded in %s', async (file) => {
  const history: unknown = JSON.parse(await readFile(new URL(file, folder), 'utf8'));
  await expect(Worker.runReplayHistory({ workflowsPath }, history)).resolves.toBeUndefined();
});

test('a history that these workflows could not have made is refused', async () => {
  const history = JSON.parse(await readFile(new URL('sweepCompleted.json', folder), 'utf8')) as {
    events: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }[];
  };
  const scheduled = history.events.find((event) => event.activityTaskScheduledEventAttributes);
  scheduled!.activityTaskScheduledEventAttributes!.activityType.name = 'somethingElse';
  await expect(Worker.runReplayHistory({ workflowsPath }, history)).rejects.toThrow(/[Nn]on-?determinis/);
});
