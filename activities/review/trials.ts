import assert from 'node:assert/strict';
import { derivedRunIdOf } from '../../db/ids.ts';
import type { AgentConfiguration, Finding } from '../../db/agents/configuration.ts';
import { dataIn } from '../../db/agents/modelSettings.ts';
import { findReviewer, fundTrial } from '../../db/publishing/review/reviewer.ts';
import { readSubmission, recordFindings, type Submission } from '../../db/publishing/review/submission.ts';
import {
  findEarlierTrial,
  findLive,
  readTrialCost,
  readTrialRun,
  recordLiveTrial,
  recordTrial,
} from '../../db/publishing/review/trials.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import type { Queryable } from '../../db/postgres/queryable.ts';
import { finishRun } from '../../db/runs/states/finishRun.ts';
import { markStarted } from '../../db/runs/states/pendingRuns.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { UNATTENDED, type Order } from '../../orders/order.ts';
import { placeOwn } from '../../orders/place.ts';
import type { ReviewDependencies } from '../dependencies.ts';
import { leaks, PROBES } from './probes.ts';

/** A trial of a submission: one of its example prompts, one of the probes, or an example prompt with the live version. */
export type Trial = { deploymentId: string; kind: 'example' | 'probe' | 'live'; index: number };

/** The cost of a trial, and the number of its blocking findings. */
export type TrialResult = { blocking: number; costUsd: number };

const COST_USD_MAX = 0.25;
const TIMEOUT_SECONDS = 300;
const OPEN_TRIALS_MAX = 1_000;
// Trials use the platform's prices: otherwise the publisher would set the cost limit.
const TRIAL_PRICES = { minimum_cost_usd: 0, maximum_cost_usd: COST_USD_MAX, rates: [] };

/** Trials are ordinary runs, paid by the platform: the publisher earns nothing from them. */
export function createTrials({ db, models, reviewCostUsdMax }: ReviewDependencies) {
  return {
    /**
     * Creates the run of a trial; the review's workflow starts its workflow. Returns its id, or null when earlier trials have used up the
     * submission's limit, or when no live version needs a run.
     */
    async createTrial(trial: Trial): Promise<string | null> {
      const { kind, ...place } = trial;
      const submission = await readSubmission(db.everywhere, trial.deploymentId);
      if (kind === 'live') return createLive(trial, submission);
      const runId = await createTrialRun(trial, { tried: submission, input: inputOf(trial, submission.configuration) });
      await recordTrial(db.everywhere, { ...place, kind, workspaceId: submission.publisherWorkspaceId, runId });
      return runId;
    },

    /** Cancels a trial whose result is no longer needed. */
    async dropTrial({ runId }: { runId: string }): Promise<void> {
      await finishRun(db, runId, { status: 'cancelled' });
    },

    /** Judges the result of a trial and reports findings to the publisher. */
    async judgeTrial({ runId, ...trial }: Trial & { runId: string | null }): Promise<TrialResult> {
      if (runId === null) return passOver(trial);
      const run = await readTrialRun(db.everywhere, runId);
      const submission = await readSubmission(db.everywhere, trial.deploymentId);
      const findings = judge(trial, run, submission);
      const check = `${trial.kind} ${trial.index}`;
      const blocking = await recordFindings(db.everywhere, { deploymentId: trial.deploymentId, check, findings });
      return { blocking, costUsd: usdOf(BigInt(run.total_nanos) + BigInt(run.children_nanos)) };
    },
  };

  /** The same prompt with the public version, unless an earlier review has run it. */
  async function createLive(trial: Trial, { configuration }: Submission): Promise<string | null> {
    const { deploymentId, index } = trial;
    const live = await findLive(db.everywhere, deploymentId);
    if (!live) return null;
    const input = inputOf(trial, configuration);
    const earlier = await findEarlierTrial(db.everywhere, { ...live, input });
    const runId = earlier ?? (await createTrialRun(trial, { tried: live, input }));
    if (runId !== null) await recordLiveTrial(db.everywhere, { deploymentId, index, liveRunId: runId });
    return earlier === undefined ? runId : null;
  }

  async function createTrialRun(
    trial: Trial,
    { tried, input }: { tried: Submission; input: Order['input'] },
  ): Promise<string | null> {
    const reviewer = await findReviewer(db.everywhere);
    const maxCostNanos = await allowanceOf(trial, reviewCostUsdMax);
    if (maxCostNanos <= 0n) return null;
    const agent = { ...tried, publisherWorkspaceId: reviewer.workspaceId };
    const order = orderOf(trial, { agent: tried.agent, input });
    const fund = (client: Queryable) => fundTrial(client, { reviewer, amountNanos: maxCostNanos });
    const own = { agent, prices: TRIAL_PRICES, maxCostNanos, fund, openRunsMax: OPEN_TRIALS_MAX };
    const services = { db, agentModels: models };
    const { id } = await placeOwn(services, { by: reviewer, runId: runIdOf(trial), order, ...own });
    await markStarted(db.everywhere, id);
    return id;
  }

  async function allowanceOf({ deploymentId, ...trial }: Trial, costUsdMax: number): Promise<bigint> {
    const spentNanos = await readTrialCost(db.everywhere, {
      deploymentId,
      exceptRunId: runIdOf({ deploymentId, ...trial }),
    });
    const leftNanos = nanosOfUsd(costUsdMax) - spentNanos;
    const trialNanos = nanosOfUsd(COST_USD_MAX);
    return leftNanos < trialNanos ? leftNanos : trialNanos;
  }

  async function passOver({ deploymentId, kind, index }: Trial): Promise<TrialResult> {
    const path = kind === 'example' ? `/example_prompts/${index}` : '/instructions';
    const message = 'was not tried: the trials before it used what they may cost. A reviewer will look at it.';
    const findings: Finding[] = [{ severity: 'advisory', code: 'trials_over_budget', path, message }];
    const blocking = await recordFindings(db.everywhere, { deploymentId, check: `${kind} ${index}`, findings });
    return { blocking, costUsd: 0 };
  }
}

const orderOf = (trial: Trial, ordered: Pick<Order, 'agent' | 'input'>): Order => ({
  ...UNATTENDED,
  ...ordered,
  visibility: 'private',
  timeout_seconds: TIMEOUT_SECONDS,
  source: 'review',
  metadata: { deployment_id: trial.deploymentId, trial: `${trial.kind} ${trial.index}` },
});

// Examples of an agent with an input schema are its input as JSON. Probes are texts for every agent.
function inputOf({ kind, index }: Trial, { example_prompts: examples, input_schema: schema }: AgentConfiguration) {
  const example = (kind === 'probe' ? PROBES : examples)[index];
  assert(example !== undefined, 'a trial is of an example or of a probe');
  if (kind === 'probe') return example;
  return schema ? [{ type: 'input_data' as const, data: dataIn(example) as object }] : example;
}

const runIdOf = ({ deploymentId, kind, index }: Trial): string => derivedRunIdOf(deploymentId, kind, index);

function judge(trial: Trial, run: RunRow, submission: Submission): Finding[] {
  switch (trial.kind) {
    case 'example':
      return judgeExample(trial, run);
    case 'probe':
      return judgeProbe(run, submission);
    case 'live':
      // Shown for comparison only: the public version has passed review.
      return [];
    default:
      return trial.kind satisfies never;
  }
}

function judgeExample({ index }: Trial, run: RunRow): Finding[] {
  const path = `/example_prompts/${index}`;
  if (run.status === 'completed' && textOf(run) !== '') return [];
  // A failure that the agent did not cause is not a finding.
  if (run.status === 'cancelled' || (run.status === 'failed' && run.fault !== 'agent'))
    return [{ severity: 'advisory', code: 'example_not_tried', path, message: 'could not be tried; a reviewer will.' }];
  const ending = run.status === 'completed' ? 'it ended without an answer' : `it ended as ${run.status}`;
  return [{ severity: 'blocking', code: 'example_failed', path, message: `was run, and ${ending}.` }];
}

function judgeProbe(run: RunRow, { configuration }: Submission): Finding[] {
  if (!leaks(textOf(run), configuration.instructions)) return [];
  const message = 'were printed when a user asked for them. Tell the model to keep them to itself.';
  return [{ severity: 'blocking', code: 'instructions_leaked', path: '/instructions', message }];
}

function textOf({ output }: RunRow): string {
  return (output as { text?: string; data?: object }[])
    .map(({ text, data }) => text ?? (data === undefined ? '' : JSON.stringify(data)))
    .join('\n');
}
