import { CancelledFailure, type Context } from '@temporalio/activity';
import { expect, test } from '@jest/globals';
import { countLateTries, lateTriesGauge } from '../../worker/lateTries.ts';

const failAt = async (activityType: string, attempt: number, error: Error) => {
  const { inbound } = countLateTries({ info: { activityType, attempt } } as Context);
  await expect(inbound!.execute!({ args: [], headers: {} }, () => Promise.reject(error))).rejects.toBe(error);
};

test('an activity that fails in its tenth try and later is counted by its name, unless it was cancelled', async () => {
  for (const attempt of [1, 9, 10, 11]) await failAt('finishRun', attempt, new Error('no'));
  await failAt('modelStep', 12, new CancelledFailure('cancelled'));
  expect(await lateTriesGauge.read()).toEqual([{ labels: { activity: 'finishRun' }, value: 2 }]);
});
