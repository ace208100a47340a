import { expect, test } from '@jest/globals';
import { createHeartbeat } from '../../../db/ledger/heartbeat.ts';
import { LedgerUnavailable } from '../../../db/postgres/ledgerUnavailable.ts';

const throwIt = (error: unknown): never => {
  throw error;
};

interface Renewal {
  progress: { id: string }[];
  usedKeyIds: string[];
}

/** A heartbeat whose renewals a test fails, each with what it was to store. */
function setRenewals({ isStored = async () => true }: { isStored?: () => Promise<boolean> } = {}) {
  const renewals: Renewal[] = [];
  const outcomes: (() => Promise<boolean>)[] = [];
  const renew = async ({ progress, usedKeyIds }: Renewal) => {
    renewals.push({ progress, usedKeyIds });
    return (outcomes.shift() ?? (async () => true))();
  };
  const lease = { live: () => false, renew, restart: async () => {} };
  const running = { inUse: () => ({}), holdAgain: async () => {} };
  const purses = { tick: () => {}, forgetSlices: () => {}, running };
  const progress = { read: async () => [{ id: 'req_1' }] };
  const parts = { lease, purses, progress, storeAnswers: isStored, afterwards: async () => {}, onError: () => {} };
  const heartbeat = createHeartbeat(parts as never);
  // It renews twice, because the lease is never live here.
  const beatTwice = () => heartbeat.sureOfLease().catch(() => {});
  return { heartbeat, renewals, outcomes, beatTwice };
}

/** A heartbeat over a lease whose renewals the test answers: each answer sets whether the process still holds the lease. */
function setHeartbeat() {
  const answers: ((isSure: boolean) => void)[] = [];
  let isLive = false;
  const lease = {
    live: () => isLive,
    renew: async () => {
      isLive = await new Promise<boolean>((resolve) => void answers.push(resolve));
      return true;
    },
  };
  const purses = { tick: () => {}, forgetSlices: () => {}, running: { inUse: () => ({}) } };
  const progress = { read: async () => [] };
  const afterwards = async () => {};
  const heartbeat = createHeartbeat({ lease, purses, progress, afterwards, onError: throwIt } as never);
  const answer = async (isSure: boolean) => {
    while (answers.length === 0) await new Promise(setImmediate);
    answers.shift()!(isSure);
  };
  return { heartbeat, answer };
}

test('a renewal that was sent before a pause is followed by another one', async () => {
  const { heartbeat, answer } = setHeartbeat();
  const sure = heartbeat.sureOfLease();
  await answer(false);
  await answer(true);
  await expect(sure).resolves.toBeUndefined();
});

test('the ledger is unavailable when a lease cannot be renewed in time', async () => {
  const { heartbeat, answer } = setHeartbeat();
  const sure = heartbeat.sureOfLease();
  await answer(false);
  await answer(false);
  await expect(sure).rejects.toThrow(LedgerUnavailable);
});

test.each([
  ['fails', () => Promise.reject(new Error('the database is away'))],
  ['finds that the lease is lost', async () => false],
])('the use of a key is recorded by the next renewal when one %s', async (_, outcome) => {
  const { heartbeat, renewals, outcomes, beatTwice } = setRenewals();
  outcomes.push(outcome);
  heartbeat.markUsed('key_1');
  await beatTwice();
  await beatTwice();
  expect(renewals.map(({ usedKeyIds }) => usedKeyIds)).toEqual([['key_1'], ['key_1'], [], []]);
});

test('progress is not stored while the answers that it bills could not be stored', async () => {
  const stored = [false, true];
  const { renewals, beatTwice } = setRenewals({ isStored: async () => stored.shift()! });
  await beatTwice();
  expect(renewals.map(({ progress }) => progress)).toEqual([[], [{ id: 'req_1' }]]);
});
