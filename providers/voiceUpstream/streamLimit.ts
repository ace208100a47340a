// Sound that keeps up with its listener is never late: no codec here has fewer bytes a second.
const BYTES_PER_SECOND = 1_024;

/**
 * Limits how long an upstream may keep the listener of a stream waiting, in all. What has come extends the limit, at the rate of the most
 * compressed sound, and the time in which the listener takes nothing does not count. A stream that trickles would hold its connection and
 * its money for as long as it liked.
 */
export class StreamLimit {
  readonly #giveUp: () => void;
  #dueMs: number;
  #pausedAtMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, giveUp: () => void) {
    this.#giveUp = giveUp;
    this.#dueMs = performance.now() + limitMs;
    this.#arm();
  }

  /** Bytes have come; their listener takes them until `resume`. */
  pause(bytes: number): void {
    this.#dueMs += (bytes * 1000) / BYTES_PER_SECOND;
    this.#pausedAtMs = performance.now();
  }

  resume(): void {
    if (this.#pausedAtMs === undefined) return;
    this.#dueMs += performance.now() - this.#pausedAtMs;
    this.#pausedAtMs = undefined;
    if (this.#timer === undefined) this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    this.#timer = setTimeout(() => this.#check(), Math.max(1, this.#dueMs - performance.now()));
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#pausedAtMs !== undefined) return;
    if (performance.now() >= this.#dueMs) this.#giveUp();
    else this.#arm();
  }
}
