import { defineEntity, p } from '@mikro-orm/core';

/** A key of a workspace. The secret itself is never stored: `hash` is its SHA-256, `prefix` its first 12 characters. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  checks: [
    { name: 'api_keys_period_check', expression: "spend_limit_period in ('daily', 'monthly')" },
    { name: 'api_keys_limits_check', expression: 'spend_limit_nanos >= 0 and rpm_limit > 0 and concurrency_limit > 0' },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    accountId: p.text(),
    name: p.text(),
    hash: p.blob().unique(),
    prefix: p.text(),
    scopes: p.array().columnType('text[]'),
    spendLimitNanos: p.bigint().nullable(),
    spendLimitPeriod: p.text().nullable(),
    rpmLimit: p.integer().nullable(),
    concurrencyLimit: p.integer().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    lastUsedAt: p.datetime().nullable(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    /** Whether runs that work when the key is revoked may end. Those that have not begun never begin. */
    keepsRuns: p.boolean().default(false),
  },
});
