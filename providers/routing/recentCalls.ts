/** What is kept of the calls of five minutes: slots of half a minute, each with a histogram. */
const SLOTS = 10;
const SLOT_MS = 30_000;
// From 1 ms on, each bucket is 8 % wider: the last one begins at about half an hour.
const GROWTH = Math.log(1.08);
const BUCKETS = 188;
// Percentiles change little within a second, and are asked for by every call.
const FRESH_MS = 500;

interface Slot {
  number: number;
  calls: number;
  failures: number;
  waits: Uint32Array;
}

/**
 * The calls of the last five minutes at one place: how many, how many failed, and how long the first byte took (a whole answer: its end).
 * Takes no memory until its first call, and a fixed amount from then on.
 */
export class RecentCalls {
  readonly #nowMs: () => number;
  #slots: Slot[] = [];
  #summary = { atMs: -Infinity, calls: 0, failures: 0, p95Ms: undefined as number | undefined };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A call that was answered after this time, or that was left then, for another upstream. */
  answered(waitMs: number): void {
    const slot = this.#slot();
    slot.calls += 1;
    slot.waits[bucketOf(waitMs)]! += 1;
  }

  failed(): void {
    const slot = this.#slot();
    slot.calls += 1;
    slot.failures += 1;
  }

  /** An answer that was counted as one turned out to be broken. */
  broke(): void {
    this.#slot().failures += 1;
  }

  /** Calls, failures, and the time in which 95 % of the answers came; undefined without any. At most half a second old. */
  summary(): { readonly calls: number; readonly failures: number; readonly p95Ms: number | undefined } {
    const atMs = this.#nowMs();
    if (atMs - this.#summary.atMs >= FRESH_MS) this.#summary = { atMs, ...this.#sum(atMs) };
    return this.#summary;
  }

  #sum(atMs: number) {
    const oldest = numberAt(atMs) - SLOTS + 1;
    const live = this.#slots.filter(({ number }) => number >= oldest);
    const calls = live.reduce((sum, slot) => sum + slot.calls, 0);
    const failures = live.reduce((sum, slot) => sum + slot.failures, 0);
    return { calls, failures, p95Ms: percentile95(live) };
  }

  #slot(): Slot {
    const number = numberAt(this.#nowMs());
    const at = number % SLOTS;
    const known = this.#slots[at];
    if (known?.number === number) return known;
    const waits = known?.waits.fill(0) ?? new Uint32Array(BUCKETS);
    return (this.#slots[at] = { number, calls: 0, failures: 0, waits });
  }
}

const numberAt = (atMs: number): number => Math.floor(atMs / SLOT_MS);

const bucketOf = (waitMs: number): number => Math.min(BUCKETS - 1, Math.floor(Math.log(Math.max(1, waitMs)) / GROWTH));

/** The upper end of the bucket in which the call stands that 95 % are faster than. */
function percentile95(slots: readonly Slot[]): number | undefined {
  const sums = Array.from({ length: BUCKETS }, (_, at) => slots.reduce((sum, { waits }) => sum + waits[at]!, 0));
  const total = sums.reduce((sum, count) => sum + count, 0);
  let left = Math.ceil(total * 0.95);
  for (const [at, count] of sums.entries()) {
    left -= count;
    if (count > 0 && left <= 0) return Math.exp((at + 1) * GROWTH);
  }
  return undefined;
}
