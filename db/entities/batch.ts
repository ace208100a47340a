import { defineEntity, p } from '@mikro-orm/core';

export type BatchStatus =
  'validating' | 'failed' | 'in_progress' | 'finalizing' | 'completed' | 'expired' | 'cancelling' | 'cancelled';

/** Why a batch's file cannot be run, by line. */
export interface BatchError {
  code: string;
  line: number | null;
  message: string;
  param: string | null;
}

/** A file of calls that run within a day. Only its workflow changes its state, except that a caller can cancel it. */
export const Batch = defineEntity({
  name: 'Batch',
  tableName: 'batches',
  checks: [
    {
      name: 'batches_status_check',
      expression:
        "status in ('validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled')",
    },
    {
      name: 'batches_ended_check',
      expression: "(status in ('failed', 'completed', 'expired', 'cancelled')) = (ended_at is not null)",
    },
  ],
  indexes: [
    {
      name: 'batches_workspace_index',
      expression: 'create index batches_workspace_index on batches (workspace_id, created_at, id)',
    },
    {
      name: 'batches_open_index',
      expression: 'create index batches_open_index on batches (input_file_id) where ended_at is null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    keyId: p.text(),
    endpoint: p.text(),
    inputFileId: p.text(),
    status: p.text().$type<BatchStatus>().default('validating'),
    metadata: p.json().$type<Record<string, string>>().strictNullable(),
    /** How long its output files are kept. */
    outputSeconds: p.integer(),
    errors: p.json().$type<BatchError[]>().strictNullable(),
    /** Lines of the file, and the number with a result. */
    total: p.integer().default(0),
    completed: p.integer().default(0),
    failed: p.integer().default(0),
    /** The billed usage of its lines. */
    inputTokens: p.bigint('number').default(0),
    cachedTokens: p.bigint('number').default(0),
    outputTokens: p.bigint('number').default(0),
    reasoningTokens: p.bigint('number').default(0),
    costNanos: p.bigint().default(0),
    /** The maximum cost of its lines; null until they are checked. */
    worstCaseNanos: p.bigint().strictNullable(),
    outputFileId: p.text().strictNullable(),
    errorFileId: p.text().strictNullable(),
    /** Why lines without a result did not run: a code of their errors; null where all have one. */
    restCode: p.text().strictNullable(),
    workflowStartedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    inProgressAt: p.datetime().strictNullable(),
    finalizingAt: p.datetime().strictNullable(),
    cancellingAt: p.datetime().strictNullable(),
    endedAt: p.datetime().strictNullable(),
  },
});

/** Lines of a batch, of one model, that run together as a batch of that model's upstream. */
export const BatchPart = defineEntity({
  name: 'BatchPart',
  tableName: 'batch_parts',
  indexes: [
    {
      name: 'batch_parts_open_index',
      expression: 'create unique index batch_parts_open_index on batch_parts (batch_id) where ended_at is null',
    },
  ],
  properties: {
    id: p.text().primary(),
    batchId: p.text().index(),
    workspaceId: p.text(),
    upstream: p.text(),
    /** The upstream's name of the model. */
    model: p.text(),
    /** The upstream's endpoint. */
    endpoint: p.text(),
    /** From this line, which begins at `fromByte`, to `toLine` (exclusive). */
    fromLine: p.integer(),
    fromByte: p.bigint('number'),
    toLine: p.integer(),
    /** The size of the file for the upstream. */
    sizeBytes: p.bigint('number'),
    /** The possible cost of its lines, and its hold. */
    holdId: p.text(),
    heldNanos: p.bigint(),
    upstreamFileId: p.text().strictNullable(),
    upstreamBatchId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    cancelledAt: p.datetime().strictNullable(),
    answeredAt: p.datetime().strictNullable(),
    endedAt: p.datetime().strictNullable(),
  },
});

/** An upstream's reply to a line of a part, until it is billed. */
export const BatchReply = defineEntity({
  name: 'BatchReply',
  tableName: 'batch_replies',
  properties: {
    partId: p.text().primary(),
    line: p.integer().primary(),
    workspaceId: p.text().index(),
    reply: p.text(),
  },
});

/**
 * The result of one line of a batch, kept until the batch's files are written. It is stored by the statement that bills its call, so that
 * a killed worker leaves both or none. `bill`: that of a worker of an earlier release, which stored the result first; otherwise null.
 */
export const BatchResult = defineEntity({
  name: 'BatchResult',
  tableName: 'batch_results',
  properties: {
    batchId: p.text().primary(),
    line: p.integer().primary(),
    workspaceId: p.text(),
    isFailed: p.boolean(),
    requestId: p.text(),
    /** The line of the output or error file. */
    output: p.text(),
    bill: p.json().$type<object>().strictNullable(),
  },
});
