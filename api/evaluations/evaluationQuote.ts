import type { z } from 'zod';
import { judgementNanosMax } from '../../calls/text/judgement.ts';
import type { EvaluationCase } from '../../db/entities/evaluation.ts';
import { readCaseCosts } from '../../db/evaluations/evaluationResults.ts';
import { findEvaluationSet } from '../../db/evaluations/evaluationSets.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { readTestCosts, testPricing } from '../../db/publishing/testVersion.ts';
import type { Handler } from '../context.ts';
import { readPublisherAgent } from '../publisher/agents.ts';
import type { Services } from '../services.ts';
import type { EvaluationQuoteAnswer } from './evaluationAnswers.ts';
import { setNotFound } from './evaluationErrors.ts';
import type { EvaluationQuoteBody } from './evaluationSchema.ts';
import { findVersion } from './evaluatedVersion.ts';

/**
 * `POST …/evaluation-set/quote`: what a run of the set would cost with a version. The estimate is the median of each case's former runs;
 * for a case without one, that of the agent's runs in this workspace.
 */
export function quoteEvaluation(services: Services): Handler<z.output<typeof EvaluationQuoteBody>> {
  const { db, agentModels } = services;
  return async (ctx) => {
    const rows = db.read(ctx.state.key.workspaceId);
    const agent = await readPublisherAgent(ctx, db);
    const set = await findEvaluationSet(rows, agent.id);
    if (!set) throw setNotFound();
    const { version } = ctx.state.input;
    const configuration =
      version === 'draft' ? agent.draft : (await findVersion(rows, { agentId: agent.id, version })).configuration;
    const runNanos = nanosOfUsd(testPricing(configuration).maximum_cost_usd);
    const costs = await readCaseCosts(rows, agent.id);
    const runCosts = await readTestCosts(rows, agent.id);
    const maxNanos = set.cases.reduce((sum, one) => sum + runNanos + judgementNanosMax(agentModels, one), 0n);
    ctx.body = {
      object: 'evaluation.quote',
      version,
      cases: set.cases.length,
      max_usd: usdOf(maxNanos),
      ...estimateOf(set.cases, { costs, runCosts, maxNanos }),
    } satisfies z.infer<typeof EvaluationQuoteAnswer>;
  };
}

interface Sample {
  /** By the names of cases. */
  costs: Map<string, bigint[]>;
  runCosts: bigint[];
  maxNanos: bigint;
}

function estimateOf(cases: EvaluationCase[], { costs, runCosts, maxNanos }: Sample) {
  const own = cases.map(({ name }) => costs.get(name) ?? []);
  const isAllOwn = own.every(({ length }) => length > 0);
  if (!isAllOwn && runCosts.length === 0) return { based_on: 'nothing' as const, sample_size: 0, p50_usd: null };
  const ofCases = own.flat().length;
  const sumNanos = own.reduce((sum, one) => sum + medianOf(one.length > 0 ? one : runCosts), 0n);
  return {
    based_on: ofCases > 0 ? ('cases' as const) : ('runs' as const),
    sample_size: ofCases + (isAllOwn ? 0 : runCosts.length),
    p50_usd: usdOf(sumNanos < maxNanos ? sumNanos : maxNanos),
  };
}

function medianOf(costs: bigint[]): bigint {
  const sorted = costs.toSorted((one, other) => (one < other ? -1 : 1));
  return sorted[Math.ceil(sorted.length / 2) - 1]!;
}
