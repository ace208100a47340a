import { overloaded } from '../requestError.ts';

/** Hands out a fixed set of places, first come first served, and refuses when too many wait. */
export class Queue<T> {
  readonly #free: T[];
  readonly #waitingMax: number;
  readonly #waiting: Array<(place: T) => void> = [];
  #running = 0;

  constructor(places: T[], waitingMax: number) {
    this.#free = [...places];
    this.#waitingMax = waitingMax;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a place; give it back with `release`.
   * @throws RequestError 503 `overloaded` when the queue is full, or the signal's reason when the caller leaves it.
   */
  async acquire(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const place = this.#free.pop() ?? (await this.#wait(signal));
    this.#running += 1;
    return place;
  }

  release(place: T): void {
    this.#running -= 1;
    const next = this.#waiting.shift();
    if (next) next(place);
    else this.#free.push(place);
  }

  #wait(signal: AbortSignal): Promise<T> {
    if (this.#waiting.length >= this.#waitingMax) throw overloaded();
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      const take = (place: T) => {
        signal.removeEventListener('abort', leave);
        resolve(place);
      };
      this.#waiting.push(take);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
