import { defineEntity, p } from '@mikro-orm/core';

/**
 * What a settled run was billed, by meter: the rows that usage reports add up. Written in the settlement's transaction.
 */
export const RunUsage = defineEntity({
  name: 'RunUsage',
  tableName: 'run_usage',
  indexes: [
    {
      name: 'run_usage_workspace_index',
      expression: 'create index run_usage_workspace_index on run_usage (workspace_id, settled_at)',
    },
  ],
  properties: {
    runId: p.text().primary(),
    meter: p.text().primary(),
    workspaceId: p.text(),
    unit: p.text(),
    quantityThousandths: p.bigint(),
    costNanos: p.bigint(),
    settledAt: p.datetime(),
  },
});
