import { withArchived } from '../postgres/archive.ts';
import type { Bound, Rows } from '../postgres/rows.ts';
import { COUNTED_MAX, countedRowsSql } from '../postgres/countedRows.ts';
import { entriesWhere, mayBeArchived, ownTable, type LedgerFilter } from './ledgerFilter.ts';

/** The entries of a list of the ledger, and their sums in nano-USD. */
export interface LedgerTotals {
  count: number;
  /** Undefined: there are more entries than are counted. */
  sums?: {
    /** Of the entries that change the balance. */
    changeNanos: bigint;
    /** Of the others. */
    besideNanos: bigint;
  };
}

/** The totals of what `listLedgerEntries` lists with this filter. */
export function readLedgerTotals(
  rows: Rows,
  { accountId, filter }: { accountId: string; filter: LedgerFilter },
): Promise<LedgerTotals> {
  return rows.transaction((tx) => {
    const read = () => countEntries(tx, { accountId, filter });
    if (!mayBeArchived(filter)) return read();
    // More are not counted.
    return withArchived(tx, { within: filter, read, reaches: ({ sums }) => (sums ? undefined : new Date()) });
  });
}

async function countEntries(
  tx: Bound,
  { accountId, filter }: { accountId: string; filter: LedgerFilter },
): Promise<LedgerTotals> {
  const { own, beside } = await entriesWhere(tx, accountId, filter);
  const ownSql = countedRowsSql(tx, ownTable(tx, filter), { column: 'amountNanos', where: own });
  const besideSql = countedRowsSql(tx, tx.LedgerLeg, { column: 'amountNanos', where: beside });
  const counted = await tx.client.query<Counted>(totalsOf(ownSql, besideSql));
  const { count, change, besides } = counted.rows[0]!;
  if (count > COUNTED_MAX) return { count: COUNTED_MAX };
  return { count, sums: { changeNanos: BigInt(change), besideNanos: BigInt(besides) } };
}

interface Counted {
  count: number;
  change: string;
  besides: string;
}

// Raw: the sums of both parts in one statement. Without an order, the planner may choose any scan.
const totalsOf = (own: string, beside: string) => `
select (o.count + b.count)::int as count, o.nanos::text as change, b.nanos::text as besides
from (select count(*), coalesce(sum(amount_nanos), 0)::bigint as nanos from (${own}) o) o,
  (select count(*), coalesce(sum(amount_nanos), 0)::bigint as nanos from (${beside}) b) b`;
