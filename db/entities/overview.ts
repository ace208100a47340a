import { defineEntity, p } from '@mikro-orm/core';

/**
 * What live workspaces were charged on a day that is over (UTC), by product, model and upstream: the operators' reports read these instead
 * of the calls. Runs have the product `agents`, and their agent as the model.
 */
export const RevenueDay = defineEntity({
  name: 'RevenueDay',
  tableName: 'revenue_days',
  properties: {
    day: p.date().primary(),
    product: p.text().primary(),
    model: p.text().primary(),
    /** Empty: none, or a run. */
    upstream: p.text().primary(),
    calls: p.bigint(),
    chargedNanos: p.bigint(),
    writtenOffNanos: p.bigint(),
    /** Quantities by the name of their unit. */
    units: p.json().$type<Record<string, number>>(),
  },
});

/** The day up to which revenue is summed. One row. */
export const RevenueRollup = defineEntity({
  name: 'RevenueRollup',
  tableName: 'revenue_rollups',
  properties: {
    id: p.text().primary(),
    summedUntil: p.date(),
  },
});

/** The outcome of a scheduled check of the ledger. */
export const LedgerCheck = defineEntity({
  name: 'LedgerCheck',
  tableName: 'ledger_checks',
  indexes: [{ name: 'ledger_checks_age_index', properties: ['checkedAt'] }],
  properties: {
    /** That of the workflow's run, so that a repeated check is one row. */
    id: p.text().primary(),
    startedAt: p.datetime(),
    entries: p.bigint(),
    transactions: p.bigint(),
    /** The broken rules: how often each (at most twenty are counted), and the first places. */
    violations: p.json().$type<BrokenRule[]>(),
    checkedAt: p.datetime().defaultRaw('now()'),
  },
});

export interface BrokenRule {
  rule: string;
  count: number;
  details: string[];
}
