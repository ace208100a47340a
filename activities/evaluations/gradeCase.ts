import { ApplicationFailure, Context } from '@temporalio/activity';
import { EVALUATION_CASE_MS } from '../../base/limits.ts';
import { textOfInput } from '../../calls/text/judgement.ts';
import type { CaseStatus, CheckResult, EvaluationError } from '../../db/entities/evaluation.ts';
import {
  findEvaluationResult,
  storeEvaluationResult,
  type EvaluationResultRow,
} from '../../db/evaluations/evaluationResults.ts';
import { findEvaluationRun, type EvaluationRunRow } from '../../db/evaluations/evaluationRuns.ts';
import { readLiveKey } from '../../db/keys/keys.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { readRunRow } from '../../db/runs/childRuns.ts';
import { isTerminal, type RunRow } from '../../db/runs/runRow.ts';
import { finishRun } from '../../db/runs/states/finishRun.ts';
import { listSteps } from '../../db/runs/steps/readSteps.ts';
import { errorOf, observeOutput, runCheck, type Observed } from './checks.ts';
import type { EvaluationDependencies } from './evaluationDependencies.ts';
import type { CaseOrder } from './evaluations.ts';
import { createJudge } from './judge.ts';
import { CHECKS_MAX } from '../../db/evaluations/evaluationSets.ts';

const HEARTBEAT_MS = 3_000;
// More than a run has.
const STEPS_MAX = 10_000;

/** A case with its run. `isCut`: the evaluation is cancelled. */
export type GradeOrder = CaseOrder & { runId: string; isCut: boolean };

type Graded = Pick<EvaluationResultRow, 'runNanos' | 'judgeNanos' | 'error'>;

/** Checks what the run of a case did, and stores the result, once. */
export function createGradeCase(dependencies: EvaluationDependencies) {
  const { db } = dependencies;
  const judge = createJudge(dependencies);

  /** Returns what the case has cost, and why no other one is to begin. */
  async function gradeEvaluationCase(order: GradeOrder): Promise<{ spentNanos: string; stop?: string }> {
    const context = Context.current();
    const beating = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
    try {
      const stored = await findEvaluationResult(db.everywhere, order.evaluationRunId, order.place);
      const { runNanos, judgeNanos, error } = stored ?? (await grade(order));
      const spentNanos = String(runNanos + judgeNanos);
      return error?.code === COST_LIMIT.code ? { spentNanos, stop: error.code } : { spentNanos };
    } finally {
      clearInterval(beating);
    }
  }

  async function grade(order: GradeOrder): Promise<Graded> {
    const { evaluationRunId, place, runId } = order;
    const evaluation = (await findEvaluationRun(db.everywhere, evaluationRunId))!;
    if (order.isCut) await finishRun(db, runId, { status: 'cancelled' });
    const run = (await readRunRow(db.pool, runId))!;
    // Its workflow was ended by an operator: the sweep ends its row.
    if (!isTerminal(run.status)) throw ApplicationFailure.retryable('The run has not ended yet.', 'run_open');
    const runNanos = BigInt(run.total_nanos) + BigInt(run.children_nanos);
    const durationMs = durationMsOf(run);
    const ended = order.isCut ? CUT : endOf(run);
    const { checks, judgeNanos } = ended
      ? { checks: [], judgeNanos: 0n }
      : await check(order, { evaluation, run, costUsd: usdOf(runNanos), durationMs });
    const { workspaceId } = evaluation;
    const outcome = ended ?? { status: statusOf(checks), error: null };
    const result = { evaluationRunId, place, workspaceId, runId, checks, runNanos, judgeNanos, durationMs };
    await storeEvaluationResult(db.everywhere, { ...result, ...outcome });
    return { runNanos, judgeNanos, error: outcome.error };
  }

  async function check(
    { evaluationRunId, place, allottedNanos }: GradeOrder,
    done: { evaluation: EvaluationRunRow; run: RunRow; costUsd: number; durationMs: number },
  ): Promise<{ checks: CheckResult[]; judgeNanos: bigint }> {
    const { evaluation, run, costUsd } = done;
    const one = evaluation.cases[place]!;
    const observed = await observe(run, { costUsd, durationSeconds: done.durationMs / 1000 });
    let leftNanos = BigInt(allottedNanos) - BigInt(run.total_nanos) - BigInt(run.children_nanos);
    let judgeNanos = 0n;
    const checks: CheckResult[] = [];
    for (const [at, each] of one.checks.entries()) {
      if (each.type !== 'score_model') {
        checks.push(await runCheck(each, observed));
        continue;
      }
      const key = await readLiveKey(db.pool, evaluation.keyId);
      if (!key) {
        checks.push(errorOf('score_model', 'the key that started the evaluation has ended'));
        continue;
      }
      const judged = { input: textOfInput(one.input), output: observed.text };
      const line = place * CHECKS_MAX + at + 1;
      const verdict = await judge({ evaluationRunId, line, key, check: each, judged, leftNanos });
      leftNanos -= verdict.costNanos;
      judgeNanos += verdict.costNanos;
      checks.push(verdict.result);
    }
    return { checks, judgeNanos };
  }

  async function observe(run: RunRow, bounds: Pick<Observed, 'costUsd' | 'durationSeconds'>): Promise<Observed> {
    const steps = await listSteps(db.read(run.workspace_id), run.id, { after: null, limit: STEPS_MAX });
    const tools = steps.rows.filter(({ kind }) => kind !== 'model' && kind !== 'compaction').map(({ name }) => name);
    return { ...observeOutput(run.output), tools, ...bounds };
  }

  return gradeEvaluationCase;
}

/** The end of a case whose run has nothing to check; undefined for a completed one. */
function endOf(run: RunRow): { status: CaseStatus; error: EvaluationError } | undefined {
  const { status, fault, limit, error } = run;
  if (status === 'completed') return undefined;
  if (status === 'failed') {
    const { code, message } = (error as EvaluationError | null) ?? { code: 'run_failed', message: 'The run failed.' };
    // What the platform or an upstream has failed says nothing about the agent.
    return { status: fault === 'agent' ? 'failed' : 'errored', error: { code, message } };
  }
  if (status === 'cancelled') return { status: 'failed', error: { code: 'case_timeout', message: NOT_IN_TIME } };
  const { kind = 'limit' } = (limit ?? {}) as { kind?: string };
  if (kind === 'max_cost' && isCutShort(run)) return { status: 'errored', error: COST_LIMIT };
  return { status: 'failed', error: { code: 'limit_reached', message: `The run reached a limit: ${kind}.` } };
}

/** Whether the run had less money than a run of the version may cost. */
const isCutShort = ({ max_cost_nanos: mostNanos, rate_card: card }: RunRow): boolean =>
  BigInt(mostNanos) < nanosOfUsd(card.maximum_cost_usd);

const COST_LIMIT: EvaluationError = {
  code: 'cost_limit',
  message: 'The limit of the evaluation run was reached in this case.',
};

const NOT_IN_TIME = `The run did not end within ${EVALUATION_CASE_MS / 60_000} minutes.`;

const CUT: { status: CaseStatus; error: EvaluationError } = {
  status: 'cancelled',
  error: { code: 'cancelled', message: 'The evaluation run was cancelled during this case.' },
};

function statusOf(checks: CheckResult[]): CaseStatus {
  if (checks.some(({ status }) => status === 'failed')) return 'failed';
  return checks.some(({ status }) => status === 'errored') ? 'errored' : 'passed';
}

const durationMsOf = ({ started_at: started, completed_at: completed }: RunRow): number =>
  started === null || completed === null ? 0 : Math.max(0, new Date(completed).getTime() - new Date(started).getTime());
