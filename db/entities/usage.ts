import { defineEntity, p } from '@mikro-orm/core';

/**
 * The calls of a workspace in a completed hour (UTC), summed: reports read these instead of the calls. Computed again when a call of the
 * hour is corrected. Amounts are those of the hour's ledger entries.
 */
export const UsageHour = defineEntity({
  name: 'UsageHour',
  tableName: 'usage_hours',
  properties: {
    workspaceId: p.text().primary(),
    hour: p.datetime().primary(),
    keyId: p.text().primary(),
    model: p.text().primary(),
    route: p.text().primary(),
    /** Empty for calls from before price rows. */
    priceId: p.text().primary(),
    requests: p.bigint(),
    errors: p.bigint(),
    costNanos: p.bigint(),
    /** Quantities by the name of their unit. */
    units: p.json().$type<Record<string, number>>(),
  },
});

/** The time up to which the hours of a workspace are summed: reports read later calls themselves. */
export const UsageRollup = defineEntity({
  name: 'UsageRollup',
  tableName: 'usage_rollups',
  properties: {
    workspaceId: p.text().primary(),
    summedUntil: p.datetime(),
  },
});
