import { defineEntity, p } from '@mikro-orm/core';

/**
 * Where a version runs: for its own workspace (private) or, after a review, for everybody (public). An agent has at most one of each that
 * is live, and at most one waiting for its review.
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
  ],
  indexes: [
    {
      name: 'deployments_live_unique',
      expression:
        "create unique index deployments_live_unique on deployments (agent_id, visibility) where status in ('active', 'suspended')",
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
    visibility: p.text(),
    status: p.text(),
    reviewFeedback: p.json().defaultRaw("'[]'"),
    createdAt: p.datetime().defaultRaw('now()'),
    activatedAt: p.datetime().nullable(),
    decidedAt: p.datetime().nullable(),
    /** Since when an operator has taken its version off. It stays when another version takes its place, until an operator reinstates it. */
    suspendedAt: p.datetime().nullable(),
    /** The request that moved it last: a move that is made again, or whose answer came late, is known by it. */
    moveRequestId: p.text().nullable(),
    /** The review's workflow has been started: until then the sweep starts it. */
    reviewStartedAt: p.datetime().nullable(),
  },
});
