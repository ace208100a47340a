import type { Pool } from 'pg';
import { OpenList } from '../../base/openList.ts';
import { createPlaces } from '../../base/places.ts';
import { HoldRefused, ownerOf, purseIdOf, type CallHold, type Extend, type Spender } from './hold.ts';
import { type HoldTaker, type TakenHold, closeHolds } from './holdRows.ts';
import { type SlicesInUse } from './lease.ts';

// When everything left is held but not spent, a settlement may free some of it.
export const WAIT_MS = 2_000;
// Another process returns what it can within milliseconds; after that, only its calls that end free more.
const FIRST_POLL_MS = 10;
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
    return placesOfKeys.run(() => untilGranted(spender, order, deadlineMs), { caller: purseIdOf(spender) });
  }

  async function untilGranted(
    spender: Spender,
    { wantNanos, needNanos }: { wantNanos: bigint; needNanos: bigint },
    deadlineMs: number,
  ): Promise<CallHold> {
    const take = (leastNanos: bigint) =>
      placesOfAccounts.run(
        () => taker.take({ ...ownerOf(spender), kind: 'request', wantNanos, needNanos: leastNanos }),
        { caller: spender.accountId },
      );
    // Less than the whole is taken only after every slice was asked to return money.
    const whole = await take(wantNanos).catch((error: unknown) => {
      if (needNanos === wantNanos || (error as HoldRefused).reason !== 'short') throw error;
    });
    if (whole) return requestHold(whole, spender);
    await freeOwnSlices(spender.accountId);
    announceScarcity(spender.accountId);
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, POLL_MS)) {
      const taken = await take(needNanos);
      if (taken) return requestHold(taken, spender);
      if (performance.now() > deadlineMs) throw new HoldRefused('held', needNanos);
      await woken(spender.accountId, pollMs);
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
      isExact: true,
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

  /** Resolves when money of the account may have become free, here or within `pollMs` in another process. */
  function woken(accountId: string, pollMs = POLL_MS): Promise<void> {
    return new Promise((resolve) => {
      const ofAccount = sleepers.get(accountId) ?? new Set();
      sleepers.set(accountId, ofAccount);
      const timer = setTimeout(up, pollMs);
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

// Of the pool's ten connections: other calls need some too.
const TOGETHER = 4;

/**
 * The running calls of this process, from their hold to their settlement. When the lease is lost, the database has ended their holds:
 * each call takes its amount again under the next lease, or is marked lost.
 */
export function createRunningHolds({
  taker,
  pool,
  processId,
  onError,
}: {
  taker: HoldTaker;
  pool: Pool;
  processId: () => string;
  onError: (error: unknown) => void;
}) {
  const running = new OpenList<CallHold>();

  async function holdAgain(): Promise<void> {
    const lost = [...running];
    const holdNext = async () => {
      for (let held = lost.pop(); held; held = lost.pop()) await holdOne(held);
    };
    await Promise.all(Array.from({ length: TOGETHER }, holdNext));
  }

  async function holdOne(held: CallHold): Promise<void> {
    const leaseId = processId();
    const taken = await take(held);
    if (!running.has(held)) {
      // Settled in the meantime, under its earlier hold.
      if (taken) await closeHolds(pool, [taken.id]).catch(onError);
    } else if (taken) {
      held.moveTo(taken.id);
      held.leaseId = leaseId;
    } else held.onLost?.();
  }

  async function take({ spender, amountNanos }: CallHold): Promise<TakenHold | undefined> {
    try {
      const order = { ...ownerOf(spender), kind: 'request' as const, wantNanos: amountNanos, needNanos: amountNanos };
      return await taker.take(order);
    } catch (error) {
      if ((error as Error).name !== 'HoldRefused') onError(error);
      return undefined;
    }
  }

  /** What running calls hold, by the id of the hold that covers them: for a slice, the sum over its calls. */
  function inUse(): SlicesInUse {
    const sums: SlicesInUse = {};
    for (const { id, amountNanos } of running) sums[id] = (sums[id] ?? 0) + Number(amountNanos);
    return sums;
  }

  return {
    inUse,
    add: (held: CallHold): void => running.add(held),
    end: (held: object): void => void running.delete(held as CallHold),
    size: (): number => running.size,
    /** Call it under the next lease. Never rejects. */
    holdAgain,
  };
}
