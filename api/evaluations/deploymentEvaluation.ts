import type { z } from 'zod';
import { readEvidence } from '../../db/evaluations/evidence.ts';
import { readSubmission } from '../../db/publishing/review/submission.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import type { DeploymentCheck } from '../publisher/trials.ts';
import type { Services } from '../services.ts';
import type { DeploymentEvaluation } from './evaluationAnswers.ts';
import { findLatestOfLive, presentWith } from './evaluationRuns.ts';

/** `GET …/deployments/{deployment_id}/evaluation`: what the evaluation set says about the version, beside the public one. */
export function retrieveDeploymentEvaluation({ db }: Services, check: DeploymentCheck): Handler {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    await check(ctx, deploymentId);
    const { agentId, versionId, publisherWorkspaceId } = await readSubmission(db.everywhere, deploymentId);
    const rows = db.read(publisherWorkspaceId);
    const { state, run } = await readEvidence(rows, { agentId, versionId });
    const live = run && (await findLatestOfLive(rows, agentId));
    // Nothing to compare where the version is the public one.
    const other = live && live.configurationHash !== run.configurationHash ? live : undefined;
    const shown = run ? await presentWith(rows, run, other) : null;
    ctx.body = { object: 'deployment.evaluation', state, run: shown } satisfies z.infer<typeof DeploymentEvaluation>;
  };
}
