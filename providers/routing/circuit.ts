/** How long an upstream is left alone after its circuit has opened, less up to a fifth, so that processes do not return together. */
const COOL_DOWN_MS = 30_000;
const JITTER = 0.2;
const RETRY_AFTER_MAX_MS = 60_000;
const FAILURES_IN_A_ROW = 5;
/** Half of so many calls, of which there are at least so many. */
const LAST_CALLS = 20;
const LAST_CALLS_MIN = 10;
const LATE_IN_A_ROW = 3;

export type CircuitState = 'closed' | 'open' | 'half_open';

/** Why a circuit opened. */
export type CircuitReason = 'silent' | 'failing' | 'late' | 'refused_account' | 'overloaded';

export interface CircuitOptions {
  nowMs?: () => number;
  random?: () => number;
}

/**
 * Whether calls go to an upstream. States:
 *
 * - closed -> open: it did not answer, refuses the platform's account, or asks to come back later (at once); five failures in a row, half of
 *   the last twenty calls (of at least ten), or three calls in a row that another upstream answered before it.
 * - open -> half open: after the cool-down. One call each cool-down then tries it.
 * - half open -> closed: that call, or any other, was answered; half open -> open: it failed.
 *
 * An open circuit only puts the upstream last: it is tried when no other is left.
 */
export class Circuit {
  readonly #nowMs: () => number;
  readonly #random: () => number;
  #isOpen = false;
  #untilMs = 0;
  #failures = 0;
  #late = 0;
  /** The last calls, a bit for each that failed, and how many of the bits are calls. */
  #bits = 0;
  #calls = 0;
  reason: CircuitReason | undefined;

  constructor({ nowMs = () => performance.now(), random = Math.random }: CircuitOptions = {}) {
    this.#nowMs = nowMs;
    this.#random = random;
  }

  get isClosed(): boolean {
    return !this.#isOpen;
  }

  get state(): CircuitState {
    if (!this.#isOpen) return 'closed';
    return this.#nowMs() < this.#untilMs ? 'open' : 'half_open';
  }

  /** Whether this call may try the upstream in its order; of a half-open one, the first to ask. */
  mayTry(): boolean {
    if (!this.#isOpen) return true;
    if (this.#nowMs() < this.#untilMs) return false;
    this.#untilMs = this.#nowMs() + this.#coolDownMs();
    return true;
  }

  answered(): void {
    if (this.#isOpen) this.#close();
    this.#failures = 0;
    this.#late = 0;
    this.#note(0);
  }

  /** A failure. `isLate`: another upstream answered before this one. */
  failed({ isLate = false } = {}): void {
    this.#note(1);
    this.#failures += 1;
    this.#late = isLate ? this.#late + 1 : 0;
    if (this.#isOpen) return this.open(this.reason ?? 'failing');
    if (this.#late >= LATE_IN_A_ROW) return this.open('late');
    if (this.#failures >= FAILURES_IN_A_ROW || this.#isHalfFailing()) this.open('failing');
  }

  /** The last answer turned out to be broken. */
  broke(): void {
    this.#bits |= 1;
    if (!this.#isOpen && this.#isHalfFailing()) this.open('failing');
  }

  /** Opens at once, for the cool-down or for as long as the upstream has asked for. */
  open(reason: CircuitReason, forMs?: number): void {
    this.#isOpen = true;
    this.reason = reason;
    this.#untilMs = this.#nowMs() + (forMs === undefined ? this.#coolDownMs() : Math.min(forMs, RETRY_AFTER_MAX_MS));
  }

  #close(): void {
    this.#isOpen = false;
    this.reason = undefined;
    this.#bits = 0;
    this.#calls = 0;
  }

  #note(bit: 0 | 1): void {
    this.#bits = ((this.#bits << 1) | bit) & (2 ** LAST_CALLS - 1);
    if (this.#calls < LAST_CALLS) this.#calls += 1;
  }

  #isHalfFailing(): boolean {
    if (this.#calls < LAST_CALLS_MIN) return false;
    let failed = 0;
    for (let left = this.#bits; left !== 0; left &= left - 1) failed += 1;
    return failed * 2 >= this.#calls;
  }

  #coolDownMs = (): number => COOL_DOWN_MS * (1 - JITTER * this.#random());
}
