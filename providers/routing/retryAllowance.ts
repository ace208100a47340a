/** More attempts than calls: a fifth of the calls, and a few each second for a process with few calls. */
const SHARE = 0.2;
const PER_SECOND = 5;
const SAVED_MAX = 100;

/**
 * How many further attempts a process may make, so that a dead vendor does not multiply the load of the others. Each call adds a part of an
 * attempt; each attempt beyond a call's first takes one.
 */
export class RetryAllowance {
  readonly #nowMs: () => number;
  #saved = SAVED_MAX;
  #atMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#atMs = nowMs();
  }

  /** A call begins. */
  called(): void {
    if (this.#saved < SAVED_MAX) this.#saved += SHARE;
  }

  /** Whether another attempt may be made; it is then taken. */
  take(): boolean {
    const nowMs = this.#nowMs();
    this.#saved = Math.min(SAVED_MAX, this.#saved + ((nowMs - this.#atMs) / 1_000) * PER_SECOND);
    this.#atMs = nowMs;
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}
