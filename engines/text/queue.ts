import { createPlaces, PlacesFull } from '../../base/places.ts';
import { overloaded } from '../../rules/protocol/requestError.ts';

// Before its first use, a place counts with a typical short answer on one core.
const FIRST_HELD_MS = 2_000;
// Weight of the newest use of a place in the average.
const NEWEST_SHARE = 0.2;

/** Hands out a fixed set of places in order of arrival, and refuses when too many wait. */
export class Queue<T> {
  readonly #turns: ReturnType<typeof createPlaces>;
  readonly #free: T[];
  readonly #placesTotal: number;
  readonly #held = new Map<T, { leave: () => void; sinceMs: number }>();
  #averageHeldMs = FIRST_HELD_MS;

  constructor(places: T[], waitingMax: number) {
    this.#turns = createPlaces({ atOnce: places.length, waitingMax });
    this.#free = [...places];
    this.#placesTotal = places.length;
  }

  get running(): number {
    return this.#held.size;
  }

  get waiting(): number {
    return this.#turns.waitingCount();
  }

  /** The position of this signal's caller in the queue: 1 is next, 0 means not waiting. */
  positionOf(signal: AbortSignal): number {
    return this.#turns.positionOf(signal);
  }

  /**
   * Waits for a place; `release` returns it.
   * @throws RequestError 503 `overloaded` when the queue is full, or the signal's reason when the caller disconnects.
   */
  async acquire(signal: AbortSignal): Promise<T> {
    try {
      return this.#hold(await this.#turns.take({ signal }));
    } catch (error) {
      throw error instanceof PlacesFull ? overloaded((this.waiting * this.#averageHeldMs) / this.#placesTotal) : error;
    }
  }

  release(place: T): void {
    this.#putBack(place)();
  }

  /**
   * Between two parts of a long call: serves the waiting callers first, and returns a place to continue with, the same one when the queue
   * is empty. `empty` prepares the place for another caller. The queue's limit does not apply to a caller that already has a place.
   */
  async takeTurns(place: T, signal: AbortSignal, empty: (place: T) => Promise<void>): Promise<T> {
    if (this.waiting === 0) return place;
    await empty(place);
    return this.#hold(await this.#turns.retake(this.#putBack(place), { signal }));
  }

  // Called only when a place is free.
  #hold(leave: () => void): T {
    const place = this.#free.pop()!;
    this.#held.set(place, { leave, sinceMs: performance.now() });
    return place;
  }

  /** Returns a place; the result serves the next caller. */
  #putBack(place: T): () => void {
    const { leave, sinceMs } = this.#held.get(place)!;
    this.#averageHeldMs += (performance.now() - sinceMs - this.#averageHeldMs) * NEWEST_SHARE;
    this.#held.delete(place);
    this.#free.push(place);
    return leave;
  }
}
