import type { Pool } from 'pg';
import type { Spender } from './spender.ts';
import { returnFunds } from './statements.ts';

/** Money reserved for one call. */
export interface Hold {
  readonly id: string;
  /** The lease it was placed under: a lost lease loses its holds. */
  leaseId?: string;
  /** Called when the lease was lost and the money could not be reserved again: the call must end. */
  onLost?: () => void;
  readonly amountNanos: bigint;
  /** Smaller than requested, because no more was free: the call must be kept within it. */
  readonly partial: boolean;
  /**
   * Adds up to `moreNanos` and returns the added amount. 0: nothing more is free, so the call must end with what it has. A patient call
   * waits up to two seconds for what other calls hold.
   */
  grow(moreNanos: bigint, isPatient?: boolean): Promise<bigint>;
  /** Called when the settlement is on disk (or nothing is to be settled). Frees what was not charged, once. */
  end(chargedNanos: bigint): void;
}

/** A hold that can be placed again after its lease was lost. */
export interface CallHold extends Hold {
  readonly spender: Spender;
  /** From now on the hold is this database row, of the same amount. */
  moveTo(id: string): void;
}

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
