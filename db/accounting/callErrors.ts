import { joinArchived } from '../postgres/archive.ts';
import type { Rows } from '../postgres/rows.ts';
import {
  isAskedForSql,
  isTime,
  memberSql,
  queryValuesOf,
  readLabels,
  timeNameSql,
  timeSlotSql,
  type CallsQuery,
  type CallsReport,
  type TimeGroup,
} from './callGroups.ts';
import { projectSql } from './projectSql.ts';
import { REFUSAL_DAYS } from './refusals.ts';
import { refusedProductSql } from './refusedProduct.ts';
import { hasNoCallSql } from './requestFilter.ts';
import { GROUPS_MAX } from './usageReport.ts';

/** The groups of errors beside times, each with its expression over a count `e`. */
const GROUPS = {
  code: 'e.code',
  model: 'e.model',
  key: 'e.key_id',
  product: 'e.product',
  member: memberSql('e.key_id'),
  project: projectSql('e.project_id'),
};

type ErrorDimension = keyof typeof GROUPS;
export const ERROR_DIMENSIONS = Object.keys(GROUPS) as [ErrorDimension, ...ErrorDimension[]];

/** Grouped by a time, a dimension, or both in this order. */
type ErrorQuery = CallsQuery<TimeGroup | ErrorDimension>;

export interface ErrorCounts {
  /** Calls that were refused before anything ran; kept for some days. */
  refused: number;
  /** Calls that ran and failed. */
  failed: number;
}

type ErrorReport = CallsReport<ErrorCounts>;

/** How many calls of a workspace were refused and failed, grouped. Undefined: there are more than `GROUPS_MAX` groups. */
export function readErrors(rows: Rows, query: ErrorQuery): Promise<ErrorReport | undefined> {
  return rows.transaction(async (tx) => {
    await joinArchived(tx, query);
    const values = await queryValuesOf(tx, query);
    const found = await tx.client.query<ErrorReport['rows'][number]>(errorsBy(query.groupBy), values);
    if (found.rows.length > GROUPS_MAX) return undefined;
    const sumOf = (name: keyof ErrorCounts) => found.rows.reduce((sum, row) => sum + row[name], 0);
    return {
      rows: found.rows,
      total: { refused: sumOf('refused'), failed: sumOf('failed') },
      labels: await readLabels(tx, query.groupBy),
    };
  });
}

// Raw: sums over two tables. A call in both has run: it failed, and the other row has its code. Keys are grouped before members are
// looked up.
function errorsBy(groupBy: ErrorQuery['groupBy']): string {
  const time = groupBy.find(isTime);
  const names = groupBy.map((group) => (isTime(group) ? timeNameSql(group, 'e.slot') : GROUPS[group]));
  const slotOf = (at: string) => (time ? timeSlotSql(time, at) : 'null::timestamptz');
  // Matches eight patterns for each refusal, so only where products are asked for.
  const productOf = (alias: string) => (groupBy.includes('product') ? refusedProductSql(`${alias}.route`) : 'null');
  return `
with facts as (
  select ${slotOf('q.settled_at')} as slot, c.code, q.model, q.key_id, q.product, q.project_id, 0 as refused, 1 as failed
  from requests q left join (${refusalsOf("interval '1 hour'")}) c on c.id = q.id
  where q.workspace_id = $1 and q.settled_at >= $2 and q.settled_at < $3 and q.status >= 400 and not q.cancelled
    and ${isAskedForSql('q')}
  union all
  select ${slotOf('r.created_at')}, r.code, r.model, r.key_id, ${productOf('r')}, r.project_id, r.calls, 0
  from (${refusalsOf("interval '0'")}) r
  where ${isAskedForSql('r')} and ${hasNoCallSql('r')}),
counted as (
  select slot, code, model, key_id, product, project_id, sum(refused) as refused, sum(failed) as failed from facts group by 1, 2, 3, 4, 5, 6)
select array[${names.join(', ')}]::text[] as names, sum(e.refused)::int as refused, sum(e.failed)::int as failed
from counted e group by 1 order by ${time ? '' : 'sum(e.refused + e.failed) desc, '}1 limit ${GROUPS_MAX + 1}`;
}

// By their time instead of their expiry, because the index of the workspace has it. A bill and its reason are not written at once.
const refusalsOf = (apart: string) => `
select * from refused_calls where workspace_id = $1 and created_at >= $2::timestamptz - ${apart} and created_at < $3::timestamptz + ${apart}
  and created_at > ledger_now($1) - interval '${REFUSAL_DAYS} days'`;
