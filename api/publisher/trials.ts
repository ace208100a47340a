import { z } from 'zod';
import { listTrials, type TrialRow } from '../../db/publishing/review/trials.ts';
import { findFile, type StoredFile } from '../../db/files/files.ts';
import { usdOf } from '../../db/money.ts';
import { listSteps } from '../../db/runs/steps/readSteps.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { pageOf, presentPage } from '../http/documentedRoute.ts';
import { presentRun, Run } from '../runs/runAnswers.ts';
import { presentStep, Step } from '../runs/stepAnswers.ts';
import type { Services } from '../services.ts';

// A run has at most as many steps as its model may take, each with its parallel tool calls.
const STEPS_SHOWN_MAX = 200;

const TrialRun = Run.pick({
  id: true,
  version_id: true,
  version: true,
  status: true,
  output: true,
  error: true,
  started_at: true,
  duration_seconds: true,
}).extend({
  cost_usd: z.number().describe('Paid by the platform, at its own prices.'),
  steps: z.array(Step),
});

const Trial = z.object({
  object: z.literal('review.trial'),
  kind: z.enum(['example', 'probe']),
  index: z.int().describe('The place among the prompts of its kind, from 0.'),
  prompt: z
    .unknown()
    .describe('What the agent was asked; null when it was not tried, or when its content has expired.'),
  submitted: TrialRun.nullable().describe(
    'With the submitted version; null: earlier trials used up what they may cost.',
  ),
  live: TrialRun.nullable().describe('With the version that was public during the review.'),
});

export const TrialList = { id: 'ReviewTrialList', schema: pageOf(Trial) };

/** Checks that the caller may see a deployment's trials. Throws 404 otherwise. */
export type DeploymentCheck = (ctx: Context, deploymentId: string) => Promise<void>;

/** The visible part of a deployment's trials: examples for a publisher, also probes for an operator. */
interface TrialView {
  check: DeploymentCheck;
  kinds: TrialRow['kind'][];
}

/**
 * `GET …/deployments/{deployment_id}/trials`: the prompts that the review ran, with the answers of the submitted and of the public version.
 */
export function listReviewTrials({ db }: Services, view: TrialView): Handler {
  return async (ctx) => {
    const trials = await readVisible(db, ctx, view);
    ctx.body = presentPage(await Promise.all(trials.map((trial) => presentTrial(db, trial))), null);
  };
}

/** The file in the path, made by a run of one of the deployment's trials. Throws 404 `file_not_found`. */
export function findTrialFile({ db }: Services, view: TrialView) {
  return async (ctx: Context): Promise<{ file: StoredFile; workspaceId: string }> => {
    const fileId = ctx.state.params.file_id!;
    const trials = await readVisible(db, ctx, view);
    const runs = trials.flatMap(({ run, liveRun }) => [run, liveRun]).filter((run) => run !== null);
    const maker = runs.find(({ output }) => (output as { file_id?: string }[]).some((item) => item.file_id === fileId));
    if (!maker) throw notFound(`No file with the id '${fileId}' in these trials.`, 'file_not_found');
    return { file: await findFile(db.read(maker.workspace_id), fileId), workspaceId: maker.workspace_id };
  };
}

async function readVisible(db: Services['db'], ctx: Context, { check, kinds }: TrialView): Promise<TrialRow[]> {
  const deploymentId = pathId(ctx, 'deployment_id');
  await check(ctx, deploymentId);
  return (await listTrials(db.everywhere, deploymentId)).filter(({ kind }) => kinds.includes(kind));
}

async function presentTrial(
  db: Services['db'],
  { kind, index, prompt, run, liveRun }: TrialRow,
): Promise<z.infer<typeof Trial>> {
  return {
    object: 'review.trial',
    kind,
    index,
    prompt: prompt ?? run?.input ?? null,
    submitted: run && (await presentTrialRun(db, run)),
    live: liveRun && (await presentTrialRun(db, liveRun)),
  };
}

async function presentTrialRun({ read }: Services['db'], row: RunRow): Promise<z.infer<typeof TrialRun>> {
  const { id, version_id, version, status, output, error, started_at, duration_seconds } = presentRun(row);
  const steps = await listSteps(read(row.workspace_id), id, { after: null, limit: STEPS_SHOWN_MAX });
  return {
    id,
    version_id,
    version,
    status,
    output,
    error,
    started_at,
    duration_seconds,
    cost_usd: usdOf(BigInt(row.total_nanos) + BigInt(row.children_nanos) + BigInt(row.absorbed_nanos)),
    steps: steps.rows.map((step) => presentStep(row, step)),
  };
}
