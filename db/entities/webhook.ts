import { defineEntity, p } from '@mikro-orm/core';

/** An endpoint's signing secret, sealed for the worker. `expiresAt`: when a rotated secret stops signing, in ISO 8601; null: current. */
export interface SealedSecret {
  sealed: string;
  expiresAt: string | null;
}

/** Where a workspace receives its events. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  checks: [
    {
      name: 'webhook_endpoints_disabled_check',
      expression:
        "(disabled_at is null) = (disabled_reason is null) and disabled_reason in ('requested', 'gone', 'failing')",
    },
  ],
  indexes: [{ name: 'webhook_endpoints_workspace_id_index', properties: ['workspaceId', 'createdAt'] }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    url: p.text(),
    /** Empty: all. */
    eventTypes: p.array().columnType('text[]').defaultRaw("'{}'"),
    description: p.text().strictNullable(),
    /** The current one first. Empty once it is deleted. */
    secrets: p.json().$type<SealedSecret[]>(),
    disabledAt: p.datetime().strictNullable(),
    /** `requested` by its owner; `gone`: it answered 410; `failing` for days. */
    disabledReason: p.text().$type<'requested' | 'gone' | 'failing'>().strictNullable(),
    /** Since when no attempt has succeeded. */
    failingSince: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().strictNullable(),
  },
});

/** One event for one endpoint. Triggers on the event tables insert it with the event. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  checks: [
    {
      name: 'webhook_deliveries_status_check',
      expression: "status in ('pending', 'delivered', 'failed', 'cancelled')",
    },
  ],
  indexes: [
    {
      name: 'webhook_deliveries_due_index',
      expression: 'create index webhook_deliveries_due_index on webhook_deliveries (due_at) where due_at is not null',
    },
    { name: 'webhook_deliveries_endpoint_index', properties: ['endpointId', 'createdAt', 'id'] },
    {
      name: 'webhook_deliveries_event_index',
      expression: 'create unique index webhook_deliveries_event_index on webhook_deliveries (event_id, endpoint_id)',
    },
  ],
  properties: {
    id: p.text().primary(),
    eventId: p.text(),
    endpointId: p.text(),
    workspaceId: p.text().index(),
    eventType: p.text(),
    /** Replaces the endpoint's URL: the URL of the event's run. */
    url: p.text().strictNullable(),
    status: p.text().$type<'pending' | 'delivered' | 'failed' | 'cancelled'>().default('pending'),
    /** Rises with each redelivery, so that an attempt of an earlier round does not count. */
    round: p.integer().default(1),
    /** Attempts of this round. */
    tries: p.smallint().default(0),
    nextTryAt: p.datetime().strictNullable().defaultRaw('now()'),
    /** Null: its workflow is up to date. Otherwise a sweep starts, wakes or cancels it. */
    dueAt: p.datetime().strictNullable().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()').index(),
  },
});

/** A sent request of a delivery, with the beginning of its answer. */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempts',
  properties: {
    id: p.text().primary(),
    deliveryId: p.text().index(),
    workspaceId: p.text().index(),
    /** Null: there was no answer. */
    statusCode: p.integer().strictNullable(),
    responseBody: p.text().strictNullable(),
    error: p.text().strictNullable(),
    durationMs: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** Public keys with which the API seals secrets of endpoints: only workers have the private keys. The last used key is current. */
export const WebhookKey = defineEntity({
  name: 'WebhookKey',
  tableName: 'webhook_keys',
  properties: {
    id: p.text().primary(),
    publicKey: p.text(),
    usedAt: p.datetime().defaultRaw('now()'),
  },
});
