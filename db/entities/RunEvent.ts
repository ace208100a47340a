import { defineEntity, p } from '@mikro-orm/core';

/**
 * What happened in a run, numbered from one without a gap. The id that callers see is made of the run's id and the number.
 */
export const RunEvent = defineEntity({
  name: 'RunEvent',
  tableName: 'run_events',
  properties: {
    runId: p.text().primary(),
    sequence: p.integer().primary(),
    workspaceId: p.text(),
    type: p.text(),
    data: p.json(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
