import { defineEntity, p } from '@mikro-orm/core';

/**
 * What happened in a run, numbered from one without a gap. The id that callers see is made of the run's id and the number.
 */
export const RunEvent = defineEntity({
  name: 'RunEvent',
  tableName: 'run_events',
  indexes: [
    {
      // Events are written in order of time, and deleted by it: a few bytes for each hundred pages are enough to find the old ones.
      name: 'run_events_age_index',
      expression: 'create index run_events_age_index on run_events using brin (created_at)',
    },
  ],
  properties: {
    runId: p.text().primary(),
    sequence: p.integer().primary(),
    workspaceId: p.text(),
    type: p.text(),
    data: p.json(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
