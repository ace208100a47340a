import type { Sighting } from './eventPositions.ts';

/**
 * Up to where the order of a workspace's events is complete.
 *
 * Transactions take numbers in one order and commit in another: after event 7 is seen, event 6 may still come, and a reader that went on
 * from 7 would never get it. So an event is sent only once it is settled: when each transaction that can have taken a smaller number has
 * ended. A transaction has its id before it takes a number (the trigger sees to that). So a reader that sees event 7 takes an id too, the
 * barrier: whoever has number 6 has a smaller id. When the oldest running transaction is not older than the barrier, 7 is settled.
 * (`pg_snapshot_xmax` is no barrier: it is the id after the last one that has ended, and a running transaction may have a larger one.)
 *
 * The wait is as long as the transactions of that moment, a few milliseconds; a number that was rolled back is not waited for. No row is
 * written for it and no lock is taken, and each process finds it out by itself.
 */
export class Settling {
  /** Every event up to here is committed, or will never be. Undefined until it is known. */
  settled: number | undefined;
  /** The newest event seen. */
  seen = 0;
  /** Events up to `last` are settled when the transactions before `barrier` have ended. */
  #waiting: { last: number; barrier: bigint } | undefined;

  /** Whether another look may settle more. */
  get isOpen(): boolean {
    return this.settled === undefined || this.seen > this.settled;
  }

  /** A look that sees a newer event than this has to take a barrier. */
  get known(): number {
    return this.#waiting ? Number.MAX_SAFE_INTEGER : (this.settled ?? -1);
  }

  /** Whether the look settled something. */
  heed({ last, oldest, barrier }: Omit<Sighting, 'workspaceId'>): boolean {
    const before = this.settled;
    this.seen = Math.max(this.seen, last);
    if (this.#waiting && oldest >= this.#waiting.barrier) {
      this.settled = Math.max(this.settled ?? 0, this.#waiting.last);
      this.#waiting = undefined;
    }
    if (!this.#waiting && barrier !== null && last > this.known) this.#waiting = { last, barrier };
    return this.settled !== before;
  }
}
