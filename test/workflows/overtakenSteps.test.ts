import { afterAll, expect, test } from '@jest/globals';
import { beginStep } from '../../db/runs/steps/beginStep.ts';
import { setRunStage } from '../support/runStage.ts';

const stage = await setRunStage();
await stage.startWorker();
afterAll(() => stage.close());

// As the try that a database or a stalled process held up, after the server had given the step to another one.
test('a run goes on when an older try of its step, which nobody waits for, begins it once more', async () => {
  let asked = 0;
  stage.upstream.script(() => ((asked += 1) === 1 ? { fault: 'endless', delayMs: 20 } : { text: 'Four.' }));
  const run = await stage.makeRun();
  await stage.workflows.start(run);
  await stage.untilEvent(run.id, 'run.output_text.delta');
  const late = await beginStep(stage.db.pool, { runId: run.id, step: 1, kind: 'model', name: stage.model.id });
  expect(late).toMatchObject({ state: 'begun', begun: { attempt: 2 } });
  const { status, output } = await stage.endOf(run.id);
  expect([status, output]).toEqual(['completed', [{ type: 'output_text', text: 'Four.' }]]);
  const types = (await stage.eventsOf(run.id)).map(({ type }) => type);
  expect(types.filter((type) => type === 'run.step.started')).toHaveLength(3);
});
