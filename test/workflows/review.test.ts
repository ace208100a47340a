import { afterAll, describe, expect, test } from '@jest/globals';
import { silenceTemporal } from '../support/temporalRuntime.ts';
import { RUN_SEARCH_ATTRIBUTES } from '../../contracts/start.ts';
import { REVIEW_WAITS } from '../../workflows/review/waits.ts';
import { reviewScenarios } from './reviewScenarios.ts';
import { setReviewWorkflowStage } from './reviewStage.ts';

silenceTemporal();

const stage = await setReviewWorkflowStage();
afterAll(() => stage.close());

test('operators are reminded after a day, and the review is escalated after three', () => {
  expect(REVIEW_WAITS).toEqual({ reminderMs: 24 * 3_600_000, escalationMs: 72 * 3_600_000 });
});

describe('each path through a review', () => {
  for (const { promise, ends, play } of Object.values(reviewScenarios)) {
    test(promise, async () => {
      const { handle, world } = await play(stage);
      const result = await handle.result();
      expect({ ...world, ...result }).toMatchObject(ends);
      expect((await handle.describe()).searchAttributes).toMatchObject({
        [RUN_SEARCH_ATTRIBUTES.status]: [result.status],
        [RUN_SEARCH_ATTRIBUTES.costUsd]: [result.costUsd],
      });
    });
  }
});

test('of two concurrent decisions the first counts, and both answers report it', async () => {
  const world = stage.newWorld();
  const handle = await stage.start();
  const answers = await Promise.all([stage.decide(handle, 'approve'), stage.decide(handle, 'withdraw')]);
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['moved', 'wrong_state']);
  expect(world.moves).toHaveLength(1);
  await handle.result();
});
