import { ApplicationFailure } from '@temporalio/activity';
import { judgementNanosMax } from '../../calls/text/judgement.ts';
import { derivedRunIdOf } from '../../db/ids.ts';
import { deleteResults } from '../../db/batches/batchResults.ts';
import type { EvaluationError } from '../../db/entities/evaluation.ts';
import {
  costNanosOf,
  findEvaluationResult,
  finishEvaluationRun,
  readEvaluationResults,
  storeEvaluationResult,
} from '../../db/evaluations/evaluationResults.ts';
import { beginEvaluationRun, findEvaluationRun, type EvaluationRunRow } from '../../db/evaluations/evaluationRuns.ts';
import { isOfArchivedProject, readLiveKey, type Key } from '../../db/keys/keys.ts';
import { hasScope } from '../../db/keys/scopes.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { findTestedVersion, testPricing } from '../../db/publishing/testVersion.ts';
import { markStarted } from '../../db/runs/states/pendingRuns.ts';
import { errorOf } from '../../orders/errors.ts';
import { UNATTENDED, type Order } from '../../orders/order.ts';
import { placeSold } from '../../orders/place.ts';
import { OrderRefused } from '../../orders/refused.ts';
import type { EvaluationEnded } from '../../contracts/evaluation.ts';
import type { EvaluationDependencies } from './evaluationDependencies.ts';

const TIMEOUT_SECONDS = 600;

/** One case, by its place, with its part of the limit in nano-USD as decimal text. */
export interface CaseOrder {
  evaluationRunId: string;
  place: number;
  allottedNanos: string;
}

/** A case without a result, with the most that it can cost, and the least with which it may begin. */
interface PlannedCase {
  place: number;
  wantedNanos: string;
  leastNanos: string;
}

/** `runId`: null when no run was created. `stop`: why no other case is to begin. */
interface CaseStarted {
  runId: string | null;
  stop?: string;
}

const KEY_ENDED: EvaluationError = {
  code: 'invalid_api_key',
  message: 'The key that started the evaluation is revoked or has expired.',
};

const PROJECT_ARCHIVED: EvaluationError = {
  code: 'project_archived',
  message: 'The project of the key that started the evaluation is archived.',
};

// No other case could be paid for, or run, either.
const STOPS = new Set([
  'invalid_api_key',
  'project_archived',
  'insufficient_balance',
  'key_spend_limit_reached',
  'project_spend_limit_reached',
  'agent_not_allowed',
  'scope_not_allowed',
  'model_unavailable',
]);

const REST: Record<string, string> = {
  cost_limit: 'The limit of the evaluation run was reached before this case.',
  cancelled: 'The evaluation run was cancelled before this case.',
  internal_error: 'The platform failed at this case or at one before it. Start the evaluation again.',
};

/** The activities of an evaluation around its cases. Each is idempotent. */
export function evaluationActivities({ db, models, orders }: EvaluationDependencies) {
  const { everywhere } = db;

  /** The cases that have no result, and what they may cost together. */
  async function beginEvaluation(id: string): Promise<{ cases: PlannedCase[]; leftNanos: string }> {
    const run = await beginEvaluationRun(everywhere, id);
    if (!run) return { cases: [], leftNanos: '0' };
    const results = await readEvaluationResults(everywhere, id);
    const done = new Set(results.map(({ place }) => place));
    const { configuration } = await versionOf(run);
    const runNanos = nanosOfUsd(testPricing(configuration).maximum_cost_usd);
    const all = run.cases.map((one, place) => ({ place, judgeNanos: judgementNanosMax(models, one) }));
    const open = all.filter(({ place }) => !done.has(place));
    const wholeNanos = open.reduce((sum, { judgeNanos }) => sum + judgeNanos + runNanos, 0n);
    const limitNanos = run.maxCostNanos === null ? wholeNanos : run.maxCostNanos - costNanosOf(results);
    return {
      cases: open.map(({ place, judgeNanos }) => ({
        place,
        wantedNanos: String(runNanos + judgeNanos),
        leastNanos: String(judgeNanos + 1n),
      })),
      leftNanos: String(limitNanos > 0n ? limitNanos : 0n),
    };
  }

  /** Creates the run of a case, or stores why there is none. The caller starts its workflow. */
  async function startEvaluationCase({ evaluationRunId, place, allottedNanos }: CaseOrder): Promise<CaseStarted> {
    const run = (await findEvaluationRun(everywhere, evaluationRunId))!;
    if (await findEvaluationResult(everywhere, evaluationRunId, place)) return { runId: null };
    const maxNanos = BigInt(allottedNanos) - judgementNanosMax(models, run.cases[place]!);
    try {
      return { runId: await placeCase(run, place, maxNanos) };
    } catch (error) {
      const reason = reasonOf(error);
      const { workspaceId } = run;
      const none = { runId: null, runNanos: 0n, judgeNanos: 0n, durationMs: null };
      const result = { evaluationRunId, place, workspaceId, ...none, status: 'errored', error: reason } as const;
      await storeEvaluationResult(everywhere, { ...result, checks: [] });
      return { runId: null, ...(STOPS.has(reason.code) && { stop: reason.code }) };
    }
  }

  async function placeCase(run: EvaluationRunRow, place: number, maxNanos: bigint): Promise<string> {
    const by = await keyOf(run);
    const agent = await versionOf(run);
    const prices = testPricing(agent.configuration);
    const mostNanos = nanosOfUsd(prices.maximum_cost_usd);
    const { name, input } = run.cases[place]!;
    const order: Order = {
      ...UNATTENDED,
      agent: agent.agent,
      input,
      visibility: 'private',
      source: 'test',
      timeout_seconds: TIMEOUT_SECONDS,
      max_cost_usd: usdOf(maxNanos < mostNanos ? maxNanos : mostNanos),
      metadata: { evaluation_run_id: run.id, evaluation_case: name },
    };
    // The evaluation's workflow starts it, as its child.
    const runStarter = { start: () => {}, cancel: () => {}, turn: () => {} };
    const runId = caseRunIdOf(run.id, place);
    const placed = await placeSold({ ...orders, runStarter }, { by, runId, order, agent, prices, mayWait: false });
    await markStarted(everywhere, placed.id);
    return placed.id;
  }

  async function keyOf({ keyId }: EvaluationRunRow): Promise<Key> {
    const key = await readLiveKey(db.pool, keyId);
    if (!key) throw new KeyEnded((await isOfArchivedProject(db.pool, keyId)) ? PROJECT_ARCHIVED : KEY_ENDED);
    if (!hasScope(key, 'agents')) throw new OrderRefused({ reason: 'scope_not_allowed', scope: 'agents' });
    return key;
  }

  async function versionOf({ workspaceId, agentId, versionId }: EvaluationRunRow) {
    return (await findTestedVersion(db.read(workspaceId), { agentId, version: versionId }))!;
  }

  /** Ends the evaluation: cases without a result get the reason. */
  async function finishEvaluation(order: {
    evaluationRunId: string;
    isCancelled: boolean;
    stop: string | null;
  }): Promise<EvaluationEnded> {
    const { evaluationRunId: id, isCancelled, stop } = order;
    const code = isCancelled ? 'cancelled' : (stop ?? 'cost_limit');
    const rest = { code, message: REST[code] ?? `This case was not run: another one was refused as '${code}'.` };
    const { status, counts, costNanos } = await finishEvaluationRun(everywhere, { id, rest, isCancelled });
    // The answers of judges are in the results.
    await deleteResults(everywhere, id);
    const { passed, failed, errored } = counts;
    return { status, passed, failed, errored, costNanos: String(costNanos) };
  }

  return { beginEvaluation, startEvaluationCase, finishEvaluation };
}

class KeyEnded extends Error {
  override readonly name = 'KeyEnded';
  readonly reason: EvaluationError;

  constructor(reason: EvaluationError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** The final reason of a refused order. Throws what passes: then the activity is repeated. */
function reasonOf(error: unknown): EvaluationError {
  if (error instanceof KeyEnded) return error.reason;
  if (!(error instanceof OrderRefused)) throw error;
  const { status, code, message } = errorOf(error.refusal);
  if (status === 429 || status >= 500) throw ApplicationFailure.retryable(message, code);
  return { code, message };
}

/** The id of a case's run. */
const caseRunIdOf = (evaluationRunId: string, place: number): string => derivedRunIdOf(evaluationRunId, place);
