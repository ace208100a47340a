import type { Pool } from 'pg';
import type { Quantities } from '../money.ts';
import { isDuplicate } from '../postgres/databaseErrors.ts';
import { batchText, type Settlement } from './settlement.ts';

/** Whether a row of batches takes results: the ids of its files are chosen when they begin to be written. */
export const TAKES_RESULTS = 'output_file_id is null and ended_at is null';

/** The result of a line of a batch: it is stored by the statement that bills it. */
export interface BilledLine {
  batchId: string;
  line: number;
  /** The line of the output file. */
  output: string;
}

/** Thrown where a line is not billed: it has the result of another call, or its batch takes no more results. */
export class LineTaken extends Error {
  override readonly name = 'LineTaken';
}

/** A line with its settlement. */
interface Billed {
  item: Settlement;
  line: BilledLine;
}

/**
 * Writes the settlements of lines to disk, with the lines' results and what they add to the counts of their batches: all or nothing.
 * False: nothing was written, because a line has a result already, or its batch takes no more.
 */
export async function writeLines(
  pool: Pool,
  { id, processId, billed }: { id: string; processId: string; billed: Billed[] },
): Promise<boolean> {
  const items = billed.map(({ item }) => item);
  const lines = billed.map(({ line }) => line);
  const values: unknown[] = [
    id,
    processId,
    batchText(items),
    lines.map(({ batchId }) => batchId),
    lines.map(({ line }) => line),
    items.map(({ workspace }) => workspace),
    items.map((item) => item.id),
    lines.map(({ output }) => output),
    ...sumsOf(billed),
  ];
  try {
    return (await pool.query({ name: 'batch_lines_write', text: WRITE, values })).rowCount === 1;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  } finally {
    // The driver's timeout keeps the query, with these texts, in memory until a major garbage collection.
    values.length = 0;
  }
}

/** What the batches' counts grow by: the ids of the batches, and a column of each count. */
function sumsOf(billed: Billed[]): unknown[][] {
  const sums = new Map<string, number[]>();
  for (const { item, line } of billed) {
    const before = sums.get(line.batchId);
    const counts = countsOf(item);
    sums.set(line.batchId, before ? before.map((sum, at) => sum + counts[at]!) : counts);
  }
  const rows = [...sums.values()];
  return [[...sums.keys()], ...rows[0]!.map((_, at) => rows.map((row) => row[at]))];
}

/** In the order of the statement: one line, its tokens, and its charge. */
function countsOf({ usage, cached, reasoning, charge }: Settlement): number[] {
  const { input_tokens = 0, cached_input_tokens = 0, cache_write_tokens = 0, output_tokens = 0 } = usage as Quantities;
  const inputTokens = input_tokens + cached_input_tokens + cache_write_tokens;
  return [1, inputTokens, cached ?? 0, output_tokens, reasoning ?? 0, charge];
}

// A judgement is a line of its evaluation. Locked, so that writing begins before or after: a worker that was taken for dead may still answer.
const WRITE = `
with open_batches as (select id from batches where id = any ($9) and ${TAKES_RESULTS} order by id for update),
open_evaluations as (select id from evaluation_runs where id = any ($9) and ended_at is null order by id for update),
open as (select from (select id from open_batches union all select id from open_evaluations) o having count(*) = cardinality($9::text[])),
stored as (
  insert into batch_results (batch_id, line, workspace_id, is_failed, request_id, output)
  select r.batch, r.line, r.workspace, false, r.id, r.output
  from open, unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[]) r(batch, line, workspace, id, output)
  order by r.batch, r.line
), counted as (
  update batches b set completed = b.completed + s.lines, input_tokens = b.input_tokens + s.input, cached_tokens = b.cached_tokens + s.cached,
    output_tokens = b.output_tokens + s.output, reasoning_tokens = b.reasoning_tokens + s.reasoning, cost_nanos = b.cost_nanos + s.charge
  from open, unnest($9::text[], $10::int[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[])
    s(batch, lines, input, cached, output, reasoning, charge)
  where b.id = s.batch
)
insert into settlement_batches (id, process_id, settlements, has_product) select $1, $2, $3, true from open`;

/**
 * The request that each of these lines has the result of, by batch and line; null where it has none and its batch takes no more. Other lines
 * without a result are left out.
 */
export async function findResults(pool: Pool, lines: BilledLine[]): Promise<Map<string, string | null>> {
  const { rows } = await pool.query<{ batchId: string; line: number; id: string | null }>(RESULTS, [
    lines.map(({ batchId }) => batchId),
    lines.map(({ line }) => line),
  ]);
  return new Map(rows.map((row) => [placeOf(row), row.id]));
}

const RESULTS = `
select l.batch as "batchId", l.line, r.request_id as id
from unnest($1::text[], $2::int[]) l(batch, line) left join batch_results r on r.batch_id = l.batch and r.line = l.line
where r.batch_id is not null or not exists (
  select from batches where id = l.batch and ${TAKES_RESULTS} union all select from evaluation_runs where id = l.batch and ended_at is null)`;

/** A line among those of all batches. */
export const placeOf = ({ batchId, line }: Pick<BilledLine, 'batchId' | 'line'>): string => `${batchId} ${line}`;
