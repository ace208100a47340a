import type { Pool } from 'pg';
import type { CallHold, Spender } from './hold.ts';
import { returnFunds } from './holdRows.ts';

/** What the process may still spend for one key without asking the database: one open hold row there. */
export interface Slice {
  readonly id: string;
  readonly owner: SliceOwner;
  /** Not covering a running call. The row's amount is this plus what the running calls hold. */
  freeNanos: bigint;
  /** Running calls that this slice covers. */
  openCalls: number;
  /** `performance.now()` when the database's UTC day ends: no call is admitted after it. */
  readonly endsAtMs: number;
  /** Admits no more calls; the row is closed with the last running one. */
  retired: boolean;
  /** Its lease was lost and its row has ended: it covers nothing. */
  lost: boolean;
}

/** What a slice needs of its purse. */
export interface SliceOwner {
  readonly spender: Spender;
  /** Resolves when everything held here is held in the database too, or is known to be lost. */
  sureOfLease(): Promise<void>;
  /** Adds up to this amount to the slice's row, and returns the added amount. */
  extend(slice: Slice, moreNanos: bigint, isPatient: boolean): Promise<bigint>;
  /** The same for a call that was moved to its own row. */
  extendMoved(holdId: string, moreNanos: bigint, isPatient: boolean): Promise<bigint>;
  /** A call that the slice covered has ended. */
  onCallEnd(slice: Slice): void;
}

/**
 * A call's hold, drawn from a slice. The caller has checked that the slice is live and has that much free. One flat object: it lives
 * until its call is posted, and the garbage collector has to copy whatever lives that long.
 */
export class SliceHold implements CallHold {
  leaseId: string | undefined = undefined;
  onLost: (() => void) | undefined = undefined;
  listedAt: number | undefined = undefined;
  readonly partial = false;
  amountNanos: bigint;
  readonly #slice: Slice;
  #movedTo: string | undefined = undefined;
  #ended = false;

  constructor(slice: Slice, amountNanos: bigint) {
    slice.freeNanos -= amountNanos;
    slice.openCalls += 1;
    this.amountNanos = amountNanos;
    this.#slice = slice;
  }

  get id(): string {
    return this.#movedTo ?? this.#slice.id;
  }

  get spender(): Spender {
    return this.#slice.owner.spender;
  }

  moveTo(id: string): void {
    this.#movedTo = id;
  }

  async grow(moreNanos: bigint, isPatient = false): Promise<bigint> {
    const { owner } = this.#slice;
    await owner.sureOfLease();
    const addedNanos = await (this.#movedTo
      ? owner.extendMoved(this.#movedTo, moreNanos, isPatient)
      : growWithin(this.#slice, moreNanos, isPatient));
    this.amountNanos += addedNanos;
    return addedNanos;
  }

  end(chargedNanos: bigint): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#slice.lost) this.#slice.freeNanos += this.amountNanos - chargedNanos;
    this.#slice.openCalls -= 1;
    this.#slice.owner.onCallEnd(this.#slice);
  }
}

/** Its row has ended in the database, so its counters here are no money. */
export function markLost(slice: Slice): void {
  slice.retired = true;
  slice.lost = true;
  slice.freeNanos = 0n;
}

// A running call may take the last free money; only new slices leave some for others.
async function growWithin(slice: Slice, moreNanos: bigint, isPatient: boolean): Promise<bigint> {
  if (slice.lost) return 0n;
  if (slice.retired || slice.freeNanos < moreNanos) {
    // Added after the wait: other calls draw meanwhile, and `+= await` would lose their change.
    const extendedNanos = await slice.owner.extend(slice, moreNanos, isPatient);
    slice.freeNanos += extendedNanos;
  }
  const addedNanos = slice.freeNanos < moreNanos ? slice.freeNanos : moreNanos;
  slice.freeNanos -= addedNanos;
  return addedNanos;
}

/**
 * Stops admitting calls and returns what is free now; the row is closed once no call runs. When this throws, it is unknown whether the
 * money was returned: it is not returned a second time, and at the latest closing the row returns it.
 */
export async function retire(slice: Slice, pool: Pool): Promise<void> {
  slice.retired = true;
  const freeNanos = slice.freeNanos;
  slice.freeNanos = 0n;
  await returnFunds(pool, slice.id, freeNanos, slice.openCalls === 0);
}

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

/** Returns what is left of slices to their accounts, and keeps those for which that failed. */
export function createSliceReturns({ pool, onError }: { pool: Pool; onError: (error: unknown) => void }) {
  // Slices whose last part could not be returned yet.
  const owing = new Set<Slice>();
  // Returns that are in progress.
  const returning = new Set<Promise<void>>();

  function retireNow(slice: Slice): Promise<void> {
    const returned = retire(slice, pool)
      .then(() => void owing.delete(slice))
      .catch((error: unknown) => {
        owing.add(slice);
        onError(error);
      })
      .finally(() => returning.delete(returned));
    returning.add(returned);
    return returned;
  }

  return {
    /** Resolves when the slice is returned, or kept for a retry because that failed: never rejects. */
    retire: retireNow,
    /** Retries returns that failed. */
    retryOwing(): void {
      for (const slice of owing) void retireNow(slice);
    },
    /** Resolves when all returns that were in progress at the call are done. */
    settled: async (): Promise<void> => void (await Promise.all(returning)),
  };
}
