import { overloaded } from '../requestError.ts';

// Until a place has been used, a typical short answer on one core.
const FIRST_HELD_MS = 2_000;
// How much the newest use of a place counts in the average.
const NEWEST_SHARE = 0.2;

/** Hands out a fixed set of places, first come first served, and refuses when too many wait. */
export class Queue<T> {
  readonly #free: T[];
  readonly #placesTotal: number;
  readonly #waitingMax: number;
  readonly #waiting: Array<{ take: (place: T) => void; signal: AbortSignal }> = [];
  readonly #takenAtMs = new Map<T, number>();
  #averageHeldMs = FIRST_HELD_MS;

  constructor(places: T[], waitingMax: number) {
    this.#free = [...places];
    this.#placesTotal = places.length;
    this.#waitingMax = waitingMax;
  }

  get running(): number {
    return this.#takenAtMs.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many of those that wait come before the caller of this signal, and the caller: 1 is next. 0 when it does not wait. */
  positionOf(signal: AbortSignal): number {
    return this.#waiting.findIndex((entry) => entry.signal === signal) + 1;
  }

  /**
   * Waits for a place; give it back with `release`.
   * @throws RequestError 503 `overloaded` when the queue is full, or the signal's reason when the caller leaves it.
   */
  async acquire(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const place = this.#free.pop();
    if (place !== undefined) return this.#taken(place);
    if (this.#waiting.length >= this.#waitingMax) throw overloaded(this.#expectedWaitMs());
    return this.#wait(signal);
  }

  release(place: T): void {
    const heldMs = performance.now() - this.#takenAtMs.get(place)!;
    this.#averageHeldMs += (heldMs - this.#averageHeldMs) * NEWEST_SHARE;
    this.#takenAtMs.delete(place);
    const next = this.#waiting.shift();
    if (next) next.take(place);
    else this.#free.push(place);
  }

  /**
   * Between two parts of a long call: lets those that wait go first, and returns a place to go on with, the same one when nobody waits.
   * `empty` makes the place ready for another caller. The queue's limit does not count for who has a place already.
   */
  async takeTurns(place: T, signal: AbortSignal, empty: (place: T) => Promise<void>): Promise<T> {
    if (this.#waiting.length === 0) return place;
    await empty(place);
    const next = this.#wait(signal);
    this.release(place);
    return next;
  }

  #taken(place: T): T {
    this.#takenAtMs.set(place, performance.now());
    return place;
  }

  #expectedWaitMs(): number {
    return (this.#waiting.length * this.#averageHeldMs) / this.#placesTotal;
  }

  #wait(signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const entry = {
        signal,
        take: (place: T) => {
          signal.removeEventListener('abort', leave);
          resolve(this.#taken(place));
        },
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(entry);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
