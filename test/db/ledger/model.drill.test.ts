import { afterAll, expect, test } from '@jest/globals';
import { repetitions } from '../../support/random.ts';
import { openModelStage, playModel } from './modelPlay.ts';

const STEPS = repetitions(10_000);

const stage = await openModelStage();
afterAll(() => stage.close());

// Holds, settlements, runs, keys, pauses, kills, stalled statements and lost commits, in any order.
test(`in ${STEPS} random steps the ledger agrees with a simple model`, async () => {
  expect(await playModel(stage, STEPS)).toBeGreaterThanOrEqual(STEPS);
}, 1_800_000);
