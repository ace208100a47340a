import { defineEntity, p } from '@mikro-orm/core';

/** The kinds of places a run may wait for: among the runs of a key, for its share of a rate, and for the end of a burst of orders. */
export type PlaceKind = 'concurrency' | 'rate' | 'debounce';

/** What an order says of its turn. A run that follows only a rule of its workspace has neither. */
export interface RunFlow {
  /** At most `limit` runs with this key run at once. */
  concurrency?: { key: string; limit: number } | undefined;
  /** Orders with this key become one run, `seconds` after the last of them and at most `max_seconds` after the first. */
  debounce?: { key: string; seconds: number; max_seconds?: number | undefined } | undefined;
}

/** What a workspace wants of all its runs of one agent: how many at once, and how many in a period. Keys are JSON pointers. */
export const FlowRule = defineEntity({
  name: 'FlowRule',
  tableName: 'flow_rules',
  checks: [
    {
      name: 'flow_rules_concurrency_check',
      expression: 'concurrency_limit > 0 or (concurrency_limit is null and concurrency_key is null)',
    },
    {
      name: 'flow_rules_rate_check',
      expression:
        "(rate_limit > 0 and rate_period_seconds > 0 and rate_exceeded in ('queue', 'refuse')) or (rate_limit is null and rate_period_seconds is null and rate_key is null and rate_exceeded is null)",
    },
    { name: 'flow_rules_any_check', expression: 'concurrency_limit is not null or rate_limit is not null' },
  ],
  uniques: [{ name: 'flow_rules_agent_unique', properties: ['workspaceId', 'agent'] }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    agent: p.text(),
    concurrencyLimit: p.integer().strictNullable(),
    concurrencyKey: p.text().strictNullable(),
    rateLimit: p.integer().strictNullable(),
    ratePeriodSeconds: p.integer().strictNullable(),
    rateKey: p.text().strictNullable(),
    rateExceeded: p.text().$type<'queue' | 'refuse'>().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * A run's place in a lane: all runs with the same key. It waits until `admittedAt`, and then counts: until its run has ended, or for the
 * period of a rate. The lane is a hash, so that a place which outlives its run says nothing of it.
 */
export const FlowPlace = defineEntity({
  name: 'FlowPlace',
  tableName: 'flow_places',
  checks: [{ name: 'flow_places_kind_check', expression: "kind in ('concurrency', 'rate', 'debounce')" }],
  indexes: [
    {
      name: 'flow_places_waiting_index',
      expression:
        'create index flow_places_waiting_index on flow_places (workspace_id, lane, ranked_at, run_id) where admitted_at is null',
    },
    {
      name: 'flow_places_admitted_index',
      expression: 'create index flow_places_admitted_index on flow_places (workspace_id, lane, admitted_at)',
    },
    {
      name: 'flow_places_debounce_unique',
      expression:
        "create unique index flow_places_debounce_unique on flow_places (workspace_id, lane) where kind = 'debounce' and admitted_at is null",
    },
  ],
  properties: {
    runId: p.text().primary(),
    lane: p.text().primary(),
    workspaceId: p.text(),
    kind: p.text().$type<PlaceKind>(),
    /** As it was sent or found, while the run waits. */
    key: p.text().strictNullable(),
    runLimit: p.integer().strictNullable(),
    periodSeconds: p.integer().strictNullable(),
    /** The rule that it follows. */
    ruleId: p.text().strictNullable(),
    /** The time of the order, less its priority: those that wait start in this order. */
    rankedAt: p.datetime(),
    /** Of a debounce: when its first order came. */
    since: p.datetime().strictNullable(),
    admittedAt: p.datetime().strictNullable(),
  },
});

/** The lock of a workspace's lanes, and the next time at which one of its waiting runs may start. */
export const FlowQueue = defineEntity({
  name: 'FlowQueue',
  tableName: 'flow_queues',
  properties: {
    workspaceId: p.text().primary(),
    wakeAt: p.datetime().strictNullable(),
  },
});
