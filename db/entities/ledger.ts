import { defineEntity, p } from '@mikro-orm/core';

/**
 * An account of the double-entry ledger. A `customer` account keeps its posted balance, the number of its entries and the head of their
 * hash chain; a house account (revenue, write-off, ...) has entries only, which are summed when they are read.
 */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  checks: [
    { name: 'accounts_kind_check', expression: "kind in ('customer', 'house')" },
    {
      name: 'accounts_customer_check',
      expression: "kind = 'house' or (posted_nanos >= -reversed_nanos and workspace_id is not null)",
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().strictNullable().unique(),
    kind: p.text(),
    postedNanos: p.bigint().default(0),
    /** What refunds and disputes of payments took back: by so much the balance may be negative. */
    reversedNanos: p.bigint().default(0),
    entryCount: p.bigint().default(0),
    headHash: p.blob().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

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
      // The entries that a workspace sees and that are not of its account.
      name: 'ledger_entries_beside_index',
      expression:
        "create index ledger_entries_beside_index on ledger_entries (workspace_id, transaction_id) where kind in ('earning', 'absorbed')",
    },
  ],
  properties: {
    transactionId: p.bigint(),
    leg: p.integer(),
    accountId: p.text(),
    workspaceId: p.text().strictNullable(),
    kind: p.text().primary(),
    subject: p.text().primary(),
    amountNanos: p.bigint(),
    sequence: p.bigint().strictNullable(),
    balanceAfterNanos: p.bigint().strictNullable(),
    hash: p.blob().strictNullable(),
    // What `hash` covers. Null: the entry's own text. 2: also its key, and the id, time and house legs of its transaction.
    hashVersion: p.smallint().strictNullable(),
    keyId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * Money set aside. A `slice` is what one process may spend for one key without asking the database again; a `request` hold covers one
 * call, near the last cent; a `run` hold covers one run until it ends. Spending under the hold counts towards `day` (UTC, database clock).
 */
export const Hold = defineEntity({
  name: 'Hold',
  tableName: 'holds',
  checks: [
    { name: 'holds_amount_check', expression: 'amount_nanos >= 0' },
    { name: 'holds_kind_check', expression: "kind in ('slice', 'request', 'run')" },
    { name: 'holds_state_check', expression: "state in ('open', 'settled', 'released')" },
  ],
  indexes: [
    {
      name: 'holds_open_account_index',
      expression: "create index holds_open_account_index on holds (account_id) where state = 'open'",
    },
    {
      name: 'holds_open_process_index',
      expression: "create index holds_open_process_index on holds (process_id) where state = 'open'",
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    accountId: p.text(),
    keyId: p.text(),
    processId: p.text(),
    kind: p.text(),
    amountNanos: p.bigint(),
    partial: p.boolean().default(false),
    state: p.text().default('open'),
    day: p.date(),
    createdAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().strictNullable(),
  },
});

/** What a key spent on one UTC day. Ceilings and usage figures are sums over these rows, so no reset job exists. */
export const KeyDay = defineEntity({
  name: 'KeyDay',
  tableName: 'key_days',
  properties: {
    keyId: p.text().primary(),
    day: p.date().primary(),
    workspaceId: p.text(),
    spentNanos: p.bigint().default(0),
  },
});

/** A running process that owns holds. It renews its lease every second; the sweep ends what an expired one left. */
export const Process = defineEntity({
  name: 'Process',
  tableName: 'processes',
  properties: {
    id: p.text().primary(),
    startedAt: p.datetime().defaultRaw('now()'),
    leaseUntil: p.datetime(),
    reapedAt: p.datetime().strictNullable(),
    /** What its running calls hold of each slice, in nano-USD by the id of the slice's hold: written with each renewal. */
    inUse: p.json().defaultRaw("'{}'"),
  },
});

/**
 * Settlements of one process that are on disk and wait to be posted. An answer waits for this row alone; the ledger's entries follow
 * within milliseconds. The sweep posts the batches of a dead process.
 */
export const SettlementBatch = defineEntity({
  name: 'SettlementBatch',
  tableName: 'settlement_batches',
  properties: {
    id: p.text().primary(),
    processId: p.text(),
    /** The text form of `ledger_settlement[]`. */
    settlements: p.text(),
    writtenAt: p.datetime().defaultRaw('now()'),
    /** Why what is left of it could not be posted. Each sweep tries again. */
    refusal: p.text().strictNullable(),
  },
});

/** A call that has ended, written in the same statement as its debit. A failed call has a row and no entry. */
export const Request = defineEntity({
  name: 'Request',
  tableName: 'requests',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    keyId: p.text(),
    route: p.text(),
    model: p.text(),
    status: p.integer(),
    cancelled: p.boolean(),
    /** Quantities by the name of their unit. */
    usage: p.json().$type<Record<string, number>>(),
    costNanos: p.bigint(),
    writtenOffNanos: p.bigint(),
    holdNanos: p.bigint(),
    startedAt: p.datetime(),
    firstByteMs: p.integer().strictNullable(),
    durationMs: p.integer(),
    streamBytes: p.integer(),
    /** Billed by the sweep from the recorded progress of a stream. The final bill of its process replaces it, if one arrives. */
    provisional: p.boolean().default(false),
  },
});

/** The progress of a stream that runs longer than a second: the settlement to make if its process dies. */
export const RequestProgress = defineEntity({
  name: 'RequestProgress',
  tableName: 'request_progress',
  properties: {
    requestId: p.text().primary(),
    processId: p.text().index(),
    settlement: p.json(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
