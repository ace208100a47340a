import { defineEntity, p } from '@mikro-orm/core';

/** A customer: owns keys, one account, and everything made with them. */
export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

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
    spendLimitNanos: p.bigint().strictNullable(),
    spendLimitPeriod: p.text().$type<'daily' | 'monthly'>().strictNullable(),
    rpmLimit: p.integer().strictNullable(),
    concurrencyLimit: p.integer().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    lastUsedAt: p.datetime().strictNullable(),
    expiresAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
    /** Whether runs in progress may finish after the key is revoked. Queued ones never start. */
    keepsRuns: p.boolean().default(false),
  },
});

/**
 * An `Idempotency-Key` that was used. `resourceId` is chosen with the first request, so that a retry after a crash creates the same resource;
 * the answer is kept for a day and sent again unchanged.
 */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    workspaceId: p.text().primary(),
    route: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.blob(),
    resourceId: p.text(),
    /** Until then the first request counts as running. */
    runningUntil: p.datetime(),
    status: p.integer().strictNullable(),
    headers: p.json().strictNullable(),
    body: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()').index(),
  },
});

/** An output item of a response, kept for a day so that a later request can refer to it by its id. */
export const ResponseItem = defineEntity({
  name: 'ResponseItem',
  tableName: 'response_items',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    /** JSON as it was sent. As text it may hold characters that the database's own JSON cannot. */
    item: p.text(),
    expiresAt: p.datetime().index(),
  },
});

/** Something that happened in a workspace outside of a run: a deployment was approved, a balance ran low. */
export const PlatformEvent = defineEntity({
  name: 'PlatformEvent',
  tableName: 'platform_events',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    type: p.text(),
    resourceType: p.text(),
    resourceId: p.text(),
    data: p.json().$type<object>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** An operator's action: what was done, to what, and the reason given. Append-only. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().strictNullable(),
    keyId: p.text(),
    action: p.text(),
    subjectType: p.text(),
    subjectId: p.text().index(),
    detail: p.json().$type<object>().defaultRaw("'{}'"),
    requestId: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** Secrets shared by the processes of one installation. A migration creates them at random. */
export const Secret = defineEntity({
  name: 'Secret',
  tableName: 'secrets',
  properties: {
    name: p.text().primary(),
    value: p.blob(),
  },
});
