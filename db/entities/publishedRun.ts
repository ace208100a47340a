import { defineEntity, p } from '@mikro-orm/core';

/** Which party caused the failure of a run. */
export type Fault = 'platform' | 'provider' | 'agent' | 'caller';

/**
 * The ended runs of an agent in a completed hour (UTC), summed: its publisher's figures read these instead of the runs, which never change
 * once they have ended. `workspaceId` is the publisher's.
 */
export const AgentHour = defineEntity({
  name: 'AgentHour',
  tableName: 'agent_hours',
  properties: {
    workspaceId: p.text().primary(),
    agentId: p.text().primary(),
    hour: p.datetime().primary(),
    versionId: p.text().primary(),
    /** Of the publisher's own workspace. */
    isOwn: p.boolean().primary(),
    status: p.text().primary(),
    /** Why it failed, or which limit it reached; empty otherwise. */
    code: p.text().primary(),
    /** Empty unless it failed. */
    fault: p.text().primary(),
    version: p.text(),
    runs: p.integer(),
    grossNanos: p.bigint(),
    earnedNanos: p.bigint(),
    platformCostNanos: p.bigint(),
    absorbedNanos: p.bigint(),
    /** Completed runs by the class of their duration. */
    durations: p.json().$type<Record<string, number>>(),
  },
});

/** The time up to which the hours of an agent are summed: reports read later runs themselves. */
export const AgentRollup = defineEntity({
  name: 'AgentRollup',
  tableName: 'agent_rollups',
  properties: {
    workspaceId: p.text().primary(),
    agentId: p.text().primary(),
    summedUntil: p.datetime(),
  },
});

/** When a publisher wants to be told that runs of an agent fail. */
export const AgentAlert = defineEntity({
  name: 'AgentAlert',
  tableName: 'agent_alerts',
  checks: [
    {
      name: 'agent_alerts_kind_check',
      expression:
        "kind in ('failure_rate', 'failures') and threshold > 0 and (kind = 'failures' or threshold <= 100) and window_minutes > 0 and runs_min > 0",
    },
  ],
  indexes: [{ name: 'agent_alerts_workspace_index', properties: ['workspaceId', 'createdAt', 'id'] }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    agentId: p.text(),
    kind: p.text().$type<'failure_rate' | 'failures'>(),
    /** Per cent of the runs, or their number. */
    threshold: p.integer(),
    windowMinutes: p.integer(),
    /** Of a rate: fewer runs say nothing. */
    runsMin: p.integer(),
    /** Whose failures count. */
    faults: p.array().columnType('text[]').$type<Fault[]>(),
    mail: p.boolean(),
    /** The people who get it, by their ids; null: all owners and publishers. */
    recipients: p.array().columnType('text[]').$type<string[]>().strictNullable(),
    /** What was told last, and when. */
    isFailing: p.boolean().default(false),
    changedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A run whose content its caller lets the publisher of the agent read, until a time. `workspaceId` is the caller's. */
export const RunShare = defineEntity({
  name: 'RunShare',
  tableName: 'run_shares',
  indexes: [{ name: 'run_shares_workspace_index', properties: ['workspaceId'] }],
  properties: {
    runId: p.text().primary(),
    workspaceId: p.text(),
    publisherWorkspaceId: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    revokedAt: p.datetime().strictNullable(),
    /** When the publisher first read the content. */
    readAt: p.datetime().strictNullable(),
  },
});
