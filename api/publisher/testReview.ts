import type { z } from 'zod';
import { testDecisionOf } from '../../contracts/test.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { requireTest } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import { checkOwner, decideOwn } from './deployments.ts';
import type { TestReviewBody } from './publisherSchema.ts';

/**
 * `POST /v1/publisher/deployments/{deployment_id}/test_review`: decides a waiting review in a test workspace. 409 `test_mode_only` with a
 * live key, and `review_already_decided`.
 */
export function decideTestReview(services: Services): Handler<z.infer<typeof TestReviewBody>> {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    const { outcome } = ctx.state.input;
    await checkOwner(services)(ctx, deploymentId);
    requireTest(ctx);
    await decideOwn(services, ctx, { deploymentId, ...testDecisionOf(outcome) });
  };
}
