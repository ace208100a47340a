import { defineEntity, p } from '@mikro-orm/core';

/** A month of calls: the rows of `requests` and `ledger_entries` with ids from `firstId` up to the next month's. The last one has no end yet. */
export const LedgerMonth = defineEntity({
  name: 'LedgerMonth',
  tableName: 'ledger_months',
  checks: [{ name: 'ledger_months_state_check', expression: "state in ('open', 'sealed', 'archived', 'dropped')" }],
  properties: {
    month: p.date().primary(),
    firstId: p.text().unique(),
    state: p.text().$type<'open' | 'sealed' | 'archived' | 'dropped'>().default('open'),
    /** Of its rows, when it was sealed: all calls, all entries and the numbered ones. */
    calls: p.bigint().strictNullable(),
    entries: p.bigint().strictNullable(),
    transactions: p.bigint().strictNullable(),
    numbered: p.bigint().strictNullable(),
    chargedNanos: p.bigint().strictNullable(),
    /** Of the entries, in nano-USD as text by account. */
    sums: p.json().$type<Record<string, string>>().strictNullable(),
    sealedAt: p.datetime().strictNullable(),
    /** Where its rows were archived, and what proves them. */
    proof: p.json().$type<Record<string, unknown>>().strictNullable(),
    archivedAt: p.datetime().strictNullable(),
    droppedAt: p.datetime().strictNullable(),
  },
});

/** What dropped months sum to: the entries of an account, and what was billed to a key on a day or to a project. */
export const LedgerCarried = defineEntity({
  name: 'LedgerCarried',
  tableName: 'ledger_carried',
  checks: [{ name: 'ledger_carried_kind_check', expression: "kind in ('account', 'key', 'project')" }],
  properties: {
    kind: p.text().$type<'account' | 'key' | 'project'>().primary(),
    id: p.text().primary(),
    /** Of a key of a live workspace alone. */
    day: p.date().primary().default('2000-01-01'),
    nanos: p.bigint(),
    entries: p.bigint(),
  },
});

/** Numbers of an account that are in dropped months, without a gap: the balance and the chain's hash before and after them. */
export const LedgerCarriedRange = defineEntity({
  name: 'LedgerCarriedRange',
  tableName: 'ledger_carried_ranges',
  properties: {
    accountId: p.text().primary(),
    firstSequence: p.bigint().primary(),
    lastSequence: p.bigint(),
    beforeNanos: p.bigint(),
    afterNanos: p.bigint(),
    beforeHash: p.blob().strictNullable(),
    afterHash: p.blob(),
  },
});
