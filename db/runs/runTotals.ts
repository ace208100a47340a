import { COUNTED_MAX, COUNTED_ROWS } from '../postgres/countedRows.ts';
import type { Rows } from '../postgres/rows.ts';
import { conditionOf, type RunFilter } from './listRuns.ts';

/** The runs of a list, and the sum of their bills in nano-USD: null when there are more than are counted. */
export interface RunTotals {
  count: number;
  costNanos: bigint | null;
}

/** The totals of what `readRuns` lists with this filter. A run that has not ended costs nothing yet. */
export async function readRunTotals(rows: Rows, filter: RunFilter): Promise<RunTotals> {
  const { text, values } = conditionOf(rows, filter);
  // Without an order, the planner may choose any scan.
  const totals = `
    select count(*)::int as count, coalesce(sum(total_nanos), 0)::bigint::text as nanos
    from (select total_nanos from runs where ${text} limit ${COUNTED_ROWS}) r`;
  const counted = await rows.statement(({ client }) => client.query<{ count: number; nanos: string }>(totals, values));
  const { count, nanos } = counted.rows[0]!;
  if (count > COUNTED_MAX) return { count: COUNTED_MAX, costNanos: null };
  return { count, costNanos: BigInt(nanos) };
}
