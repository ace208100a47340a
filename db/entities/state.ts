import { defineEntity, p } from '@mikro-orm/core';

/** A version of a session's state: what it was after a change, and the step that made it. A session without one is at version 0, `{}`. */
export const SessionStateVersion = defineEntity({
  name: 'SessionStateVersion',
  tableName: 'session_states',
  properties: {
    sessionId: p.text().primary(),
    version: p.integer().primary(),
    workspaceId: p.text(),
    /** As text, so that its members keep their order. */
    state: p.json().columnType('json').$type<Record<string, unknown>>(),
    /** Null: a caller changed it. */
    runId: p.text().strictNullable(),
    stepId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * What an agent remembers of an end user of the workspace, across sessions. It belongs to the workspace that runs the agent, and to the
 * project of the run.
 */
export const Memory = defineEntity({
  name: 'Memory',
  tableName: 'memories',
  indexes: [
    { name: 'memories_workspace_index', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'memories_user_index', properties: ['workspaceId', 'endUser', 'agentId', 'createdAt', 'id'] },
    { name: 'memories_agent_index', properties: ['workspaceId', 'agent', 'createdAt', 'id'] },
    {
      name: 'memories_expiry_index',
      expression: 'create index memories_expiry_index on memories (expires_at) where expires_at is not null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    projectId: p.text().strictNullable(),
    agentId: p.text(),
    /** `<namespace>/<slug>` */
    agent: p.text(),
    /** `user` of the run. */
    endUser: p.text(),
    text: p.text(),
    /** The run that remembered it. */
    runId: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** When a run last remembered the same text. */
    updatedAt: p.datetime().defaultRaw('now()'),
    /** Null: it stays until it is deleted. */
    expiresAt: p.datetime().strictNullable(),
  },
});
