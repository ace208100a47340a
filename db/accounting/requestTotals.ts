import type { Rows } from '../postgres/rows.ts';
import { selectSql } from '../postgres/selectSql.ts';
import { requestsWhere, type RequestFilter } from './requestFilter.ts';

/** Limit on the number of entries that are counted: about half a second of the database. */
export const TOTALS_MAX = 500_000;

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
    const rowsMax = TOTALS_MAX + 1;
    const where = await requestsWhere(tx, filter);
    const ended = selectSql(tx, tx.Request, { column: 'costNanos', where: where.ended, rowsMax });
    const refused = selectSql(tx, tx.RefusedCall, { column: 'calls', where: where.refused ?? { id: [] }, rowsMax });
    const counted = await tx.client.query<Counted>(totalsOf(ended, refused));
    const { ended: endedCount, refused: refusedCount, calls, nanos } = counted.rows[0]!;
    const count = endedCount + refusedCount;
    if (count > TOTALS_MAX) return { count: TOTALS_MAX, calls: TOTALS_MAX, costNanos: null };
    return { count, calls: endedCount + calls, costNanos: BigInt(nanos) };
  });
}

interface Counted {
  ended: number;
  refused: number;
  calls: number;
  nanos: string;
}

// Raw: the sums of both parts in one statement. Without an order, the database reads them as it likes.
const totalsOf = (ended: string, refused: string) => `
select * from (select count(*)::int as ended, coalesce(sum(cost_nanos), 0)::bigint::text as nanos from (${ended}) e) e,
  (select count(*)::int as refused, coalesce(sum(calls), 0)::int as calls from (${refused}) r) r`;
