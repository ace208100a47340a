import type { Slice } from './slice.ts';
import type { Spender } from './spender.ts';

// A new slice covers this many calls of the size that requested it; it doubles while refills follow each other quickly.
const CALLS_PER_SLICE = 32n;
const TARGET_MAX_NANOS = 20_000_000_000n;
const BUSY_REFILL_MS = 1_000;
// How long a key uses single holds after no slice could be had.
const SCARCE_MS = 1_000;

/** What a key's calls are admitted against. */
export interface Purse {
  readonly spender: Spender;
  slice: Slice | undefined;
  refilling: Promise<void> | undefined;
  targetNanos: bigint;
  refilledAtMs: number;
  usedAtMs: number;
  scarceUntilMs: number;
}

/** A purse that nothing was drawn from yet. */
export function emptyPurse(spender: Spender): Purse {
  return {
    spender,
    slice: undefined,
    refilling: undefined,
    targetNanos: 0n,
    refilledAtMs: 0,
    usedAtMs: 0,
    scarceUntilMs: 0,
  };
}

/** The slice of a purse, unless its day is over. */
export function liveSliceOf(purse: Purse): Slice | undefined {
  return purse.slice && performance.now() < purse.slice.endsAtMs ? purse.slice : undefined;
}

/** The amount of the purse's next refill, given what the current call needs; stored as the purse's target. */
export function nextTarget(purse: Purse, needNanos: bigint): bigint {
  const nowMs = performance.now();
  const leastNanos = needNanos * CALLS_PER_SLICE;
  const doubledNanos = nowMs - purse.refilledAtMs < BUSY_REFILL_MS ? purse.targetNanos * 2n : purse.targetNanos / 2n;
  const cappedNanos = doubledNanos > TARGET_MAX_NANOS ? TARGET_MAX_NANOS : doubledNanos;
  purse.targetNanos = cappedNanos > leastNanos ? cappedNanos : leastNanos;
  purse.refilledAtMs = nowMs;
  return purse.targetNanos;
}

/** Restricts a key to single holds for a while. */
export function markScarce(purse: Purse): void {
  purse.scarceUntilMs = performance.now() + SCARCE_MS;
}
