import { defineEntity, p } from '@mikro-orm/core';

/**
 * What a step consumed, once for each (run, step, meter): a retried step is counted once.
 */
export const RunMeter = defineEntity({
  name: 'RunMeter',
  tableName: 'run_meters',
  properties: {
    runId: p.text().primary(),
    step: p.integer().primary(),
    meter: p.text().primary(),
    workspaceId: p.text(),
    quantityThousandths: p.bigint(),
  },
});
