import { z } from 'zod';
import { RolloutSteps } from '../publisher/rolloutPlan.ts';

export const ReviewListQuery = z.strictObject({
  status: z
    .enum(['in_review', 'changes_requested', 'rejected', 'withdrawn', 'scheduled', 'active', 'superseded', 'suspended'])
    .default('in_review'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().min(1).max(500).optional(),
});

/** Feedback of an operator to the publisher, with a decision. `path` is a JSON pointer into the configuration. */
export const DecisionBody = z.strictObject({
  feedback: z
    .array(
      z.strictObject({
        severity: z.enum(['blocking', 'advisory']).default('blocking'),
        code: z
          .string()
          .regex(/^[a-z0-9_]{1,64}$/, 'must be lowercase letters, digits and underscores')
          .default('operator_remark'),
        path: z
          .string()
          .max(500)
          .regex(/^(\/.*)?$/, 'must be a JSON pointer')
          .default(''),
        message: z.string().trim().min(1).max(5_000),
      }),
    )
    .max(100)
    .default([]),
});

/** An approval may start with a share of new sessions. */
export const ApprovalBody = DecisionBody.extend({
  rollout_percentage: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'The share of new sessions that get the version at first: it grows in the usual steps (25, 50, 100). ' +
        '100: all of them at once. Without it the publisher’s plan counts, if there is one.',
    ),
  rollout_steps: RolloutSteps.optional().describe('Other steps.'),
}).refine(({ rollout_percentage: share, rollout_steps: steps }) => share === undefined || steps === undefined, {
  path: ['rollout_steps'],
  error: 'Send rollout_percentage or rollout_steps.',
});

/** Grants or withdraws an operator's permission for an agent to cost less than the platform pays. */
export const SubsidyBody = z.strictObject({ granted: z.boolean().default(true) });

export const ErasureBody = z.strictObject({
  name: z.string().max(200).describe('The name of the workspace, as a confirmation.'),
});
