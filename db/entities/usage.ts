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
    /** Empty for the default project. */
    projectId: p.text().primary().default(''),
    requests: p.bigint(),
    errors: p.bigint(),
    costNanos: p.bigint(),
    /** Quantities by the name of their unit. */
    units: p.json().$type<Record<string, number>>(),
    /** Of all these calls: they have one route and one model. */
    product: p.text(),
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

/**
 * A call answered with an error, kept for a week so that its caller can ask why. It has no content and no bill; a call with a hold has
 * its `Request` too.
 */
export const RefusedCall = defineEntity({
  name: 'RefusedCall',
  tableName: 'refused_calls',
  indexes: [
    {
      name: 'refused_calls_workspace_index',
      expression:
        'create index refused_calls_workspace_index on refused_calls (workspace_id, created_at desc, id desc)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    keyId: p.text(),
    route: p.text(),
    /** The named model or agent, if the call got that far. */
    model: p.text().strictNullable(),
    status: p.integer(),
    code: p.text(),
    message: p.text(),
    durationMs: p.integer(),
    /** How many calls the row represents: beyond a few per minute, a key's calls are only counted. */
    /** The project of its key; null: the default one. */
    projectId: p.text().strictNullable(),
    calls: p.integer(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index(),
  },
});
