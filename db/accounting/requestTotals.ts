import { withArchived } from '../postgres/archive.ts';
import type { Bound, Rows } from '../postgres/rows.ts';
import { COUNTED_MAX, countedRowsSql } from '../postgres/countedRows.ts';
import { requestsWhere, type RequestFilter, type RequestsWhere } from './requestFilter.ts';

/** The entries of a list of calls, and their cost. */
export interface RequestTotals {
  count: number;
  /** How many calls the entries stand for. */
  calls: number;
  /** In nano-USD; null when there are more entries than are counted. */
  costNanos: bigint | null;
}

/** The totals of what `listRequests` lists with this filter. */
export function readRequestTotals(rows: Rows, filter: RequestFilter): Promise<RequestTotals> {
  return rows.transaction(async (tx) => {
    const where = await requestsWhere(tx, filter);
    return withArchived(tx, {
      within: where.within,
      read: () => countRequests(tx, where),
      // More are not counted.
      reaches: ({ costNanos }) => (costNanos === null ? new Date() : undefined),
    });
  });
}

async function countRequests(tx: Bound, where: RequestsWhere): Promise<RequestTotals> {
  const ended = countedRowsSql(tx, tx.Request, { column: 'costNanos', where: where.ended });
  const refused = countedRowsSql(tx, tx.RefusedCall, { column: 'calls', where: where.refused ?? { id: [] } });
  const counted = await tx.client.query<Counted>(totalsOf(ended, refused));
  const { ended: endedCount, refused: refusedCount, calls, nanos } = counted.rows[0]!;
  const count = endedCount + refusedCount;
  if (count > COUNTED_MAX) return { count: COUNTED_MAX, calls: COUNTED_MAX, costNanos: null };
  return { count, calls: endedCount + calls, costNanos: BigInt(nanos) };
}

interface Counted {
  ended: number;
  refused: number;
  calls: number;
  nanos: string;
}

// Raw: the sums of both parts in one statement. Without an order, the planner may choose any scan. Refusals are not read where there are too
// many calls already.
const totalsOf = (ended: string, refused: string) => `
select * from (select count(*)::int as ended, coalesce(sum(cost_nanos), 0)::bigint::text as nanos from (${ended}) e) e
cross join lateral (
  select count(*)::int as refused, coalesce(sum(calls), 0)::int as calls from (${refused}) r where e.ended <= ${COUNTED_MAX}) r`;
