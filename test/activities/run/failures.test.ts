import { describe, expect, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { withTries } from '../../../activities/run/failures.ts';
import { StepLost } from '../../../db/runs/steps/steps.ts';

/** The failure of a short activity whose work throws this. */
async function failureAfter(error: Error) {
  let tries = 0;
  const { work } = withTries({
    work: async (): Promise<void> => {
      tries += 1;
      throw error;
    },
  });
  const context = { info: { attempt: 40 }, log: { warn: () => {} } } as unknown as Context;
  const failure = await asyncLocalStorage.run(context, work).catch((thrown: unknown) => thrown);
  return { tries, failure };
}

describe('a step that another attempt has taken over', () => {
  test('is begun again, however often it was', async () => {
    const { tries, failure } = await failureAfter(new StepLost('taken'));
    expect(tries).toBe(1);
    expect(failure).toMatchObject({ name: 'ApplicationFailure', nonRetryable: false });
  });

  test('is left when its run has ended', async () => {
    const { tries, failure } = await failureAfter(new StepLost('ended', { isOver: true }));
    expect(tries).toBe(1);
    expect(failure).toMatchObject({ type: 'lost', nonRetryable: true });
  });
});
