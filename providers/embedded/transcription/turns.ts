import { ProviderError } from '../../provider.ts';

/** Lets a number of callers work at once and a number of others wait, first come, first served. */
export class Turns {
  #free: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];

  constructor({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }) {
    this.#free = atOnce;
    this.#waitingMax = waitingMax;
  }

  /** Resolves when it is the caller's turn; `end` must follow. Rejects as `overloaded`, or with the signal's reason. */
  async begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.length >= this.#waitingMax) {
      throw new ProviderError('overloaded', 'too many transcriptions are under way', { retryAfterMs: 1000 });
    }
    await this.#wait(signal);
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      const take = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(take);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
