import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectSoundLedger } from '../support/ledger.ts';
import type { RunStage } from '../support/runStage.ts';
import { setSandboxedRunStage } from '../support/sandboxedRunStage.ts';
import { scenarios } from './scenarios.ts';

let stage: RunStage;

beforeAll(async () => {
  stage = await setSandboxedRunStage();
}, 600_000);
afterAll(() => stage?.close());

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

test('a run that may cost no more does not wait for a higher limit', async () => {
  const run = await stage.runToEnd({
    script: { text: 'word '.repeat(400) },
    maxCostUsd: 0.001,
    maximumCostUsd: 0.001,
    onLimit: 'pause',
  });
  expect(run).toMatchObject({ status: 'limit_reached', limit: { kind: 'max_cost', value: 0.001 } });
});
