import type { HoldTaker, TakenHold } from './holdTaker.ts';
import { createPlaces } from '../../base/places.ts';
import { HoldRefused } from './refusals.ts';
import type { CallHold } from './slice.ts';
import type { Extend, Spender } from './spender.ts';

// When everything left is held but not spent, a settlement may free some of it.
export const WAIT_MS = 2_000;
const POLL_MS = 100;
// Per account, however many keys it has: each try takes a connection, and would wait for the account's lock with it.
const ACCOUNT_CONNECTIONS_MAX = 2;

/** Holds near the last cent: one database row for each call, one after another for each key. */
export function createExactHolds({
  taker,
  extend,
  extendPatiently,
  sureOfLease,
  announceScarcity,
  freeOwnSlices,
}: {
  taker: HoldTaker;
  extend: Extend;
  /** Waits for money that others hold. */
  extendPatiently: Extend;
  sureOfLease: () => Promise<void>;
  announceScarcity: (accountId: string) => void;
  freeOwnSlices: (accountId: string) => Promise<void>;
}) {
  const placesOfKeys = createPlaces({ perCaller: 1 });
  const placesOfAccounts = createPlaces({ perCaller: ACCOUNT_CONNECTIONS_MAX });
  const sleepers = new Map<string, Set<() => void>>();

  function hold(spender: Spender, order: { wantNanos: bigint; needNanos: bigint }): Promise<CallHold> {
    const deadlineMs = performance.now() + WAIT_MS;
    return placesOfKeys.run(() => untilGranted(spender, order, deadlineMs), { caller: spender.keyId });
  }

  async function untilGranted(
    spender: Spender,
    { wantNanos, needNanos }: { wantNanos: bigint; needNanos: bigint },
    deadlineMs: number,
  ): Promise<CallHold> {
    const take = (leastNanos: bigint) =>
      placesOfAccounts.run(
        () => taker.take({ keyId: spender.keyId, kind: 'request', wantNanos, needNanos: leastNanos }),
        { caller: spender.accountId },
      );
    // Less than the whole is taken only after every slice was asked to return money.
    const whole = await take(wantNanos).catch((error: unknown) => {
      if (needNanos === wantNanos || (error as HoldRefused).reason !== 'short') throw error;
    });
    if (whole) return requestHold(whole, spender);
    await freeOwnSlices(spender.accountId);
    announceScarcity(spender.accountId);
    for (;;) {
      const taken = await take(needNanos);
      if (taken) return requestHold(taken, spender);
      if (performance.now() > deadlineMs) throw new HoldRefused('held', needNanos);
      await woken(spender.accountId);
    }
  }

  function requestHold({ id, grantedNanos, partial }: TakenHold, spender: Spender): CallHold {
    let holdId = id;
    let heldNanos = grantedNanos;
    return {
      get id() {
        return holdId;
      },
      spender,
      partial,
      get amountNanos() {
        return heldNanos;
      },
      moveTo: (movedToId) => void (holdId = movedToId),
      async grow(moreNanos, isPatient = false) {
        await sureOfLease();
        const addedNanos = await (isPatient ? extendPatiently : extend)(spender, holdId, moreNanos);
        heldNanos += addedNanos;
        return addedNanos;
      },
      end: () => wake(spender.accountId),
    };
  }

  /** Resolves when money of the account may have become free. */
  function woken(accountId: string): Promise<void> {
    return new Promise((resolve) => {
      const ofAccount = sleepers.get(accountId) ?? new Set();
      sleepers.set(accountId, ofAccount);
      const timer = setTimeout(up, POLL_MS);
      ofAccount.add(up);
      function up() {
        clearTimeout(timer);
        ofAccount.delete(up);
        if (ofAccount.size === 0) sleepers.delete(accountId);
        resolve();
      }
    });
  }

  /** Money of this account may have become free: waiting calls try again. */
  function wake(accountId: string): void {
    for (const up of sleepers.get(accountId) ?? []) up();
  }

  return { hold, wake, woken };
}
