import { defineEntity, p } from '@mikro-orm/core';
import type { Pricing, ResponseFormat } from './agentJson.ts';
import {
  FINAL_STATUSES,
  RUN_STATUSES,
  sqlListOf,
  type RequiredAction,
  type RunStatus,
  AGENT_RUN_INDEXES,
} from './runStates.ts';
import type { RunFlow } from './flow.ts';

/** A part of a message: a text or a file. */
export type InputPart = { type: 'input_text'; text: string } | { type: 'input_file'; file_id: string };

/** A message of a conversation, or a call of a tool and its result. */
export type ConversationItem =
  | { type: 'message'; role: ConversationRole; name?: string | undefined; content: string | InputPart[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string };

export type ConversationRole = 'system' | 'developer' | 'user' | 'assistant';

/** The items of a run's input: one message's texts, files and data; or a conversation that ends with the user's message. */
export type InputItem = InputPart | { type: 'input_data'; data: object } | ConversationItem;

/**
 * A run of an agent: the projection of its workflow (workflow id = run id). Input and price are fixed when it is created; state, cost and
 * output are written by the workflow's activities. `lastSequence` numbers its events.
 */
export const Run = defineEntity({
  name: 'Run',
  tableName: 'runs',
  checks: [
    {
      name: 'runs_status_check',
      expression: `status in ${sqlListOf(RUN_STATUSES)}`,
    },
    {
      name: 'runs_cost_check',
      expression:
        'total_nanos = subtotal_nanos + network_fee_nanos and total_nanos <= max_cost_nanos and absorbed_nanos >= 0 and subsidy_nanos >= 0 and subsidy_nanos <= platform_cost_nanos',
    },
    {
      name: 'runs_settled_check',
      expression: `(status in ${sqlListOf(FINAL_STATUSES)}) = (settled_at is not null)`,
    },
  ],
  indexes: [
    {
      name: 'runs_workspace_index',
      expression: 'create index runs_workspace_index on runs (workspace_id, created_at, id)',
    },
    {
      name: 'runs_session_index',
      expression: 'create index runs_session_index on runs (session_id, created_at)',
    },
    {
      name: 'runs_open_index',
      expression: 'create index runs_open_index on runs (created_at) where settled_at is null',
    },
    {
      name: 'runs_settled_index',
      expression: 'create index runs_settled_index on runs (workspace_id, settled_at) where settled_at is not null',
    },
    {
      name: 'runs_absorbed_index',
      expression: 'create index runs_absorbed_index on runs (settled_at) where absorbed_nanos > 0',
    },
    ...AGENT_RUN_INDEXES,
    {
      name: 'runs_parent_index',
      expression: 'create index runs_parent_index on runs (parent_run_id, parent_step) where parent_run_id is not null',
    },
    {
      name: 'runs_content_index',
      expression: 'create index runs_content_index on runs (settled_at) where content_deleted_at is null',
    },
    {
      name: 'runs_publisher_settled_index',
      expression:
        'create index runs_publisher_settled_index on runs (publisher_workspace_id, settled_at) where settled_at is not null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    keyId: p.text(),
    /** Whether its model calls go only to upstreams that keep nothing of them. */
    noRetention: p.boolean().default(false),
    accountId: p.text(),
    publisherWorkspaceId: p.text(),
    agentId: p.text(),
    agent: p.text(),
    agentName: p.text(),
    versionId: p.text(),
    version: p.text(),
    sessionId: p.text(),
    visibility: p.text().$type<'public' | 'private'>(),
    status: p.text().$type<RunStatus>().default('queued'),
    statusReason: p.text().strictNullable(),
    input: p.json().$type<string | InputItem[]>(),
    /** The output schema ordered by the caller; null: the agent's, if it has one. */
    responseFormat: p.json().$type<ResponseFormat>().strictNullable(),
    output: p.json().$type<object[]>().defaultRaw("'[]'"),
    /** The first open one of `requiredActions`. It has an `answer` when all of them do. */
    requiredAction: p.json().$type<RequiredAction>().strictNullable(),
    /** The questions and approvals that it waits for together, their fields in order; null while it waits for something else. */
    requiredActions: p.json().columnType('json').$type<RequiredAction[]>().strictNullable(),
    error: p.json().$type<object>().strictNullable(),
    fault: p.text().strictNullable(),
    limit: p.json().$type<object>().strictNullable(),
    onLimit: p.text().$type<'stop' | 'pause'>(),
    onDisconnect: p.text().$type<'continue' | 'cancel'>(),
    ifSessionBusy: p.text(),
    /** Waits for the session's earlier runs, or for its turn in its lanes: its workflow is not started before. */
    waiting: p.boolean().default(false),
    priority: p.integer().default(0),
    /** Null: it takes no turns in lanes. */
    flow: p.json().$type<RunFlow>().strictNullable(),
    timeoutSeconds: p.integer(),
    startAt: p.datetime(),
    source: p.text(),
    /** The end user that its caller named: what the agent remembers is kept for this one. */
    endUser: p.text().strictNullable(),
    metadata: p.json().$type<Record<string, string>>().defaultRaw("'{}'"),
    webhookUrl: p.text().strictNullable(),
    webhookEvents: p.array().columnType('text[]').strictNullable(),
    /** The price at the run's creation: rates by meter, fee, minimum and maximum. */
    rateCard: p.json().$type<Pricing>(),
    maxCostNanos: p.bigint(),
    minimumCostNanos: p.bigint(),
    holdId: p.text(),
    heldNanos: p.bigint(),
    /** Quantities by meter, so far. */
    meters: p.json().$type<Record<string, number | string>>().defaultRaw("'{}'"),
    subtotalNanos: p.bigint().default(0),
    networkFeeNanos: p.bigint().default(0),
    totalNanos: p.bigint().default(0),
    absorbedNanos: p.bigint().default(0),
    /** The platform's payment for model and sandbox, out of the subtotal and the subsidy. */
    platformCostNanos: p.bigint().default(0),
    subsidyNanos: p.bigint().default(0),
    settledAt: p.datetime().strictNullable(),
    lastSequence: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    startedAt: p.datetime().strictNullable(),
    completedAt: p.datetime().strictNullable(),
    cancelRequestedAt: p.datetime().strictNullable(),
    cancelReason: p.text().strictNullable(),
    cancelMode: p.text().$type<'graceful' | 'immediate'>().strictNullable(),
    /** Null: the workflow is not started yet, or not notified of the cancellation; the sweep does it. */
    workflowStartedAt: p.datetime().strictNullable(),
    cancelDeliveredAt: p.datetime().strictNullable(),
    /** When input, output, steps and events were deleted: after their retention, or by their owner, who then no longer sees the run. */
    contentDeletedAt: p.datetime().strictNullable(),
    deletedAt: p.datetime().strictNullable(),
    /** The run that supplies this run's steps before `rerunFromStep`. */
    rerunOf: p.text().strictNullable(),
    rerunFromStep: p.integer().strictNullable(),
    /** That run was not billed: this one pays for the reused steps, once it has begun. */
    reusesUnbilled: p.boolean().default(false),
    /** The run with the step that started this one and pays from its hold, and the number of runs above. */
    parentRunId: p.text().strictNullable(),
    parentStep: p.integer().strictNullable(),
    depth: p.integer().default(0),
    /** Rules replaced its agent's model. */
    rehearsed: p.boolean().default(false),
    /** The project of its hold; null: the default one. */
    projectId: p.text().strictNullable(),
    /** The cost of the runs started by this one, and of their descendants. */
    childrenNanos: p.bigint().default(0),
  },
});

/**
 * One step of a run: a model call or a tool call. A retry of the step returns `result` instead of repeating it; it holds content that
 * must stay out of the workflow's history.
 */
export const RunStep = defineEntity({
  name: 'RunStep',
  tableName: 'run_steps',
  checks: [
    { name: 'run_steps_kind_check', expression: "kind in ('model', 'tool', 'sandbox', 'file', 'compaction')" },
    { name: 'run_steps_state_check', expression: "state in ('started', 'completed', 'failed')" },
  ],
  properties: {
    runId: p.text().primary(),
    step: p.integer().primary(),
    workspaceId: p.text(),
    id: p.text(),
    kind: p.text(),
    name: p.text(),
    state: p.text().default('started'),
    attempt: p.integer().default(1),
    result: p.json().strictNullable(),
    startedAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().strictNullable(),
    /** Why the last ended attempt failed. */
    errorCode: p.text().strictNullable(),
    /** When the next attempt begins; null unless one is due. */
    retryAt: p.datetime().strictNullable(),
    /** The files and data that a tool added to the run's output. */
    output: p.json().$type<object[]>().strictNullable(),
    /** The step of another run that supplied this result. */
    reusedFrom: p.text().strictNullable(),
  },
});

/** A step's usage, one row for each (run, step, meter), so that a retried step is counted once. */
export const RunMeter = defineEntity({
  name: 'RunMeter',
  tableName: 'run_meters',
  properties: {
    runId: p.text().primary(),
    step: p.integer().primary(),
    meter: p.text().primary(),
    workspaceId: p.text(),
    quantityThousandths: p.bigint(),
  },
});

/** The billed quantities of a settled run, by meter: usage reports sum these rows. Written in the settlement's transaction. */
export const RunUsage = defineEntity({
  name: 'RunUsage',
  tableName: 'run_usage',
  indexes: [{ name: 'run_usage_workspace_index', properties: ['workspaceId', 'settledAt'] }],
  properties: {
    runId: p.text().primary(),
    meter: p.text().primary(),
    workspaceId: p.text(),
    unit: p.text(),
    quantityThousandths: p.bigint(),
    costNanos: p.bigint(),
    settledAt: p.datetime(),
  },
});

/** An event of a run, numbered from one without gaps. Its public id is derived from the run's id and the number. */
export const RunEvent = defineEntity({
  name: 'RunEvent',
  tableName: 'run_events',
  indexes: [
    {
      name: 'run_events_created_at_index',
      expression: 'create index run_events_created_at_index on run_events (created_at)',
    },
    {
      name: 'run_events_notable_index',
      expression: `create index run_events_notable_index on run_events (workspace_id, created_at, run_id, sequence) where type in ('run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached')`,
    },
    {
      name: 'run_events_position_index',
      expression:
        'create index run_events_position_index on run_events (workspace_id, position) where position is not null',
    },
  ],
  properties: {
    runId: p.text().primary(),
    sequence: p.integer().primary(),
    workspaceId: p.text(),
    type: p.text(),
    data: p.json(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Of those that webhooks deliver, in the order of the workspace's events: set by a trigger. */
    position: p.bigint().strictNullable(),
  },
});

/** A caller's rating of a run: one for each run and author. */
export const RunFeedback = defineEntity({
  name: 'RunFeedback',
  tableName: 'run_feedback',
  indexes: [
    {
      name: 'run_feedback_agent_index',
      expression: 'create index run_feedback_agent_index on run_feedback (agent_id, created_at, id)',
    },
  ],
  properties: {
    runId: p.text().primary(),
    authorId: p.text().primary(),
    id: p.text(),
    workspaceId: p.text(),
    /** The run's agent. */
    agentId: p.text(),
    outcome: p.text(),
    reason: p.text(),
    source: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
