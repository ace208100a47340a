import { meterName } from '../agents/names.ts';
import type { Configuration } from './configuration.ts';

/** A price in two versions, in US dollars; undefined: it has none. */
export interface PriceLine {
  label: string;
  from: number | undefined;
  to: number | undefined;
}

type Prices = Configuration['pricing'];

/** The prices that differ between two versions. */
export function priceLines(from: Prices | undefined, to: Prices): PriceLine[] {
  const ratesOf = ({ rates }: Prices) =>
    new Map<string, number>(rates.map(({ meter, price_usd: usd }) => [meter, usd]));
  const before = from ? ratesOf(from) : new Map<string, number>();
  const after = ratesOf(to);
  const meters = [...new Set([...before.keys(), ...after.keys()])];
  const lines = [
    { label: 'Min cost of a run', from: from?.minimum_cost_usd, to: to.minimum_cost_usd },
    { label: 'Max cost of a run', from: from?.maximum_cost_usd, to: to.maximum_cost_usd },
    ...meters.map((meter) => ({ label: meterName(meter), from: before.get(meter), to: after.get(meter) })),
  ];
  return lines.filter((line) => line.from !== line.to);
}

/** Whether any of these prices rises. */
export const isDearer = (lines: PriceLine[]): boolean => lines.some(({ from, to }) => (to ?? 0) > (from ?? 0));
