import { z } from 'zod';
import type { CaseComparison, Comparison } from '../../db/evaluations/compareRuns.ts';
import { totalsOf, type EvaluationResultRow, type ResultTotals } from '../../db/evaluations/evaluationResults.ts';
import type { EvaluationRunRow, EvaluationRunSummary as StoredSummary } from '../../db/evaluations/evaluationRuns.ts';
import type { EvaluationSetRow } from '../../db/evaluations/evaluationSets.ts';
import { usdOf } from '../../db/money.ts';
import { pageOf } from '../http/documentedRoute.ts';
import { cases } from './evaluationSchema.ts';

const time = z.iso.datetime();
const usd = z.number().describe('US dollars.');
const caseStatus = z.enum(['passed', 'failed', 'errored', 'cancelled']);
const error = z.object({ code: z.string(), message: z.string() }).nullable();

export const EvaluationSetAnswer = z.object({
  object: z.literal('evaluation.set'),
  agent_id: z.string(),
  revision: z.int().describe('Counts the changes; 0 while the agent has no set.'),
  cases: z.array(cases.element),
  updated_at: time.nullable(),
});

export const DeletedEvaluationSet = z.object({
  object: z.literal('evaluation.set'),
  agent_id: z.string(),
  deleted: z.literal(true),
});

export const EvaluationQuoteAnswer = z.object({
  object: z.literal('evaluation.quote'),
  version: z.string().describe('As it was sent.'),
  cases: z.int(),
  based_on: z
    .enum(['cases', 'runs', 'nothing'])
    .describe(
      '`cases`: each case’s own former runs, as far as it has some; `runs`: runs of the agent in this workspace; `nothing`: there is no sample.',
    ),
  sample_size: z.int().describe('The runs that the estimate is made of.'),
  p50_usd: usd.nullable().describe('What it probably costs, in US dollars; null without a sample.'),
  max_usd: usd.describe('The most that it can cost: each run’s maximum, and the longest judgements. US dollars.'),
});

const checkResult = z.object({
  type: z.string(),
  status: z.enum(['passed', 'failed', 'errored']),
  message: z.string(),
  score: z.number().optional().describe('Of `score_model`, from 0 to 1.'),
  reason: z.string().optional().describe('The model’s words.'),
  cost_usd: usd.optional(),
});

const caseResult = z.object({
  name: z.string(),
  status: z
    .enum(['queued', ...caseStatus.options])
    .describe('`errored`: for a reason that is not the agent’s, it could not be decided.'),
  run_id: z.string().nullable(),
  input: z.unknown(),
  output_text: z.string().nullable().describe('The beginning of the output; null while its content is not kept.'),
  checks: z.array(checkResult).describe('In the order of the case’s checks; empty when its run did not complete.'),
  error,
  cost_usd: usd,
  judge_cost_usd: usd.describe('Of the models that judged, in US dollars.'),
  duration_seconds: z.number().nullable(),
  against: z
    .object({
      status: caseStatus,
      cost_usd: usd,
      duration_seconds: z.number().nullable(),
      change: z.enum(['same', 'regression', 'fixed']),
    })
    .nullable()
    .describe('The case in the compared run; null without one.'),
});

const summary = {
  id: z.string(),
  object: z.literal('evaluation.run'),
  agent_id: z.string(),
  version_id: z.string(),
  version: z.string(),
  configuration_hash: z.string().describe('Versions with the same one have the same configuration.'),
  set_revision: z.int(),
  status: z.enum(['queued', 'in_progress', 'passed', 'failed', 'cancelled']).describe('`passed`: every case has.'),
  error: error.describe('Why cases were not run.'),
  max_cost_usd: usd.nullable(),
  created_at: time,
  started_at: time.nullable(),
  cancel_requested_at: time.nullable(),
  ended_at: time.nullable(),
};

const counts = z.object({
  total: z.int(),
  passed: z.int(),
  failed: z.int(),
  errored: z.int(),
  cancelled: z.int(),
});

const EvaluationRunSummary = z.object({ ...summary, result_counts: counts, cost_usd: usd });

export const EvaluationRunAnswer = EvaluationRunSummary.extend({
  cases: z.array(caseResult),
  comparison: z
    .object({
      run_id: z.string(),
      version: z.string(),
      status: z.string(),
      set_revision: z.int(),
      cost_usd: usd,
      regressions: z.array(z.string()).describe('Cases that passed there, and do not here.'),
      fixes: z.array(z.string()).describe('Cases that pass here, and did not there.'),
    })
    .nullable()
    .describe('With `against`; null when there is nothing to compare with.'),
});

export const EvaluationRunPage = pageOf(EvaluationRunSummary);

export const DeploymentEvaluation = z.object({
  object: z.literal('deployment.evaluation'),
  state: z
    .enum(['no_set', 'not_run', 'stale', 'passed', 'failed'])
    .describe(
      '`not_run`: no run of the set has ended with the configuration of this version. `stale`: its cases have changed since.',
    ),
  run: EvaluationRunAnswer.nullable(),
});

/** A set, or what stands for one that does not exist. */
export const presentSet = (
  agentId: string,
  set: EvaluationSetRow | undefined,
): z.infer<typeof EvaluationSetAnswer> => ({
  object: 'evaluation.set',
  agent_id: agentId,
  revision: set?.revision ?? 0,
  cases: (set?.cases ?? []) as z.infer<typeof cases>,
  updated_at: set?.updatedAt.toISOString() ?? null,
});

/** A run without its cases. */
export function presentSummary(
  run: StoredSummary,
  { counts, costNanos }: ResultTotals,
): z.infer<typeof EvaluationRunSummary> {
  return {
    id: run.id,
    object: 'evaluation.run',
    agent_id: run.agentId,
    version_id: run.versionId,
    version: run.version,
    configuration_hash: run.configurationHash,
    set_revision: run.setRevision,
    status: run.status,
    error: run.error,
    max_cost_usd: run.maxCostNanos === null ? null : usdOf(run.maxCostNanos),
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    cancel_requested_at: run.cancelRequestedAt?.toISOString() ?? null,
    ended_at: run.endedAt?.toISOString() ?? null,
    result_counts: { ...counts, total: run.caseCount },
    cost_usd: usdOf(costNanos),
  };
}

interface Shown {
  results: EvaluationResultRow[];
  outputs: Map<string, string>;
  comparison: Comparison | null;
}

/** A run with its cases. */
export function presentEvaluationRun(
  run: EvaluationRunRow,
  { results, outputs, comparison }: Shown,
): z.infer<typeof EvaluationRunAnswer> {
  const byPlace = new Map(results.map((result) => [result.place, result]));
  return {
    ...presentSummary(run, totalsOf(results)),
    cases: run.cases.map(({ name, input }, place) => {
      const result = byPlace.get(place);
      return {
        name,
        status: result?.status ?? 'queued',
        run_id: result?.runId ?? null,
        input,
        output_text: outputs.get(result?.runId ?? '') ?? null,
        checks: result?.checks ?? [],
        error: result?.error ?? null,
        cost_usd: usdOf(result?.runNanos ?? 0n),
        judge_cost_usd: usdOf(result?.judgeNanos ?? 0n),
        duration_seconds: secondsOf(result?.durationMs ?? null),
        against: presentOther(comparison?.cases.get(name)),
      };
    }),
    comparison: comparison && {
      run_id: comparison.run.id,
      version: comparison.run.version,
      status: comparison.run.status,
      set_revision: comparison.run.setRevision,
      cost_usd: usdOf(comparison.costNanos),
      regressions: namesOf(comparison, 'regression'),
      fixes: namesOf(comparison, 'fixed'),
    },
  };
}

function presentOther(other: CaseComparison | undefined) {
  if (!other) return null;
  const { status, runNanos, judgeNanos, durationMs, change } = other;
  return { status, cost_usd: usdOf(runNanos + judgeNanos), duration_seconds: secondsOf(durationMs), change };
}

const namesOf = ({ cases: all }: Comparison, change: CaseComparison['change']): string[] =>
  [...all].flatMap(([name, one]) => (one.change === change ? [name] : []));

const secondsOf = (ms: number | null) => (ms === null ? null : ms / 1000);
