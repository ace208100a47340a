import type { InferEntity } from '@mikro-orm/core';
import type { CaseStatus, EvaluationError, EvaluationResult, EvaluationStatus } from '../entities/evaluation.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';

export type EvaluationResultRow = InferEntity<typeof EvaluationResult>;

/** The results of a run, in the order of its cases. */
export const readEvaluationResults = (rows: AnyRows, evaluationRunId: string): Promise<EvaluationResultRow[]> =>
  rows.statement(({ em, EvaluationResult }) =>
    em.find(EvaluationResult, { evaluationRunId }, { orderBy: { place: 'asc' } }),
  );

/** How the cases of a run have ended so far, and what they have cost. */
export interface ResultTotals {
  counts: ResultCounts;
  costNanos: bigint;
}

/** The totals of results. */
export const totalsOf = (results: EvaluationResultRow[]): ResultTotals => ({
  counts: countsOf(results),
  costNanos: costNanosOf(results),
});

/** The totals of several runs, by run. */
export async function readTotals(rows: Rows, ids: string[]): Promise<Map<string, ResultTotals>> {
  type Found = { id: string; results: { status: CaseStatus; cost: string }[] };
  const found = await rows.statement(({ client }) => client.query<Found>(TOTALS, [ids, rows.workspaceId]));
  const results = (one: Found) =>
    one.results.map(({ status, cost }) => ({ status, runNanos: BigInt(cost), judgeNanos: 0n }));
  return new Map(
    found.rows.map((one) => [one.id, { counts: countsOf(results(one)), costNanos: costNanosOf(results(one)) }]),
  );
}

// Raw: without the results of checks, which are long.
const TOTALS = `
select evaluation_run_id as id, json_agg(json_build_object('status', status, 'cost', (run_nanos + judge_nanos)::text)) as results
from evaluation_results where evaluation_run_id = any ($1) and workspace_id = $2 group by 1`;

/** One result, or undefined. */
export async function findEvaluationResult(
  rows: AnyRows,
  evaluationRunId: string,
  place: number,
): Promise<EvaluationResultRow | undefined> {
  const find = { evaluationRunId, place };
  return (await rows.statement(({ em, EvaluationResult }) => em.findOne(EvaluationResult, find))) ?? undefined;
}

export type NewEvaluationResult = Omit<EvaluationResultRow, 'createdAt' | '[OptionalProps]'>;

/** Stores the result of a case, once. */
export async function storeEvaluationResult(everywhere: Rows<undefined>, result: NewEvaluationResult): Promise<void> {
  await everywhere.statement(({ em, EvaluationResult }) =>
    em.qb(EvaluationResult).insert(result).onConflict(['evaluationRunId', 'place']).ignore().execute('run'),
  );
}

/** Results by their status. */
export interface ResultCounts {
  total: number;
  passed: number;
  failed: number;
  errored: number;
  cancelled: number;
}

/** How a run has ended. */
export interface EvaluationEnd {
  status: EvaluationStatus;
  counts: ResultCounts;
  costNanos: bigint;
}

/**
 * Ends a run: cases without a result get `rest`, and it has passed when all of its cases have. A run that has ended stays as it is.
 */
export function finishEvaluationRun(
  everywhere: Rows<undefined>,
  { id, rest, isCancelled }: { id: string; rest: EvaluationError; isCancelled: boolean },
): Promise<EvaluationEnd> {
  return everywhere.transaction(async (tx) => {
    const { em, client, EvaluationRun, LockMode, sql } = tx;
    const run = await em.findOneOrFail(EvaluationRun, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (run.endedAt === null)
      await client.query(FILL, [id, isCancelled ? 'cancelled' : 'errored', JSON.stringify(rest)]);
    const results = await readEvaluationResults(tx, id);
    const counts = countsOf(results);
    const costNanos = costNanosOf(results);
    if (run.endedAt !== null) return { status: run.status, counts, costNanos };
    const status = counts.cancelled > 0 ? 'cancelled' : counts.passed === counts.total ? 'passed' : 'failed';
    const isShort = results.some(({ error }) => error?.code === rest.code);
    await em.nativeUpdate(
      EvaluationRun,
      { id },
      { status, error: isShort ? rest : null, endedAt: sql`ledger_now(workspace_id)` },
    );
    return { status, counts, costNanos };
  });
}

// Raw: rows of a list in another row.
const FILL = `
insert into evaluation_results (evaluation_run_id, place, workspace_id, status, checks, error, run_nanos, judge_nanos)
select r.id, c.place - 1, r.workspace_id, $2, '[]', $3, 0, 0
from evaluation_runs r cross join jsonb_array_elements(r.cases) with ordinality c(item, place)
where r.id = $1 on conflict do nothing`;

/** How many results have each status. */
export function countsOf(results: Pick<EvaluationResultRow, 'status'>[]): ResultCounts {
  const count = (status: CaseStatus) => results.filter((one) => one.status === status).length;
  const total = results.length;
  return {
    total,
    passed: count('passed'),
    failed: count('failed'),
    errored: count('errored'),
    cancelled: count('cancelled'),
  };
}

/** What results have cost: the runs, and the models that judged them. */
export const costNanosOf = (results: Pick<EvaluationResultRow, 'runNanos' | 'judgeNanos'>[]): bigint =>
  results.reduce((sum, { runNanos, judgeNanos }) => sum + runNanos + judgeNanos, 0n);

/** What the cases of an agent's set have cost in its last runs, in nano-USD by the case's name, newest first. */
export async function readCaseCosts(rows: Rows, agentId: string): Promise<Map<string, bigint[]>> {
  type Found = { name: string; costs: string[] };
  const values = [agentId, rows.workspaceId];
  const found = await rows.statement(({ client }) => client.query<Found>(COSTS, values));
  return new Map(found.rows.map(({ name, costs }) => [name, costs.map(BigInt)]));
}

const COSTS = `
with recent as (
  select id, cases from evaluation_runs where agent_id = $1 and workspace_id = $2 and status in ('passed', 'failed')
  order by created_at desc, id desc limit 10
)
select r.cases -> e.place ->> 'name' as name, array_agg((e.run_nanos + e.judge_nanos)::text) as costs
from recent r join evaluation_results e on e.evaluation_run_id = r.id and e.workspace_id = $2
where e.status in ('passed', 'failed') group by 1`;
