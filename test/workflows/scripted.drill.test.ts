import { afterAll, describe, expect, test } from '@jest/globals';
import { silenceTemporal } from '../support/temporalRuntime.ts';
import { batchScenarios } from './batchScenarios.ts';
import { evaluationScenarios } from './evaluationScenarios.ts';
import { scheduledRunScenarios } from './scheduledRunScenarios.ts';
import { setScriptedStage } from './scriptedStage.ts';
import { sweeperScenarios } from './sweeperScenarios.ts';
import { testClockScenarios } from './testClockScenarios.ts';
import { webhookScenarios } from './webhookScenarios.ts';

silenceTemporal();

const stage = await setScriptedStage();
afterAll(() => stage.close());

describe.each([
  ['a batch', batchScenarios],
  ['an evaluation', evaluationScenarios],
  ['a webhook', webhookScenarios],
  ['the sweeper', sweeperScenarios],
  ['a firing of a schedule', scheduledRunScenarios],
  ['a test clock', testClockScenarios],
])('each path through %s', (_kind, scenarios) => {
  for (const { promise, ends, calls, play } of Object.values(scenarios).filter((scenario) => scenario.calls)) {
    test(promise, async () => {
      const { handle, world } = await play(stage);
      expect(world.calls).toEqual(calls);
      const { status } = await handle.describe();
      expect(status.name).toBe(typeof ends === 'string' ? ends : 'COMPLETED');
      if (typeof ends === 'object') expect(await handle.result()).toEqual(ends);
    });
  }
});

test('a batch begins a new history before its own becomes long', async () => {
  let windows = 0;
  const window = () => ((windows += 1) < 350 ? { next: { line: windows, offsetBytes: 0 } } : { ending: 'completed' });
  const script = { validateBatch: [true], runBatchLines: [window], writeBatchFiles: ['completed'] };
  const { handle, world } = await stage.startBatch(script);
  expect(await handle.result()).toEqual({ status: 'completed' });
  expect(world.calls.filter((call) => call === 'validateBatch')).toHaveLength(1);
  const { historyLength } = await handle.describe();
  expect([windows, historyLength < 500]).toEqual([350, true]);
});
