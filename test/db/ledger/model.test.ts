import { afterAll, expect, test } from '@jest/globals';
import { openModelStage, playModel } from './modelPlay.ts';

const STEPS = 300;

const stage = await openModelStage();
afterAll(() => stage.close());

// Holds, settlements, runs, keys, pauses, kills, stalled statements and lost commits, in any order.
test('in three hundred random steps the ledger agrees with a simple model', async () => {
  expect(await playModel(stage, STEPS)).toBeGreaterThanOrEqual(STEPS);
});
