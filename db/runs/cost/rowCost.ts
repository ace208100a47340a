import { runCostOf, type RunCost } from './runCost.ts';
import type { RunRow } from '../runRow.ts';

/** Quantities in thousandths of a unit, by meter. */
export type Quantities = Record<string, number>;

/** Both together, without what was not used. */
export function sumOf(quantities: RunRow['meters'], more: Quantities): Quantities {
  const sums = Object.entries(withMore(quantities, more)).filter(([, quantity]) => quantity > 0n);
  return Object.fromEntries(sums.map(([name, quantity]) => [name, Number(quantity)]));
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
    rates: card.meters.map(({ id, price_usd, platform_cost_usd }) => ({ meter: id, price_usd, platform_cost_usd })),
    network_fee_percentage: card.network_fee_percentage,
    subsidised: card.subsidised,
  };
}

// In the order of their names, wherever they come from: the database has an order of its own for what it keeps as JSON.
function withMore(meters: RunRow['meters'], more: Quantities): Record<string, bigint> {
  const names = [...new Set([...Object.keys(meters), ...Object.keys(more)])].toSorted();
  return Object.fromEntries(names.map((name) => [name, BigInt(meters[name] ?? 0) + BigInt(more[name] ?? 0)]));
}
