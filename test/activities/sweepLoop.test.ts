import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { expect, test } from '@jest/globals';
import { createSweepLoop, type SweepParts } from '../../activities/sweepLoop.ts';

const NAMES = [
  'sweepLedger',
  'sweepRuns',
  'sweepReviews',
  'startAutoTopups',
  'startWebhooks',
  'syncSchedules',
  'reconcileSchedules',
  'upkeep',
] as const;
const OF_EACH_SWEEP = NAMES.slice(0, 6);

/** Runs the activity until `sweeps` sweeps have begun; its parts find nothing to do, unless they are replaced. */
async function sweep(sweeps: number, parts: Partial<SweepParts> = {}, partLimitMs?: number) {
  let isStopping = false;
  const calls: string[] = [];
  const partOf = (name: (typeof NAMES)[number]) => async () => {
    calls.push(name);
    if (name === 'syncSchedules' && calls.filter((call) => call === name).length === sweeps) isStopping = true;
    return (await parts[name]?.()) ?? {};
  };
  const all = Object.fromEntries(NAMES.map((name) => [name, partOf(name)])) as unknown as SweepParts;
  const log = { error: () => {} };
  const context = { cancellationSignal: new AbortController().signal, heartbeat: () => {}, log } as unknown as Context;
  const loop = createSweepLoop(all, {
    isStopping: () => isStopping,
    pauseMs: 1,
    ...(partLimitMs !== undefined && { partLimitMs }),
  });
  return { done: await asyncLocalStorage.run(context, loop), calls };
}

test('sweeps again and again until its worker stops; the first sweep also keeps up what is due each minute', async () => {
  const { done, calls } = await sweep(3);
  expect(done).toEqual({ sweeps: 3, failures: 0 });
  expect(calls).toEqual([...NAMES, ...OF_EACH_SWEEP, ...OF_EACH_SWEEP]);
});

test('looks for no automatic payments where none are made', async () => {
  const { calls } = await sweep(1, { sweepLedger: async () => ({ takesPayments: false }) });
  expect(calls).toEqual(NAMES.filter((name) => name !== 'startAutoTopups'));
});

test('a part that fails is counted, and does not keep the others from their work', async () => {
  const broken = async () => Promise.reject(new Error('the database is down'));
  const { done, calls } = await sweep(2, { sweepRuns: broken, upkeep: broken });
  expect(done).toEqual({ sweeps: 2, failures: 3 });
  expect(calls).toEqual([...NAMES, ...OF_EACH_SWEEP]);
});

test('a part that goes on while the worker stops is left to itself: the worker would end with an error', async () => {
  let isStopping = false;
  const none = async () => ({});
  const parts = { ...Object.fromEntries(NAMES.map((name) => [name, none])), upkeep: () => new Promise(() => {}) };
  const context = { cancellationSignal: new AbortController().signal, heartbeat: () => {}, log: { error: () => {} } };
  const loop = createSweepLoop(parts as unknown as SweepParts, {
    isStopping: () => {
      const was = isStopping;
      isStopping = true;
      return was;
    },
    stopWaitMs: 1,
  });
  expect(await asyncLocalStorage.run(context as unknown as Context, loop)).toEqual({ sweeps: 1, failures: 1 });
});

test('a part that does not end is left to itself', async () => {
  const { done, calls } = await sweep(1, { startWebhooks: () => new Promise(() => {}) }, 1);
  expect(done).toEqual({ sweeps: 1, failures: 1 });
  expect(calls).toEqual([...NAMES]);
});
