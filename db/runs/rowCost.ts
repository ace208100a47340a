import { runCostOf, type RunCost } from './runCost.ts';
import type { RunRow } from './runRow.ts';

/** Quantities in thousandths of a unit, by meter. */
export type Quantities = Record<string, number>;

/** Both together, without what was not used: in the order of the meters' names, as the database gives sums. */
export function sumOf(quantities: RunRow['meters'], more: Quantities): Quantities {
  const names = [...new Set([...Object.keys(quantities), ...Object.keys(more)])].toSorted();
  const sums = names.map((name) => [name, Number(quantities[name] ?? 0) + (more[name] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, quantity]) => quantity > 0));
}

/** What a run has consumed so far costs, never more than what is held for it. `minimumNanos` is what a completed one costs at the least. */
export function costOf(
  run: RunRow,
  { minimumNanos = 0n, more = {} }: { minimumNanos?: bigint; more?: Quantities } = {},
): RunCost {
  return runCostOf({
    rateCard: rateCardOf(run),
    meters: withMore(run.meters, more),
    minimumNanos,
    capNanos: BigInt(run.held_nanos),
  });
}

/** The same without a bound: what the meters are worth. For deciding whether a run may go on, and for what a failed one consumed. */
export function worthNanosOf(run: RunRow, more: Quantities = {}): bigint {
  const unbounded = 2n ** 62n;
  return runCostOf({ rateCard: rateCardOf(run), meters: withMore(run.meters, more), capNanos: unbounded }).totalNanos;
}

function rateCardOf({ rate_card: card }: RunRow) {
  return {
    rates: card.meters.map(({ id, price_usd }) => ({ meter: id, price_usd })),
    network_fee_percentage: card.network_fee_percentage,
  };
}

function withMore(meters: RunRow['meters'], more: Quantities): Record<string, bigint> {
  const all: Record<string, bigint> = {};
  for (const [meter, quantity] of [...Object.entries(meters), ...Object.entries(more)]) {
    all[meter] = (all[meter] ?? 0n) + BigInt(quantity);
  }
  return all;
}
