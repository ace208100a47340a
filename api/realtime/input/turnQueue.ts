import { durationMsOf, TURN_MS_MAX } from './inputBuffer.ts';

// Samples wait in memory: as much as the longest turn has.
const WAITING_MS_MAX = TURN_MS_MAX;

/** Turns that are written down one after another, also after one that failed. */
export class TurnQueue {
  #last: Promise<void> = Promise.resolve();
  /** Sound that waits to be written down. */
  #waitingMs = 0;
  #onRoom: (() => void)[] = [];

  /** Calls `write` once the turns before are written down or have failed. */
  add(samples: Int16Array[], write: () => Promise<void>): void {
    const ms = durationMsOf(samples);
    this.#waitingMs += ms;
    this.#last = this.#last
      .catch(() => {})
      .then(write)
      .finally(() => {
        this.#waitingMs -= ms;
        if (this.#waitingMs <= WAITING_MS_MAX) for (const resolve of this.#onRoom.splice(0)) resolve();
      });
    this.#last.catch(() => {});
  }

  /** Resolves when more sound may come: a client may send it faster than it is written down. Undefined: at once. */
  room(): Promise<void> | undefined {
    if (this.#waitingMs <= WAITING_MS_MAX) return undefined;
    return new Promise((resolve) => this.#onRoom.push(resolve));
  }

  /** Resolves when everything so far is written down or has failed. */
  ended(): Promise<void> {
    return this.#last.catch(() => {});
  }

  /** Resolves when everything so far is written down; rejects when the last turn could not be, but only once: then the session goes on. */
  async done(): Promise<void> {
    const last = this.#last;
    try {
      await last;
    } catch (error) {
      if (this.#last === last) this.#last = Promise.resolve();
      throw error;
    }
  }
}
