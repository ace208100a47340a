import type { UsageReport, UsageRow } from '../api/shapes.ts';

/** The name of a row in its group: null for calls outside the grouping, such as calls without an agent. */
export const valueOf = (row: UsageRow, by: string): string | null => (row[by] as string | null | undefined) ?? null;

export const nameOf = (row: UsageRow, by: string): string => row.label ?? valueOf(row, by) ?? NAMELESS[by] ?? 'None';

// The name of rows outside a grouping.
const NAMELESS: Record<string, string> = {
  model: 'Runs of agents',
  route: 'Runs of agents',
  agent: 'Calls of models',
  key: 'Without a key',
  member: 'Without a person',
};

/** The rows of a report by day and group, summed over its days; the most expensive first. */
export function summed({ data }: UsageReport, by: string): UsageRow[] {
  const sums = new Map<string | null, UsageRow>();
  for (const row of data) {
    const value = valueOf(row, by);
    const sum = sums.get(value);
    sums.set(value, sum ? added(sum, row) : { ...row, day: undefined });
  }
  return [...sums.values()].toSorted((one, other) => other.cost_usd - one.cost_usd);
}

function added(sum: UsageRow, row: UsageRow): UsageRow {
  return {
    ...sum,
    requests: sum.requests + row.requests,
    runs: sum.runs + row.runs,
    errors: sum.errors + row.errors,
    cost_usd: nano(sum.cost_usd + row.cost_usd),
    units: addedUnits(sum.units, row.units),
  };
}

function addedUnits(one: UsageRow['units'], other: UsageRow['units']): UsageRow['units'] {
  const quantities = new Map(one.map(({ unit, quantity }) => [unit, quantity]));
  for (const { unit, quantity } of other) quantities.set(unit, (quantities.get(unit) ?? 0) + quantity);
  return [...quantities].map(([unit, quantity]) => ({ unit, quantity }));
}

/** Sums of dollars as binary fractions are off by less than a nano. */
const nano = (usd: number): number => Math.round(usd * 1e9) / 1e9;
