import { expect, test } from '@jest/globals';
import { retryWhileDatabaseDown } from '../../../activities/run/watchActivity.ts';

const away = Object.assign(new Error('terminating connection'), { code: '57P01' });

/** Runs the given outcomes in order: throws errors, and returns anything else. */
function inTurn(...outcomes: unknown[]) {
  const calls = { count: 0 };
  const work = async () => {
    const outcome = outcomes[calls.count];
    calls.count += 1;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  return { work, calls };
}

const watchOf = (signal: AbortSignal) => ({
  signal,
  stopReason: () => undefined,
  stopAfter: () => {},
  leftMs: () => Infinity,
  end: () => {},
});

test('work waits while the database is down, and is done when it is back', async () => {
  const { work } = inTurn(away, away, 'done');
  expect(await retryWhileDatabaseDown(watchOf(new AbortController().signal), work)).toBe('done');
});

test('work is done again after a deadlock', async () => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  const { work } = inTurn(deadlock, 'done');
  expect(await retryWhileDatabaseDown(watchOf(new AbortController().signal), work)).toBe('done');
});

test('an error that is not a database outage is thrown at once', async () => {
  const { work, calls } = inTurn(new Error('wrong'), 'never');
  await expect(retryWhileDatabaseDown(watchOf(new AbortController().signal), work)).rejects.toThrow('wrong');
  expect(calls.count).toBe(1);
});

test('a stopped activity no longer waits for the database', async () => {
  const { work } = inTurn(away, away, away, away, away, away, away, away);
  const ended = retryWhileDatabaseDown(watchOf(AbortSignal.timeout(10)), work);
  await expect(ended).rejects.toMatchObject({ name: 'CancelledFailure' });
});
