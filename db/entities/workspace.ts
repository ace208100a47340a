import { defineEntity, p } from '@mikro-orm/core';

/** A customer: owns keys, one account, and all resources created with the keys. */
export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  indexes: [
    {
      name: 'workspaces_live_index',
      expression: 'create unique index workspaces_live_index on workspaces (live_workspace_id)',
    },
  ],
  checks: [
    {
      name: 'workspaces_mode_check',
      expression:
        "(live_workspace_id is not null) = starts_with(id, 'wst_') and (clock_seconds = 0 or live_workspace_id is not null) and clock_seconds >= 0",
    },
  ],
  properties: {
    id: p.text().primary(),
    name: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Of a test workspace: its live workspace. Its id begins with `wst_`. */
    liveWorkspaceId: p.text().strictNullable(),
    /** Of a test workspace: how far its clock is ahead. */
    clockSeconds: p.bigint().default(0),
    /** The offset it is moving to, when that is more: whatever is due on the way happens first. */
    clockTargetSeconds: p.bigint().default(0),
    /** The time of the workspace up to which its schedules have fired; null before the first move. */
    clockFollowedTo: p.datetime().strictNullable(),
    /** Whether work due at its target is still pending. */
    clockMoving: p.boolean().default(false),
    /** Its logo: an image file of the workspace; null: none. */
    logoFileId: p.text().strictNullable(),
    /** Whether the public pages of its agents show the logo. */
    logoIsPublic: p.boolean().default(false),
    /** Whether its calls go only to upstreams that keep nothing of them. */
    noRetention: p.boolean().default(false),
  },
});

/** A key of a workspace. The secret itself is never stored: `hash` is its SHA-256, `prefix` its first 12 characters. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  indexes: [
    {
      name: 'api_keys_member_index',
      expression:
        'create unique index api_keys_member_index on api_keys (workspace_id, member_user_id) where member_user_id is not null and revoked_at is null',
    },
    {
      name: 'api_keys_ancestors_index',
      expression: 'create index api_keys_ancestors_index on api_keys using gin (ancestors) where parent_id is not null',
    },
  ],
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
    /** When the ceiling or its period was last changed: what was spent before may be above it. */
    limitChangedAt: p.datetime().strictNullable(),
    rpmLimit: p.integer().strictNullable(),
    concurrencyLimit: p.integer().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    lastUsedAt: p.datetime().strictNullable(),
    expiresAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
    /** Whether runs in progress may finish after the key is revoked. Queued ones never start. */
    keepsRuns: p.boolean().default(false),
    /** Addresses and ranges (CIDR) that may use it; null: all. */
    allowedIps: p.array().columnType('text[]').strictNullable(),
    /** The name of the key or person that created it; null: the command line. */
    createdBy: p.text().strictNullable(),
    /** How it was made, where it was not made in the list of keys or by another key. */
    origin: p.text().$type<'device_login'>().strictNullable(),
    /** The person who created it, or created the key that did; null: the command line, where the person is unknown. */
    ownerUserId: p.text().strictNullable(),
    /** The member whose console use it pays for. Such a key has no secret and is never listed. */
    memberUserId: p.text().strictNullable(),
    /** The key that created it; null: none. */
    parentId: p.text().strictNullable(),
    /** That key and all its ancestors, from the root on: it counts against the ceilings of all of them. */
    ancestors: p.array().columnType('text[]').defaultRaw("'{}'"),
    /** Whether it created keys or was created by one. */
    inTree: p.boolean().default(false),
    /** The agents it may run, as `<namespace>/<slug>`; null: all. */
    allowedAgents: p.array().columnType('text[]').strictNullable(),
    /** For how many days the contents of its calls are kept; 0: they are not. */
    logDays: p.integer().default(0),
    /** Whether its calls go only to upstreams that keep nothing of them. */
    noRetention: p.boolean().default(false),
    /** The project it belongs to; null: the default one. */
    projectId: p.text().strictNullable(),
  },
});

/**
 * An earlier secret of a key, valid until it expires. The key keeps its id, ceiling and usage. Rows are kept, so that no secret is ever
 * issued twice.
 */
export const RotatedSecret = defineEntity({
  name: 'RotatedSecret',
  tableName: 'rotated_secrets',
  properties: {
    hash: p.blob().primary(),
    workspaceId: p.text(),
    keyId: p.text().index(),
    expiresAt: p.datetime(),
  },
});

/**
 * A used `Idempotency-Key`. `resourceId` is chosen with the first request, so that a retry after a crash creates the same resource; the
 * answer is kept for a day and sent again unchanged.
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
    /** The first request counts as running until this time. */
    runningUntil: p.datetime(),
    /** The process that runs it. */
    processId: p.text().strictNullable(),
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
    workspaceId: p.text().index(),
    /** JSON as sent. Stored as text, because it may contain characters that the database's JSON cannot store. */
    item: p.text(),
    expiresAt: p.datetime().index(),
  },
});

/**
 * A part of an answer kept for ten minutes, so that a retry gets it again and a stream can be resumed. Partitioned by `slot`: see
 * `db/answers`.
 */
export const AnswerPart = defineEntity({
  name: 'AnswerPart',
  tableName: 'answer_parts',
  indexes: [
    { name: 'answer_parts_request_id_index', properties: ['requestId', 'part'] },
    {
      name: 'answer_parts_fingerprint_index',
      expression:
        'create index answer_parts_fingerprint_index on answer_parts (fingerprint) where fingerprint is not null',
    },
  ],
  properties: {
    slot: p.smallint().primary(),
    requestId: p.text().primary(),
    part: p.integer().primary(),
    workspaceId: p.text(),
    /** The fingerprint shared by a retry and its first try. In the first part; null if no retry is expected. */
    fingerprint: p.text().strictNullable(),
    /** In the last part: how the answer ended. */
    state: p.text().$type<'open' | 'whole' | 'failed' | 'left' | 'large' | 'unkept'>(),
    /** The first part begins with a line of JSON: status, headers. */
    bytes: p.blob(),
    /** The number of retries that got it. */
    replays: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

/** Which of several equal tries of a call runs. Deleted when it has ended: see `db/answers/claims.ts`. */
export const CallClaim = defineEntity({
  name: 'CallClaim',
  tableName: 'call_claims',
  properties: {
    workspaceId: p.text().primary(),
    /** The fingerprint shared by its tries. */
    fingerprint: p.text().primary(),
    requestId: p.text(),
    bodyHash: p.text().strictNullable(),
    processId: p.text(),
    claimedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

/** The number of retries that got a call's answer, and so were free. Without a row: none. */
export const RequestRetries = defineEntity({
  name: 'RequestRetries',
  tableName: 'request_retries',
  properties: {
    requestId: p.text().primary(),
    workspaceId: p.text().index(),
    retries: p.integer(),
  },
});

/** An audited action: what was done, to what, by which key or person, and the reason or change. Append-only. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  indexes: [
    {
      name: 'audit_entries_age_index',
      expression: 'create index audit_entries_age_index on audit_entries (created_at, id)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().strictNullable().index(),
    /** The key that was used, or null when a person acted without one. */
    keyId: p.text().strictNullable(),
    userId: p.text().strictNullable(),
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

/**
 * A secret that opens realtime sockets in the name of a key, with one session configuration, until it expires. Its text is not stored.
 */
export const ClientSecret = defineEntity({
  name: 'ClientSecret',
  tableName: 'client_secrets',
  checks: [
    {
      name: 'client_secrets_sessions_check',
      expression: 'sessions >= 0 and (sessions_max is null or sessions <= sessions_max)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    keyId: p.text(),
    hash: p.blob().unique(),
    session: p.json().$type<object>(),
    maxSessionSeconds: p.integer().strictNullable(),
    /** The maximum cost of all its sessions, and their cost so far if there is such a limit. */
    spendLimitNanos: p.bigint().strictNullable(),
    spentNanos: p.bigint().default(0),
    /** How many sessions it may open, and how many it has opened. */
    sessionsMax: p.integer().strictNullable(),
    sessions: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().index(),
  },
});
