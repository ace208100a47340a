/** What is kept of the calls of five minutes: slots of half a minute, each with a histogram. */
const SLOTS = 10;
const SLOT_MS = 30_000;
// From 1 ms on, each bucket is 8 % wider: the last one begins at about half an hour.
const GROWTH = Math.log(1.08);
const BUCKETS = 188;
// Percentiles change little within a second, and are asked for by every call.
const FRESH_MS = 500;
/** Fewer calls say nothing about the usual time. */
const USUAL_CALLS_MIN = 20;
// Of a sane upstream. A cold start, or a slow period, moves the p95 of few calls far beyond that.
const P95_TO_MEDIAN_MAX = 3;

/** The calls of the last five minutes. */
interface Summary {
  readonly calls: number;
  readonly failures: number;
  /** The time in which 95 % of the answers came; undefined without any. */
  readonly p95Ms: number | undefined;
  /** The p95 of its best half minute of enough calls: what it was before it became slow. Undefined with fewer than 20 calls. */
  readonly usualMs: number | undefined;
}

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
  #atMs = -Infinity;
  #summary: Summary = { calls: 0, failures: 0, p95Ms: undefined, usualMs: undefined };

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

  /** At most half a second old. */
  summary(): Summary {
    const atMs = this.#nowMs();
    if (atMs - this.#atMs < FRESH_MS) return this.#summary;
    this.#atMs = atMs;
    this.#summary = this.#sum(atMs);
    return this.#summary;
  }

  #sum(atMs: number): Summary {
    const oldest = numberAt(atMs) - SLOTS + 1;
    const live = this.#slots.filter(({ number }) => number >= oldest);
    const calls = live.reduce((sum, slot) => sum + slot.calls, 0);
    const failures = live.reduce((sum, slot) => sum + slot.failures, 0);
    return { calls, failures, p95Ms: percentile(live, 0.95), usualMs: usualOf(live) };
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

function usualOf(slots: readonly Slot[]): number | undefined {
  const full = slots.filter((slot) => answersOf(slot) >= USUAL_CALLS_MIN);
  const parts = full.length > 0 ? full.map((slot) => [slot]) : [slots];
  if (parts[0]!.reduce((sum, slot) => sum + answersOf(slot), 0) < USUAL_CALLS_MIN) return undefined;
  const usual = parts.map((part) => Math.min(percentile(part, 0.95)!, P95_TO_MEDIAN_MAX * percentile(part, 0.5)!));
  return Math.min(...usual);
}

const answersOf = ({ waits }: Slot): number => waits.reduce((sum, count) => sum + count, 0);

/** The upper end of the bucket in which the call stands that this share is faster than. */
function percentile(slots: readonly Slot[], share: number): number | undefined {
  const sums = Array.from({ length: BUCKETS }, (_, at) => slots.reduce((sum, { waits }) => sum + waits[at]!, 0));
  const total = sums.reduce((sum, count) => sum + count, 0);
  let left = Math.ceil(total * share);
  for (const [at, count] of sums.entries()) {
    left -= count;
    if (count > 0 && left <= 0) return Math.exp((at + 1) * GROWTH);
  }
  return undefined;
}
