import { defineEntity, p } from '@mikro-orm/core';
import type { AgentConfiguration } from './agentJson.ts';

/** The end of a submission's review in a test workspace; `wait`: an outcome chosen later. */
export type TestReview = 'approve' | 'reject' | 'changes' | 'wait';

export type DeploymentStatus =
  'in_review' | 'changes_requested' | 'rejected' | 'withdrawn' | 'active' | 'superseded' | 'suspended';

/**
 * How a public version becomes the default of runs that name none. `scheduled`: a dearer version waits for its notice. `rolling`: a share
 * of new sessions gets it.
 */
export type RolloutState = 'scheduled' | 'rolling' | 'complete' | 'rolled_back';

/** A finding of a reviewer, human or automatic, about a configuration. `path` is a JSON pointer into it. */
export interface Feedback {
  source: 'automatic' | 'operator';
  severity: 'blocking' | 'advisory';
  code: string;
  path: string;
  message: string;
}

/** Feedback as stored. */
export type RecordedFeedback = Feedback & { id: string; created_at: string };

/** A step of a rollout: its share of new sessions, and its conditions for the next step. */
export interface StepPlan {
  percentage: number;
  /** The minimum number of finished runs of the version, and the minimum time. */
  runsMin: number;
  hoursMin: number;
}

/** The results of callers' runs of a version; null without any. */
export interface StepResults {
  runs: number;
  completionRate: number | null;
  medianCostNanos: number | null;
}

/** A step with the observed results of the version and of the default. Times are in ISO 8601. */
export interface StepRecord extends StepPlan {
  startedAt: string | null;
  endedAt: string | null;
  outcome: 'passed' | 'failed' | null;
  next: StepResults | null;
  live: StepResults | null;
}

/** The part of an agent's name before the slash: one workspace's public identity. */
export const Namespace = defineEntity({
  name: 'Namespace',
  tableName: 'namespaces',
  properties: {
    name: p.text().primary(),
    workspaceId: p.text().index(),
    providerName: p.text(),
    verified: p.boolean().default(false),
    website: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * An agent in its publisher's view: a permanent name and a draft that changes. `draft` is a configuration (instructions, tools, prices),
 * validated in full when it is frozen into a version; each change increments `draftRevision`.
 */
export const Agent = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  uniques: [{ name: 'agents_namespace_slug_unique', properties: ['namespace', 'slug'] }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    namespace: p.text(),
    slug: p.text(),
    draftRevision: p.integer().default(1),
    draft: p.json().$type<AgentConfiguration>(),
    /** The draft revision written by a release of the platform; any other revision is an operator's. Null: a publisher's agent. */
    shippedRevision: p.integer().strictNullable(),
    /** Set while an operator permits prices below the platform's cost. */
    subsidisedAt: p.datetime().strictNullable(),
    /** Set while its publisher has taken it down: new orders are refused with this text. */
    takenDownAt: p.datetime().strictNullable(),
    takenDownMessage: p.text().strictNullable(),
    /** Set while it is deprecated: from `sunsetAt` on, new orders are refused, and name the successor. */
    deprecatedAt: p.datetime().strictNullable(),
    sunsetAt: p.datetime().strictNullable(),
    successor: p.text().strictNullable(),
    deprecationMessage: p.text().strictNullable(),
    /** A deleted agent was never public. Its row and versions stay for the bills of its private runs and tests. */
    deletedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * A frozen configuration: the database refuses to change or delete a row. `label` is its date (`2026-11-21`; the day's second version is
 * `2026-11-21.2`).
 */
export const AgentVersion = defineEntity({
  name: 'AgentVersion',
  tableName: 'agent_versions',
  uniques: [
    { name: 'agent_versions_agent_number_unique', properties: ['agentId', 'number'] },
    { name: 'agent_versions_agent_label_unique', properties: ['agentId', 'label'] },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    agentId: p.text(),
    number: p.integer(),
    label: p.text(),
    sourceRevision: p.integer(),
    configuration: p.json().$type<AgentConfiguration>(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Deleted from its publisher's list; the only change of a version. */
    deletedAt: p.datetime().strictNullable(),
  },
});

/**
 * Where a version runs: for its own workspace (private) or, after a review, for all (public). An agent has at most one live deployment of
 * each kind, at most one being rolled out beside it, and at most one in review.
 */
export const Deployment = defineEntity({
  name: 'Deployment',
  tableName: 'deployments',
  checks: [
    { name: 'deployments_visibility_check', expression: "visibility in ('private', 'public')" },
    {
      name: 'deployments_status_check',
      expression:
        "status in ('in_review', 'changes_requested', 'rejected', 'withdrawn', 'active', 'superseded', 'suspended')",
    },
    {
      name: 'deployments_rollout_check',
      expression: "rollout_state in ('scheduled', 'rolling', 'complete', 'rolled_back')",
    },
    {
      name: 'deployments_percentage_check',
      expression: 'rollout_percentage >= 1 and rollout_percentage <= 100',
    },
    {
      name: 'deployments_effective_check',
      expression: "rollout_state <> 'scheduled' or effective_at is not null",
    },
  ],
  indexes: [
    {
      name: 'deployments_live_unique',
      expression:
        "create unique index deployments_live_unique on deployments (agent_id, visibility) where status in ('active', 'suspended') and coalesce(rollout_state, 'complete') = 'complete'",
    },
    {
      name: 'deployments_rollout_unique',
      expression:
        "create unique index deployments_rollout_unique on deployments (agent_id) where status = 'active' and rollout_state in ('scheduled', 'rolling')",
    },
    {
      name: 'deployments_review_unique',
      expression: "create unique index deployments_review_unique on deployments (agent_id) where status = 'in_review'",
    },
    {
      name: 'deployments_agent_index',
      expression: 'create index deployments_agent_index on deployments (agent_id, created_at)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    agentId: p.text(),
    versionId: p.text(),
    visibility: p.text().$type<'private' | 'public'>(),
    status: p.text().$type<DeploymentStatus>(),
    reviewFeedback: p.json().$type<RecordedFeedback[]>().defaultRaw("'[]'"),
    createdAt: p.datetime().defaultRaw('now()'),
    activatedAt: p.datetime().strictNullable(),
    decidedAt: p.datetime().strictNullable(),
    /** When an operator suspended its version. Kept when another version replaces it, until an operator reinstates it. */
    suspendedAt: p.datetime().strictNullable(),
    /** The request of its last transition. Identifies a retry, or a request with a late answer. */
    moveRequestId: p.text().strictNullable(),
    /** The publisher's payment for its trials, after withdrawing it; null otherwise. */
    trialsBilledNanos: p.bigint().strictNullable(),
    /** Null: a private deployment, one never approved, or a complete one from before rollouts. */
    rolloutState: p.text().$type<RolloutState>().strictNullable(),
    /** The share of new sessions that get the version while it is rolling. */
    rolloutPercentage: p.integer().default(100),
    rolloutStartedAt: p.datetime().strictNullable(),
    /** Null: without steps. Before the approval: the publisher's plan. */
    rolloutSteps: p.json().$type<StepRecord[]>().strictNullable(),
    rolloutStepStartedAt: p.datetime().strictNullable(),
    /** When a dearer version becomes the default, or starts to roll. */
    effectiveAt: p.datetime().strictNullable(),
    /** Why it was rolled back. */
    rolloutReason: p.text().strictNullable(),
    /** When callers were notified of a dearer version. */
    announcedAt: p.datetime().strictNullable(),
    /** When the review's workflow last checked the rollout. Null: the workflow does not know of it. */
    rolloutCheckedAt: p.datetime().strictNullable(),
    /** When the review's workflow was started. The sweep starts it while this is null. */
    reviewStartedAt: p.datetime().strictNullable(),
    /** Null: an operator decides. */
    testReview: p.text().$type<TestReview>().strictNullable(),
  },
});

/** A message between publisher and operator about a submission. */
export const DeploymentComment = defineEntity({
  name: 'DeploymentComment',
  tableName: 'deployment_comments',
  checks: [{ name: 'deployment_comments_author_check', expression: "author in ('publisher', 'operator')" }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    deploymentId: p.text().index(),
    author: p.text().$type<'publisher' | 'operator'>(),
    message: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A prompt that a review ran with the submitted version: an example of the agent, or a probe of the platform. */
export const ReviewTrial = defineEntity({
  name: 'ReviewTrial',
  tableName: 'review_trials',
  checks: [{ name: 'review_trials_kind_check', expression: "kind in ('example', 'probe')" }],
  properties: {
    deploymentId: p.text().primary(),
    kind: p.text().$type<'example' | 'probe'>().primary(),
    /** The position of the prompt within its kind, from 0. */
    index: p.integer().primary(),
    /** The publisher's. The runs are the platform's. */
    workspaceId: p.text().index(),
    /** Null: earlier trials used up the budget. */
    runId: p.text().strictNullable(),
    /** The run of the same prompt with the public version of that time. */
    liveRunId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
