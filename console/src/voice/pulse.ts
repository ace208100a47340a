/** After so long without an event the service is asked for one. */
export const ASK_AFTER_MS = 15_000;
/** A question that was not answered for so long: the connection is lost, though nothing closed it. */
export const LOST_AFTER_MS = 30_000;

/** Tells a quiet connection from a lost one, which a browser may report only after many minutes. */
export class Pulse {
  readonly #ask: () => void;
  readonly #onLost: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Begins to wait. `ask` sends what the service answers at once. */
  constructor({ ask, onLost }: { ask: () => void; onLost: () => void }) {
    this.#ask = ask;
    this.#onLost = onLost;
    this.heard();
  }

  /** An event arrived. */
  heard(): void {
    this.#wait(ASK_AFTER_MS, () => {
      this.#ask();
      this.#wait(LOST_AFTER_MS, this.#onLost);
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }
}
