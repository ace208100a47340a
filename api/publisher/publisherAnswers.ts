import { z } from 'zod';
import { memorySettings } from '../../db/agents/memorySettings.ts';
import { modelSettings } from '../../db/agents/modelSettings.ts';
import { Deprecation, MeterName, TakenDown } from '../agents/agentAnswers.ts';
import { type NamedSchema, pageOf } from '../http/documentedRoute.ts';

const time = z.iso.datetime();

export const Configuration = z.object({
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  tools: z.array(z.string()),
  plugins: z.array(z.object({ plugin_id: z.string(), version: z.string() })),
  pricing: z.object({
    minimum_cost_usd: z.number(),
    maximum_cost_usd: z.number(),
    rates: z.array(z.object({ meter: MeterName, price_usd: z.number() })),
  }),
  icon_file_id: z.string().nullable(),
  categories: z.array(z.string()),
  example_prompts: z.array(z.string()),
  ...modelSettings,
  ...memorySettings,
});

const Feedback = z.object({
  id: z.string(),
  source: z.enum(['automatic', 'operator']),
  severity: z.enum(['blocking', 'advisory']),
  code: z.string(),
  path: z.string().describe('A JSON pointer into the configuration.'),
  message: z.string(),
  created_at: time,
});

const DeploymentStatus = z.enum([
  'in_review',
  'scheduled',
  'changes_requested',
  'rejected',
  'withdrawn',
  'active',
  'superseded',
  'suspended',
]);

const seen = z
  .object({ runs: z.int(), completion_rate: z.number().nullable(), median_cost_usd: z.number().nullable() })
  .nullable();

const RolloutStep = z.object({
  percentage: z.int(),
  runs_min: z.int(),
  hours_min: z.int(),
  started_at: time.nullable(),
  ended_at: time.nullable(),
  outcome: z.enum(['passed', 'failed']).nullable(),
  new_version: seen.describe('Its finished runs of callers since the step began.'),
  live_version: seen.describe('Those of the present version in the last 30 days.'),
});

const Rollout = z.object({
  state: z
    .enum(['planned', 'scheduled', 'rolling', 'complete', 'rolled_back'])
    .describe(
      '`planned`: the publisher’s steps for a submission. `scheduled`: a more expensive version waits for its notice. ' +
        '`rolling`: a share of new sessions gets it. `complete`: it is what runs get that name no version.',
    ),
  percentage: z.int().describe('The share of new sessions that get it while it is rolling.'),
  started_at: time.nullable(),
  effective_at: time.nullable().describe('When a more expensive version becomes the default, or starts to roll.'),
  reason: z.string().nullable().describe('Why it was rolled back.'),
  steps: z.array(RolloutStep).describe('With what each saw of both versions. Empty: for everyone at once.'),
});

export const Deployment = z.object({
  id: z.string(),
  object: z.literal('agent.deployment'),
  agent_id: z.string(),
  version_id: z.string(),
  visibility: z.enum(['public', 'private']),
  status: DeploymentStatus.describe('`scheduled`: an approved more expensive version, until `active_from`.'),
  active_from: time.nullable().describe('Of a `scheduled` one: when it becomes the default, or starts to roll.'),
  rollout: Rollout.nullable().describe('Of a public version that was approved, or whose steps are planned.'),
  review_feedback: z.array(Feedback),
  created_at: time,
  activated_at: time.nullable(),
});

export const PublisherAgentAnswer = z.object({
  id: z.string(),
  object: z.literal('publisher.agent'),
  namespace: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  draft_revision: z.int(),
  private_deployment: Deployment.nullable(),
  public_deployment: Deployment.nullable(),
  public_submission: Deployment.nullable(),
  taken_down: TakenDown.nullable(),
  deprecation: Deprecation.nullable(),
  notices: z
    .array(Feedback.pick({ code: true, path: true, message: true }))
    .describe('What its publisher should know of the draft: `runs_are_free` of prices that do not apply.'),
  created_at: time,
  updated_at: time,
});

export const AgentVersion = z.object({
  id: z.string(),
  object: z.literal('agent.version'),
  agent_id: z.string(),
  number: z.int(),
  version: z.string().describe('Its date, by which orders name it: `2026-11-21`, or `2026-11-21.2`.'),
  source_revision: z.int(),
  configuration: Configuration,
  was_submitted: z.boolean().describe('For review. One that never was can be deleted.'),
  created_at: time,
});

export const CallerFeedback = z.object({
  id: z.string(),
  object: z.literal('agent.feedback'),
  outcome: z.string(),
  reason: z.string(),
  source: z.string(),
  version_id: z.string(),
  version: z.string(),
  created_at: time,
  updated_at: time,
});

export const Namespace = {
  id: 'Namespace',
  schema: z.object({
    name: z.string(),
    object: z.literal('publisher.namespace'),
    provider_name: z.string(),
    website: z.string().nullable(),
    verified: z.boolean().describe('An operator has verified the publisher.'),
    created_at: time,
  }),
} satisfies NamedSchema;

export const VersionDiff = z.object({
  object: z.literal('agent.version.diff'),
  agent_id: z.string(),
  from_version_id: z.string(),
  to_version_id: z.string(),
  changes: z.array(
    z.object({
      op: z.enum(['add', 'remove', 'replace']),
      path: z.string(),
      from: z.unknown().optional(),
      to: z.unknown().optional(),
    }),
  ),
});

export const DeploymentComment = z.object({
  id: z.string(),
  object: z.literal('deployment.comment'),
  deployment_id: z.string(),
  author: z.enum(['publisher', 'operator']),
  message: z.string(),
  created_at: time,
});

export const Review = z.object({
  id: z.string().describe('Id of the deployment.'),
  object: z.literal('review'),
  agent_id: z.string(),
  agent: z.string(),
  name: z.string(),
  publisher: z.string(),
  version_id: z.string(),
  version: z.string(),
  version_number: z.int(),
  status: DeploymentStatus,
  active_from: time.nullable().describe('Of a `scheduled` one.'),
  review_feedback: z.array(Feedback),
  created_at: time,
  decided_at: time.nullable(),
});

export const ReviewPage: NamedSchema = { id: 'ReviewPage', schema: pageOf(Review) };

export const ReviewDetail = {
  id: 'ReviewDetail',
  schema: Review.extend({
    rollout: Rollout.nullable(),
    configuration: Configuration,
    live_configuration: Configuration.nullable().describe('The public configuration, for comparison.'),
    comments: z.array(z.object({ author: z.string(), message: z.string(), created_at: z.string() })),
    audit: z.array(
      z.object({
        action: z.string(),
        key_id: z.string().nullable(),
        user_id: z.string().nullable().describe('The person, when a signed-in person did it.'),
        by: z.string().nullable().describe('The name of the person, else of the key.'),
        request_id: z.string(),
        created_at: z.string(),
      }),
    ),
  }),
} satisfies NamedSchema;

export const PayoutAnswer = z.object({
  id: z.string(),
  object: z.literal('publisher.payout'),
  amount_usd: z.number(),
  to: z
    .enum(['balance', 'transfer'])
    .describe('The workspace’s own prepaid balance, or a transfer that an operator makes.'),
  status: z
    .enum(['paid', 'requested', 'sent', 'rejected'])
    .describe(
      'To the balance it is `paid` at once. A transfer is `requested`, then `sent`, or `rejected`: its money is returned.',
    ),
  reference: z.string().nullable().describe('Of a transfer that was sent.'),
  reason: z.string().nullable().describe('Why it was rejected.'),
  requested_by: z.string(),
  created_at: time,
  ended_at: time.nullable(),
});

const earnings = {
  runs: z.int(),
  gross_usd: z.number().describe('Paid by callers. With the subsidy it is the sum of the three parts that follow.'),
  subsidy_usd: z.number(),
  platform_cost_usd: z.number().describe('The platform’s part for model and sandbox, which is paid first.'),
  network_fee_usd: z.number(),
  earned_usd: z.number(),
};

export const Statement = {
  id: 'PublisherStatement',
  schema: z.object({
    object: z.literal('publisher.statement'),
    month: z.string(),
    currency: z.literal('USD'),
    totals: z.object(earnings),
    own: z.object(earnings).describe('The part of `totals` of the publisher’s own workspace, which paid itself.'),
    opening_usd: z
      .number()
      .describe('Owed at the month’s start: earned before and not paid out. A transfer is owed until it is sent.'),
    paid_out_usd: z.number().describe('The sum of `paid_out`.'),
    closing_usd: z.number().describe('Owed at its end: `opening_usd` + `totals.earned_usd` - `paid_out_usd`.'),
    balance_usd: z.number().describe('All earnings so far.'),
    available_usd: z.number().describe('What of them may be paid out now, to the balance.'),
    transferable_usd: z.number().describe('The same as a transfer, in whole cents: without what the balance lacks.'),
    maturing_usd: z
      .number()
      .describe(
        'What was neither paid out nor requested, and has to wait: it is younger than `mature_days`, or its ' +
          'caller’s payment was taken back or is questioned.',
      ),
    maturing_on: z
      .array(z.object({ date: z.iso.date(), amount_usd: z.number() }))
      .describe('Earnings that are younger than `mature_days`, by the day (UTC) on which they can be paid out.'),
    requested_usd: z.number().describe('Held for transfers that were requested and are not sent yet.'),
    mature_days: z.int().describe('How old earnings are before they can be paid out.'),
    paid_out: z
      .array(
        z.object({
          date: z.iso.date(),
          payout_id: z.string(),
          to: z.enum(['balance', 'transfer']),
          reference: z.string().nullable(),
          amount_usd: z.number(),
        }),
      )
      .describe('Payouts to the balance, and transfers that were sent, in the month.'),
    payouts: z.array(PayoutAnswer).describe('Requested in the month, the oldest first.'),
    data: z.array(
      z.object({
        date: z.iso.date(),
        agent: z.string(),
        version: z.string(),
        is_own: z.boolean().describe('Of the publisher’s own workspace: its runs have a line of their own.'),
        callers: z.int().describe('Workspaces that ran it that day.'),
        ...earnings,
      }),
    ),
  }),
} satisfies NamedSchema;

export const Subsidy = {
  id: 'Subsidy',
  schema: z.object({
    id: z.string(),
    object: z.literal('agent.subsidy'),
    agent: z.string(),
    subsidised: z.boolean(),
    since: z.iso.datetime().nullable(),
  }),
} satisfies NamedSchema;
