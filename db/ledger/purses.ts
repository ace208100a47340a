import type { Pool } from 'pg';
import { createExactHolds, createRunningHolds, WAIT_MS } from './callHolds.ts';
import { ownerOf, purseIdOf, type CallHold, type Spender } from './hold.ts';
import { createHoldTaker, extendHold, isHeldByOthers, type TakenHold } from './holdRows.ts';
import {
  createSliceReturns,
  emptyPurse,
  liveSliceOf,
  markLost,
  markScarce,
  nextTarget,
  SliceHold,
  type Purse,
  type Slice,
  type SliceOwner,
} from './slice.ts';

const IDLE_SLICE_MS = 5_000;
const IDLE_PURSE_MS = 60_000;
const SLICE_SHARE = 4;
const WHOLE_SHARE = 4n;

/** What a call wants: at most `wholeNanos` where a slice has it, else `wantNanos`, and never less than `needNanos`. */
export interface HoldOrder {
  wholeNanos: bigint;
  wantNanos: bigint;
  needNanos: bigint;
}

type RefillOrder = Pick<HoldOrder, 'wholeNanos' | 'wantNanos'>;

/**
 * Holds for this process's calls. A key's calls are admitted in memory against a slice of its account's balance (and of the key's
 * ceiling). When too little is free for slices, each call takes its own hold in the database, so the last cent is exact.
 */
export function createPurses({
  pool,
  processId,
  announceScarcity,
  posted,
  hurryPosting,
  sureOfLease,
  endDead,
  onError,
}: {
  pool: Pool;
  processId: () => string;
  announceScarcity: (accountId: string) => void;
  /** Resolves when everything this process has settled is in the ledger. */
  posted: () => Promise<void>;
  /** Answered calls hold their worst case until they are posted: it begins now. */
  hurryPosting: () => void;
  /** Resolves when everything held here is held in the database too, or is known to be lost. */
  sureOfLease: () => Promise<void>;
  /** Ends the holds of dead processes. */
  endDead: () => Promise<unknown>;
  onError: (error: unknown) => void;
}) {
  const purses = new Map<string, Purse>();
  const returns = createSliceReturns({ pool, onError });
  const taker = createHoldTaker({ pool, processId, endDead, onError });
  const exact = createExactHolds({ taker, extend, extendPatiently, sureOfLease, announceScarcity, freeOwnSlices });
  const running = createRunningHolds({ taker, pool, processId, onError });

  /** Synchronous where a slice covers the whole. */
  function hold(spender: Spender, order: HoldOrder): CallHold | Promise<CallHold> {
    const purse = purseOf(spender);
    purse.usedAtMs = performance.now();
    const slice = liveSliceOf(purse);
    return slice && hasPlenty(slice, order) ? draw(purse, slice, order.wholeNanos) : holdSoon(purse, order);
  }

  async function holdSoon(purse: Purse, order: HoldOrder): Promise<CallHold> {
    const { wholeNanos } = order;
    hurryPosting();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const slice = liveSliceOf(purse);
      if (slice && hasPlenty(slice, order)) return draw(purse, slice, wholeNanos);
      if (performance.now() < purse.scarceUntilMs) break;
      await (purse.refilling ?? startRefill(purse, { wholeNanos, wantNanos: order.wantNanos }));
    }
    const slice = liveSliceOf(purse);
    return slice && slice.freeNanos >= order.wantNanos
      ? draw(purse, slice, order.wantNanos)
      : exact.hold(purse.spender, order);
  }

  function draw(purse: Purse, slice: Slice, wantNanos: bigint): CallHold {
    const drawn = new SliceHold(slice, wantNanos);
    const runsLow = slice.freeNanos < purse.targetNanos / 4n;
    // Refills ahead of need, so that a busy key does not wait for the database.
    if (runsLow) hurryPosting();
    if (runsLow && !purse.refilling && performance.now() > purse.scarceUntilMs)
      startRefill(purse, { wholeNanos: wantNanos, wantNanos }).catch(() => {});
    return drawn;
  }

  function startRefill(purse: Purse, order: RefillOrder): Promise<void> {
    purse.refilling = refill(purse, order).finally(() => (purse.refilling = undefined));
    return purse.refilling;
  }

  async function refill(purse: Purse, { wholeNanos, wantNanos }: RefillOrder): Promise<void> {
    const targetNanos = nextTarget(purse, wholeNanos);
    const slice = liveSliceOf(purse);
    if (!slice) await takeSlice(purse, targetNanos, wantNanos);
    else {
      const addedNanos = await extendHold(pool, slice.id, targetNanos, SLICE_SHARE);
      slice.freeNanos += addedNanos;
      if (slice.retired) await returns.retire(slice);
    }
    const refilled = liveSliceOf(purse);
    if (!refilled || !hasPlenty(refilled, { wholeNanos, wantNanos })) markScarce(purse);
  }

  async function takeSlice(purse: Purse, wantNanos: bigint, needNanos: bigint): Promise<void> {
    const askedAtMs = performance.now();
    const taken = await taker.take({ ...ownerOf(purse.spender), kind: 'slice', wantNanos, needNanos });
    if (!taken) return;
    // The rest of yesterday's slice is returned before it is forgotten.
    void retirePurse(purse);
    purse.slice = sliceOf(taken, askedAtMs, sliceOwnerOf(purse.spender));
  }

  function sliceOwnerOf(spender: Spender): SliceOwner {
    return {
      spender,
      sureOfLease,
      extend: (slice, moreNanos, isPatient) =>
        isPatient ? extendPatiently(spender, slice.id, moreNanos, slice) : extend(spender, slice.id, moreNanos),
      extendMoved: (holdId, moreNanos, isPatient) => (isPatient ? extendPatiently : extend)(spender, holdId, moreNanos),
      onCallEnd: (slice) => onCallEnd(spender, slice),
    };
  }

  // Another slice may have what a running call lacks: the call is cut short only when no money is free anywhere.
  async function extend(spender: Spender, holdId: string, moreNanos: bigint): Promise<bigint> {
    const addedNanos = await extendHold(pool, holdId, moreNanos, 1);
    if (addedNanos === moreNanos) return addedNanos;
    if (performance.now() > purseOf(spender).scarceUntilMs) announceScarcity(spender.accountId);
    await freeOwnSlices(spender.accountId);
    return addedNanos + (await extendHold(pool, holdId, moreNanos - addedNanos, 1));
  }

  // Other calls may hold what this one lacks, and end within the time that a new call would wait.
  async function extendPatiently(spender: Spender, holdId: string, moreNanos: bigint, slice?: Slice): Promise<bigint> {
    const deadlineMs = performance.now() + WAIT_MS;
    for (;;) {
      const addedNanos = await extend(spender, holdId, moreNanos);
      if (addedNanos > 0n || (slice && slice.freeNanos > 0n) || performance.now() > deadlineMs) return addedNanos;
      const isShared = slice !== undefined && slice.openCalls > 1;
      if (!isShared && !(await isHeldByOthers(pool, spender.accountId, holdId))) return addedNanos;
      await exact.woken(spender.accountId);
    }
  }

  function onCallEnd(spender: Spender, slice: Slice): void {
    const wake = () => exact.wake(spender.accountId);
    // A retired slice returns what each call leaves, so that a long stream does not block money that others could spend.
    if (slice.retired && !slice.lost) void returns.retire(slice).then(wake);
    else wake();
  }

  async function retirePurse(purse: Purse): Promise<void> {
    const slice = purse.slice;
    purse.slice = undefined;
    if (slice) await returns.retire(slice);
  }

  // A slice that is being taken or enlarged can be returned only afterwards.
  async function retireAfterRefill(purse: Purse): Promise<void> {
    await purse.refilling?.catch(() => {});
    await retirePurse(purse);
  }

  async function freeOwnSlices(accountId: string): Promise<void> {
    const ofAccount = [...purses.values()].filter((purse) => purse.spender.accountId === accountId);
    for (const purse of ofAccount) markScarce(purse);
    // An answered call holds its worst case until it is posted: the next call must not be cut short because of that.
    await posted().catch(onError);
    await Promise.all(ofAccount.map(retireAfterRefill));
    // Includes what calls that ended a moment ago leave: it arrives late, but it is not missing.
    await returns.settled();
    exact.wake(accountId);
  }

  function purseOf(spender: Spender): Purse {
    let purse = purses.get(purseIdOf(spender));
    if (!purse) {
      purse = emptyPurse(spender);
      purses.set(purseIdOf(spender), purse);
    }
    return purse;
  }

  /** Each second: closes slices of a past day and unused slices, and retries returns that failed. */
  function tick(): void {
    const nowMs = performance.now();
    taker.tick();
    returns.retryOwing();
    for (const [id, purse] of purses) {
      const idleMs = nowMs - purse.usedAtMs;
      if (purse.slice && (nowMs >= purse.slice.endsAtMs || (idleMs > IDLE_SLICE_MS && purse.slice.openCalls === 0)))
        void retirePurse(purse);
      if (!purse.slice && !purse.refilling && idleMs > IDLE_PURSE_MS) purses.delete(id);
    }
  }

  /** Another process reaped this one: its slices are gone from the database, so they are forgotten here. */
  function forgetSlices(): void {
    for (const purse of purses.values()) {
      if (purse.slice) markLost(purse.slice);
      purse.slice = undefined;
    }
  }

  async function close(): Promise<void> {
    await Promise.all([...purses.values()].map(retirePurse));
  }

  return { hold, running, tick, freeOwnSlices, forgetSlices, close };
}

// A worst-case hold blocks money for others: a call that needs less takes the worst case only where most of the slice is left.
function hasPlenty({ freeNanos }: Slice, { wholeNanos, wantNanos }: RefillOrder): boolean {
  return freeNanos >= (wholeNanos > wantNanos ? wholeNanos * WHOLE_SHARE : wholeNanos);
}

function sliceOf({ id, grantedNanos, dayLeftMs }: TakenHold, askedAtMs: number, owner: SliceOwner): Slice {
  return {
    id,
    owner,
    freeNanos: grantedNanos,
    openCalls: 0,
    endsAtMs: askedAtMs + dayLeftMs,
    retired: false,
    lost: false,
  };
}
