import { expect, test } from '@jest/globals';
import { createHeartbeat } from '../../../db/ledger/heartbeat.ts';
import { LedgerUnavailable } from '../../../db/ledger/hold.ts';

const throwIt = (error: unknown): never => {
  throw error;
};

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
