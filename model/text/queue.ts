import { createPlaces, PlacesFull } from '../../base/places.ts';
import { overloaded } from '../requestError.ts';

// Until a place has been used, a typical short answer on one core.
const FIRST_HELD_MS = 2_000;
// Weight of the newest use of a place in the average.
const NEWEST_SHARE = 0.2;

/** Hands out a fixed set of places, first come first served, and refuses when too many wait. */
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

  /** Position of the caller of this signal among those that wait: 1 is next, 0 when it does not wait. */
  positionOf(signal: AbortSignal): number {
    return this.#turns.positionOf(signal);
  }

  /**
   * Waits for a place; give it back with `release`.
   * @throws RequestError 503 `overloaded` when the queue is full, or the signal's reason when the caller leaves it.
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
   * Between two parts of a long call: serves the waiting callers first, and returns a place to continue with, the same one when the queue is
   * empty. `empty` makes the place ready for another caller. The queue's limit does not count for a caller that has a place already.
   */
  async takeTurns(place: T, signal: AbortSignal, empty: (place: T) => Promise<void>): Promise<T> {
    if (this.waiting === 0) return place;
    await empty(place);
    return this.#hold(await this.#turns.retake(this.#putBack(place), { signal }));
  }

  // A turn is given only when a place is free.
  #hold(leave: () => void): T {
    const place = this.#free.pop()!;
    this.#held.set(place, { leave, sinceMs: performance.now() });
    return place;
  }

  /** Puts a place back; returns what gives its turn to the next caller. */
  #putBack(place: T): () => void {
    const { leave, sinceMs } = this.#held.get(place)!;
    this.#averageHeldMs += (performance.now() - sinceMs - this.#averageHeldMs) * NEWEST_SHARE;
    this.#held.delete(place);
    this.#free.push(place);
    return leave;
  }
}
