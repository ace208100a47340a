import { defineEntity, p } from '@mikro-orm/core';

/**
 * What a caller thought of a run. One a run and author.
 */
export const RunFeedback = defineEntity({
  name: 'RunFeedback',
  tableName: 'run_feedback',
  properties: {
    runId: p.text().primary(),
    authorId: p.text().primary(),
    id: p.text(),
    workspaceId: p.text(),
    outcome: p.text(),
    reason: p.text(),
    source: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
