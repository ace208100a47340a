import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { setRunStage, type RunStage } from '../support/runStage.ts';
import { scenarios } from './scenarios.ts';

let sandbox: Sandbox;
let stage: RunStage;

// Temporal's program may have to be obtained first.
beforeAll(async () => {
  sandbox = await openSandbox({ tier: 'quickjs' });
  stage = await setRunStage({ sandbox });
  await stage.startWorker();
}, 600_000);

afterAll(async () => {
  await stage.close();
  await sandbox.close();
});

describe('each way through a run', () => {
  for (const { promise, ends, play } of Object.values(scenarios)) {
    test(promise, async () => {
      expect(await play(stage)).toMatchObject(ends);
    });
  }

  test('leaves the books in order', async () => {
    await expectSoundLedger(stage.db);
  });
});

test('a run tells what happens in it, in order', async () => {
  const run = await stage.runToEnd({ script: { text: 'Four.' } });
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
