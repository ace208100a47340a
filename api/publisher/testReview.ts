import { z } from 'zod';
import { findDeployment } from '../../db/agents/deployments.ts';
import { TEST_OUTCOMES, testDecisionOf } from '../../workflows/testReviewContract.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { requireTest } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import { checkOwner } from './deployments.ts';
import { presentDeployment } from './present.ts';

export const TestReviewBody = z.strictObject({ outcome: z.enum(TEST_OUTCOMES) });

/**
 * `POST /v1/publisher/deployments/{deployment_id}/test_review`: ends a review that waits in a test workspace. 409 `test_mode_only` with a live
 * key, and `review_already_decided`.
 */
export function decideTestReview(services: Services): Handler {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    const { workspaceId } = ctx.state.key;
    const { outcome } = ctx.state.input as z.infer<typeof TestReviewBody>;
    await checkOwner(services)(ctx, deploymentId);
    requireTest(ctx);
    const by = { publisher: workspaceId, requestId: ctx.state.requestId };
    await services.reviews.decide({ deploymentId, ...testDecisionOf(outcome), by });
    ctx.body = presentDeployment((await findDeployment(services.db.read(workspaceId), deploymentId))!);
  };
}
