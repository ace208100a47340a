import { defineEntity, p } from '@mikro-orm/core';

/**
 * One leg of a transaction; the legs of each transaction sum to zero. Append-only by trigger and by missing grants.
 * `(kind, subject)` is its key: a settlement, a top-up, a reversal happens once. Customer legs are numbered and chained.
 */
export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  uniques: [{ name: 'ledger_entries_account_sequence_unique', properties: ['accountId', 'sequence'] }],
  indexes: [
    {
      // What a workspace sees beside its account's own entries.
      name: 'ledger_entries_beside_index',
      expression:
        "create index ledger_entries_beside_index on ledger_entries (workspace_id, transaction_id) where kind in ('earning', 'absorbed')",
    },
  ],
  properties: {
    transactionId: p.bigint(),
    leg: p.integer(),
    accountId: p.text(),
    workspaceId: p.text().nullable(),
    kind: p.text().primary(),
    subject: p.text().primary(),
    amountNanos: p.bigint(),
    sequence: p.bigint().nullable(),
    balanceAfterNanos: p.bigint().nullable(),
    hash: p.blob().nullable(),
    // What `hash` covers. Null: the entry's own text. 2: also its key, and the id, time and house legs of its transaction.
    hashVersion: p.smallint().nullable(),
    keyId: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
