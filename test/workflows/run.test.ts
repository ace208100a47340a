import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setRunStage, type RunStage } from '../support/runStage.ts';

let stage: RunStage;

beforeAll(async () => {
  stage = await setRunStage();
  await stage.startWorker();
}, 600_000);

afterAll(() => stage.close());

test('a run is taken out of the queue, thinks, is settled and ends', async () => {
  const run = await stage.runToEnd({ script: { text: 'Four.' } });
  expect(run).toMatchObject({ status: 'completed', output: [{ type: 'output_text', text: 'Four.' }] });
  expect((await stage.eventsOf(run.id)).map(({ type }) => type)).toEqual([
    'run.created',
    'run.queued',
    'run.in_progress',
    'run.step.started',
    'run.output_text.delta',
    'run.output_text.done',
    'run.step.completed',
    'run.usage.updated',
    'run.completed',
  ]);
});
