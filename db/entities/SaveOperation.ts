import { defineEntity, p } from '@mikro-orm/core';

/**
 * A run's step that writes files into its session: what is being saved, how far it is, and why it failed. The newest one of a session
 * is its save state.
 */
export const SaveOperation = defineEntity({
  name: 'SaveOperation',
  tableName: 'save_operations',
  checks: [
    { name: 'save_operations_state_check', expression: "state in ('saving', 'saved', 'failed')" },
    { name: 'save_operations_recovery_check', expression: "recovery in ('none', 'retrying', 'required')" },
  ],
  indexes: [
    {
      name: 'save_operations_session_index',
      expression: 'create index save_operations_session_index on save_operations (session_id, created_at)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    sessionId: p.text(),
    runId: p.text(),
    toolStepId: p.text(),
    lastCommittedGeneration: p.integer(),
    state: p.text().default('saving'),
    recovery: p.text().default('none'),
    error: p.json().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
