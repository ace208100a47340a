import { defineEntity, p } from '@mikro-orm/core';

/**
 * Settlements that are on disk and wait to be posted, together, as one process wrote them: what an answer waits for is one row, and the
 * ledger's entries follow within milliseconds. Whoever finds the batch of a dead process posts it.
 */
export const SettlementBatch = defineEntity({
  name: 'SettlementBatch',
  tableName: 'settlement_batches',
  properties: {
    id: p.text().primary(),
    processId: p.text(),
    /** A line for each column of the settlements, or JSON: the database function `ledger_batch_items` reads both. */
    settlements: p.text(),
    writtenAt: p.datetime().defaultRaw('now()'),
    /** Why what is left of it could not be posted. Each sweep tries again. */
    refusal: p.text().nullable(),
  },
});
