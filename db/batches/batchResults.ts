import { TAKES_RESULTS } from '../ledger/billedLines.ts';
import type { Bill } from '../ledger/ledger.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Rows } from '../postgres/rows.ts';

type Everywhere = Rows<undefined>;

/**
 * The bill of an answered line that a worker of an earlier release stored before it billed the line: without the batch's own data, the
 * spender and the product.
 */
type KeptBill = Omit<Bill, 'spender' | 'costNanos' | 'product'> & { costNanos: string; chargedNanos: string };

/** The result of one line that is not billed with it: `bill` is null for a failed line. */
export interface LineResult {
  line: number;
  isFailed: boolean;
  requestId: string;
  /** The line of the output or error file. */
  output: string;
  bill: KeptBill | null;
}

/**
 * Stores results and counts them, once for each line, and none once the batch's files are written: returns the lines that were stored.
 */
export async function storeResults(
  everywhere: Everywhere,
  { batchId, workspaceId }: { batchId: string; workspaceId: string },
  results: LineResult[],
): Promise<Set<number>> {
  const column = <Name extends keyof LineResult>(name: Name) => results.map((result) => result[name]);
  const bills = results.map(({ bill }) => bill && JSON.stringify(bill));
  const values = [
    batchId,
    workspaceId,
    column('line'),
    column('isFailed'),
    column('requestId'),
    column('output'),
    bills,
  ];
  const stored = await everywhere.statement(({ client }) =>
    client.query<{ line: number }>({ name: 'batch_results_store', text: STORE, values }),
  );
  return new Set(stored.rows.map(({ line }) => line));
}

// Raw: one statement stores, counts and sums the new results, so counts are exact however often a line is tried.
const STORE = `
with open as (select id from batches where id = $1 and ${TAKES_RESULTS} for update),
stored as (
  insert into batch_results (batch_id, line, workspace_id, is_failed, request_id, output, bill)
  select open.id, r.line, $2, r.is_failed, r.request_id, r.output, r.bill
  from open, unnest($3::int[], $4::boolean[], $5::text[], $6::text[], $7::jsonb[]) as r(line, is_failed, request_id, output, bill)
  order by r.line on conflict do nothing returning line, is_failed, bill
), sums as (
  select count(*) filter (where not is_failed) as completed, count(*) filter (where is_failed) as failed,
    coalesce(sum((bill -> 'usage' ->> 'input_tokens')::bigint), 0) as uncached,
    coalesce(sum((bill -> 'usage' ->> 'cached_input_tokens')::bigint), 0) + coalesce(sum((bill -> 'usage' ->> 'cache_write_tokens')::bigint), 0) as priced_apart,
    coalesce(sum((bill ->> 'cachedTokens')::bigint), 0) as cached,
    coalesce(sum((bill -> 'usage' ->> 'output_tokens')::bigint), 0) as output,
    coalesce(sum((bill ->> 'reasoningTokens')::bigint), 0) as reasoning,
    coalesce(sum((bill ->> 'chargedNanos')::bigint), 0) as cost
  from stored
), counted as (
  update batches b set completed = b.completed + sums.completed, failed = b.failed + sums.failed,
    input_tokens = b.input_tokens + sums.uncached + sums.priced_apart, cached_tokens = b.cached_tokens + sums.cached,
    output_tokens = b.output_tokens + sums.output, reasoning_tokens = b.reasoning_tokens + sums.reasoning,
    cost_nanos = b.cost_nanos + sums.cost
  from sums, open where b.id = open.id
)
select line from stored`;

/** The lines from `from` to `to` (exclusive) that have a result. */
export async function readDoneLines(
  everywhere: Everywhere,
  batchId: string,
  { from, to }: { from: number; to: number },
): Promise<Set<number>> {
  const done = await everywhere.statement(({ em, BatchResult }) =>
    em.find(BatchResult, { batchId, line: { $gte: from, $lt: to } }, { fields: ['line'] }),
  );
  return new Set(done.map(({ line }) => line));
}

/** An answered line that is not settled: a worker of an earlier release was killed before it could bill it. */
export interface UnsettledLine {
  line: number;
  bill: KeptBill;
}

/** The unsettled lines of the same range. Read once everything on disk is in the ledger. */
export async function readUnsettled(
  everywhere: Everywhere,
  batchId: string,
  { from, to }: { from: number; to: number },
): Promise<UnsettledLine[]> {
  const query = { name: 'batch_results_unsettled', text: UNSETTLED, values: [batchId, from, to] };
  return (await everywhere.statement(({ client }) => client.query<UnsettledLine>(query))).rows;
}

// Raw: rows without a row of another table.
const UNSETTLED = `
select r.line, r.bill from batch_results r
where r.batch_id = $1 and r.line >= $2 and r.line < $3 and r.bill is not null and not exists (select from requests q where q.id = r.request_id)
order by r.line`;

/** Deletes the answer of a line that can no longer be billed: the line then has no result. */
export async function dropResult(everywhere: Everywhere, batchId: string, line: number): Promise<void> {
  const query = { name: 'batch_results_drop', text: DROP, values: [batchId, line] };
  await everywhere.statement(({ client }) => client.query(query));
}

const DROP = `
with dropped as (delete from batch_results where batch_id = $1 and line = $2 returning bill)
update batches b set completed = b.completed - 1, cost_nanos = b.cost_nanos - (d.bill ->> 'chargedNanos')::bigint,
  cached_tokens = b.cached_tokens - coalesce((d.bill ->> 'cachedTokens')::bigint, 0),
  reasoning_tokens = b.reasoning_tokens - coalesce((d.bill ->> 'reasoningTokens')::bigint, 0),
  output_tokens = b.output_tokens - coalesce((d.bill -> 'usage' ->> 'output_tokens')::bigint, 0),
  input_tokens = b.input_tokens - coalesce((d.bill -> 'usage' ->> 'input_tokens')::bigint, 0)
    - coalesce((d.bill -> 'usage' ->> 'cached_input_tokens')::bigint, 0) - coalesce((d.bill -> 'usage' ->> 'cache_write_tokens')::bigint, 0)
from dropped d where b.id = $1`;

/** A line's content in a batch's files. */
export type WrittenLine = Pick<LineResult, 'line' | 'isFailed' | 'output'>;

const LINES_PER_READ = 200;
// Long answers are read a few at a time.
const CHARACTERS_PER_READ = 4_000_000;

/** A batch's results in the order of its lines, read in parts. */
export async function* readResults(everywhere: Everywhere, batchId: string): AsyncGenerator<WrittenLine> {
  for (let after = 0; ;) {
    const query = {
      name: 'batch_results_read',
      text: READ,
      values: [batchId, after, LINES_PER_READ, CHARACTERS_PER_READ],
    };
    const { rows } = await everywhere.statement(({ client }) => client.query<WrittenLine>(query));
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.line;
  }
}

const READ = `
select line, is_failed as "isFailed", output from batch_results where batch_id = $1 and line > $2 and line <= (
  select max(s.line) from (
    select l.line, coalesce(sum(length(l.output)) over (order by l.line rows between unbounded preceding and 1 preceding), 0) as before
    from (select line, output from batch_results where batch_id = $1 and line > $2 order by line limit $3) l
  ) s where s.before < $4)
order by line`;

/** The stored result of one line; undefined when it has none. */
export async function findLineOutput(
  everywhere: Everywhere,
  batchId: string,
  line: number,
): Promise<string | undefined> {
  const find = { batchId, line };
  return (await everywhere.statement(({ em, BatchResult }) => em.findOne(BatchResult, find)))?.output;
}

/** Deletes the results of a batch with written files. Returns how many. */
export const deleteResults = (everywhere: Everywhere, batchId: string): Promise<number> =>
  everywhere.statement(({ client }) =>
    deleteInPortions(client, 'batch_results', 'batch_id = $1', { values: [batchId], rowsMax: 2_000 }),
  );
