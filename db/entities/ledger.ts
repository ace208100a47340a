import { defineEntity, p } from '@mikro-orm/core';
import { CALL_PRODUCTS, type CallProduct } from '../catalog/products.ts';

/**
 * An account of the double-entry ledger. A `customer` account keeps its posted balance, the number of its entries and the head of their
 * hash chain; a house account (revenue, write-off, ...) has only entries, summed on reading.
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
    /** Sum of the reversals by refunds and disputes: the balance may be negative by this amount. */
    reversedNanos: p.bigint().default(0),
    entryCount: p.bigint().default(0),
    headHash: p.blob().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

const LEG = {
  transactionId: p.bigint(),
  leg: p.integer(),
  accountId: p.text(),
  workspaceId: p.text().strictNullable(),
  subject: p.text().primary(),
  kind: p.text().primary(),
  amountNanos: p.bigint(),
  sequence: p.bigint().strictNullable(),
  balanceAfterNanos: p.bigint().strictNullable(),
  hash: p.blob().strictNullable(),
  // The content of `hash`. Null: the entry's own text. 2: also its key, and the id, time and house legs of its transaction.
  hashVersion: p.smallint().strictNullable(),
  keyId: p.text().strictNullable(),
  createdAt: p.datetime().defaultRaw('now()'),
};

/**
 * One leg of a transaction that is not the debit of a call; the legs of each transaction sum to zero. Append-only by trigger and by missing grants.
 * `(kind, subject)` is its key: a settlement, a top-up, a reversal happens once. Customer legs are numbered and chained. Divided by the months
 * in the ids of its subjects; numbers are unique within a partition by an index of its own.
 */
export const LedgerLeg = defineEntity({
  name: 'LedgerLeg',
  tableName: 'ledger_legs',
  indexes: [
    {
      // The entries that a workspace sees beside those of its account.
      name: 'ledger_legs_beside_index',
      expression:
        "create index ledger_legs_beside_index on ledger_legs (workspace_id, transaction_id) where kind in ('earning', 'absorbed')",
    },
    {
      // The entries that change a bill after it was settled.
      name: 'ledger_legs_changes_index',
      expression:
        "create index ledger_legs_changes_index on ledger_legs (workspace_id, created_at) where kind in ('refund', 'correction')",
    },
  ],
  properties: LEG,
});

const ENTRIES = `
select transaction_id, amount_nanos, sequence, balance_after_nanos, created_at, leg, hash_version, kind, subject, account_id, workspace_id,
  key_id, hash from ledger_legs
union all
select transaction_id, -debited_nanos as amount_nanos, sequence, balance_after_nanos, settled_at as created_at, leg, 2::smallint as hash_version,
  case when sequence is not null then 'debit' else null end as kind, id as subject, account_id, workspace_id, key_id, hash from requests`;

/**
 * All entries: the legs, and the debits of calls, which are in the calls' rows. A row without a kind is a call that was not charged: readers of
 * no certain kind, account or number leave it out. Those of other kinds than debits read `LedgerLeg`.
 */
export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  view: true,
  expression: ENTRIES,
  properties: LEG,
});

/**
 * Reserved money. A `slice` is the amount one process may spend for one key without a further query; a `request` hold covers one call,
 * near the last cent; a `run` hold covers one run until it ends. Spending under the hold counts towards `day` (UTC, database clock).
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
    {
      name: 'holds_ended_index',
      expression: "create index holds_ended_index on holds (ended_at) where kind <> 'run' and ended_at is not null",
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
    /** Its limit also binds the hold's spending. */
    clientSecretId: p.text().strictNullable(),
    /** The project that its key had when it was placed: its spending counts there. Null: the default project. */
    projectId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().strictNullable(),
  },
});

/** A key's spending on one UTC day. Ceilings and usage figures are sums over these rows, so no reset job exists. */
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

/** A running process that owns holds. It renews its lease every second; the sweep ends the holds of an expired lease. */
export const Process = defineEntity({
  name: 'Process',
  tableName: 'processes',
  properties: {
    id: p.text().primary(),
    /** Null: unknown, of an earlier release. */
    role: p.text().$type<'api' | 'worker'>().strictNullable(),
    startedAt: p.datetime().defaultRaw('now()'),
    leaseUntil: p.datetime(),
    reapedAt: p.datetime().strictNullable(),
    /** The amounts that its running calls hold of each slice, in nano-USD by the id of the slice's hold: written with each renewal. */
    inUse: p.json().defaultRaw("'{}'"),
    /** The connection over which it renews its lease, and the start time of that connection's database server. */
    backendPid: p.integer().strictNullable(),
    backendOf: p.datetime().strictNullable(),
    renewedAt: p.datetime().strictNullable(),
    /** Since then no renewal was late. */
    steadySince: p.datetime().strictNullable(),
    /** When it was first seen without that connection, since its last renewal. */
    goneAt: p.datetime().strictNullable(),
    /** Connections that it may open to the database itself; null: unknown, of an earlier release. */
    connectionsMax: p.integer().strictNullable(),
    /** The ids of the keys that it holds, by their variable: the first one encrypts. Null: unknown, of an earlier release. */
    keyIds: p.json<Record<string, string[]>>().strictNullable(),
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
    /** False: the text is from an earlier release, and lacked the last member until a trigger added it; or a function wrote it. */
    hasProduct: p.boolean().default(false),
    writtenAt: p.datetime().defaultRaw('now()'),
    /** Why the rest could not be posted. Each sweep retries it. */
    refusal: p.text().strictNullable(),
  },
});

/** An ended call, written in the same statement as its debit. A failed call has a row and no entry. Divided by the months in its ids. */
export const Request = defineEntity({
  name: 'Request',
  tableName: 'requests',
  checks: [{ name: 'requests_product_check', expression: `product in ('${CALL_PRODUCTS.join("', '")}')` }],
  indexes: [
    { name: 'requests_settled_index', properties: ['workspaceId', 'settledAt'] },
    {
      name: 'requests_age_index',
      expression: 'create index requests_age_index on requests using brin (settled_at)',
    },
    {
      name: 'requests_failed_index',
      expression:
        'create index requests_failed_index on requests (workspace_id, settled_at desc, id desc) where status >= 400',
    },
    {
      name: 'requests_unbilled_index',
      expression: 'create index requests_unbilled_index on requests (settled_at) where cost_nanos = 0',
    },
    {
      name: 'requests_written_off_index',
      expression: 'create index requests_written_off_index on requests (settled_at) where written_off_nanos > 0',
    },
  ],
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
    /** Billed by the sweep from the recorded progress of a stream. A later final bill from its process replaces it. */
    provisional: p.boolean().default(false),
    /** The upstream that answered, or the last attempt's. Null: none, or a call from before it was recorded. */
    upstream: p.text().strictNullable(),
    attempts: p.smallint().strictNullable(),
    /** Why it was that one (`routingNote.ts`); null for a model with one upstream. */
    routing: p.text().strictNullable(),
    finishReason: p.text().strictNullable(),
    cachedTokens: p.integer().strictNullable(),
    reasoningTokens: p.integer().strictNullable(),
    /** The price row used to compute the cost. */
    priceId: p.text().strictNullable(),
    /** The product it was sold as. */
    product: p.text().$type<CallProduct>(),
    /** The project of its hold; null: the default one. */
    projectId: p.text().strictNullable(),
    /** The entry of its debit, which is final; null: it was not charged, or before its debit was here. Read as a `LedgerEntry`. */
    transactionId: p.bigint().strictNullable().lazy(),
    leg: p.integer().strictNullable().lazy(),
    accountId: p.text().strictNullable(),
    debitedNanos: p.bigint().strictNullable().lazy(),
    sequence: p.bigint().strictNullable(),
    balanceAfterNanos: p.bigint().strictNullable().lazy(),
    hash: p.blob().strictNullable().lazy(),
    /** The time of its first ledger entry, if any: lists and usage follow the ledger's clock. */
    settledAt: p.datetime().defaultRaw('now()'),
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

/** The price of a model during some time: written once, and referenced by the calls it priced. The id is derived from model and rates. */
export const ModelPrice = defineEntity({
  name: 'ModelPrice',
  tableName: 'model_prices',
  properties: {
    id: p.text().primary(),
    model: p.text(),
    /** Pico-USD by the name of the unit, as text. */
    rates: p.json().$type<Record<string, string>>(),
    validFrom: p.datetime().defaultRaw('now()'),
    /** The operators' price that these rates were derived from, as for a batch or a service tier. */
    ofPriceId: p.text().strictNullable(),
  },
});
