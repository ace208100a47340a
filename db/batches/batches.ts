import { isDeepStrictEqual } from 'node:util';
import type { InferEntity } from '@mikro-orm/core';
import { KEPT_MINUTES } from '../answers/answerPart.ts';
import type { Batch, BatchStatus } from '../entities/batch.ts';
import type { StoredFile } from '../files/files.ts';
import { refuseFullStorage } from '../files/upload.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyRows, AnyTransaction, Rows } from '../postgres/rows.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';

export type BatchRow = InferEntity<typeof Batch>;

/** A batch's completion window: results until then are kept and billed, the remaining lines expire. */
export const COMPLETION_HOURS = 24;
/** Open batches of one workspace. */
export const OPEN_BATCHES_MAX = 100;

/** The routes that a batch may call. */
export const BATCH_ENDPOINTS = ['/v1/chat/completions', '/v1/completions', '/v1/responses', '/v1/embeddings'] as const;
export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number];

/** The endpoint of a URL, with or without the text family's prefix; undefined when a batch cannot call it. */
export function endpointOf(url: string): BatchEndpoint | undefined {
  const endpoint = url.startsWith('/textapi/') ? url.slice('/textapi'.length) : url;
  return BATCH_ENDPOINTS.find((one) => one === endpoint);
}

/** Thrown when a batch cannot be created, found or cancelled. Nothing was changed. */
export class BatchRefused extends Error {
  readonly reason: 'not_found' | 'ended' | 'too_many';
  /** The parameter that names what does not exist; undefined where the path does. */
  readonly param: string | undefined;

  constructor(reason: BatchRefused['reason'], message: string, param?: string) {
    super(message);
    this.name = 'BatchRefused';
    this.reason = reason;
    this.param = param;
  }
}

export type NewBatch = Pick<BatchRow, 'id' | 'keyId' | 'endpoint' | 'inputFileId' | 'metadata' | 'outputSeconds'>;

/**
 * Creates a batch, once for each id; for an automatic retry it is the batch of the first try. Throws `BatchRefused` `too_many`, and
 * `StorageRefused` when the workspace is full.
 */
export function insertBatch(rows: Rows, batch: NewBatch, { isRetry = false } = {}): Promise<BatchRow> {
  return rows.transaction(async (tx) => {
    const { em, Batch, sql, workspaceId } = tx;
    const earlier = await em.findOne(Batch, { id: batch.id });
    if (earlier) return earlier;
    await lockWorkspace(tx, workspaceId);
    const tried = isRetry ? await firstTryOf(tx, workspaceId, batch) : undefined;
    if (tried) return tried;
    if ((await em.count(Batch, { endedAt: null })) >= OPEN_BATCHES_MAX) throw tooMany();
    // The answers to its lines are stored in any case.
    await refuseFullStorage(tx);
    await em.insert(Batch, {
      ...batch,
      workspaceId,
      createdAt: sql`ledger_now(${workspaceId})`,
      expiresAt: sql`ledger_now(${workspaceId}) + make_interval(hours => ${COMPLETION_HOURS})`,
    });
    return em.findOneOrFail(Batch, { id: batch.id });
  });
}

/** The last batch of the same key and order that may still answer it, within the minutes in which a call's retry gets its first try's answer. */
async function firstTryOf({ em, Batch, sql }: AnyTransaction, workspaceId: string, order: NewBatch) {
  const { keyId, inputFileId, endpoint, outputSeconds, metadata } = order;
  const since = sql`ledger_now(${workspaceId}) - make_interval(mins => ${KEPT_MINUTES})`;
  const alive = { status: { $nin: ['failed', 'cancelling', 'cancelled'] as BatchStatus[] }, createdAt: { $gt: since } };
  const alike = { ...alive, keyId, inputFileId, endpoint, outputSeconds };
  const batches = await em.find(Batch, alike, { orderBy: { createdAt: 'desc' } });
  return batches.find((batch) => isDeepStrictEqual(batch.metadata, metadata));
}

const tooMany = () =>
  new BatchRefused('too_many', `The workspace has ${OPEN_BATCHES_MAX} batches that have not ended. Wait for one.`);

const notFound = (id: string, param?: string) => new BatchRefused('not_found', `No batch with the id '${id}'.`, param);

/** A batch of these rows. Throws `BatchRefused` `not_found`. */
export async function findBatch(rows: AnyRows, id: string): Promise<BatchRow> {
  const batch = await rows.statement(({ em, Batch }) => em.findOne(Batch, { id }));
  if (!batch) throw notFound(id);
  return batch;
}

/** A page of the workspace's batches. Throws `BatchRefused` `not_found` when there is no batch `after`. */
export function readBatches(rows: Rows, page: PageQuery): Promise<{ rows: BatchRow[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    if (page.after !== null && (await tx.em.count(tx.Batch, { id: page.after })) === 0)
      throw notFound(page.after, 'after');
    return readPage(tx, tx.Batch, {}, page);
  });
}

/** A batch with its file. The file's bytes are kept until the batch ends, even if the file is deleted or expires before. */
export async function findBatchFile(
  everywhere: Rows<undefined>,
  batchId: string,
): Promise<{ batch: BatchRow; file: StoredFile }> {
  const batch = await findBatch(everywhere, batchId);
  const file = await everywhere.statement(({ em, File }) => em.findOneOrFail(File, { id: batch.inputFileId }));
  return { batch, file };
}

const CANCELLABLE: BatchStatus[] = ['validating', 'in_progress'];

/**
 * Cancels a batch: running lines finish, no others begin. A cancelling or cancelled batch stays unchanged. Throws `BatchRefused`
 * `not_found`, and `ended` when its results are already being written.
 */
export function requestBatchCancel(rows: AnyRows, id: string): Promise<BatchRow> {
  return rows.transaction(async ({ em, Batch, sql }) => {
    const isOpen = { id, status: { $in: CANCELLABLE } };
    await em.nativeUpdate(Batch, isOpen, { status: 'cancelling', cancellingAt: sql`ledger_now(workspace_id)` });
    const batch = await em.findOne(Batch, { id });
    if (!batch) throw notFound(id);
    if (batch.status === 'cancelling' || batch.status === 'cancelled') return batch;
    throw new BatchRefused('ended', `The batch is ${batch.status}: it cannot be cancelled any more.`);
  });
}

// A workflow ended by an operator is started again, and continues where it was. The API starts a new batch's workflow at once: these few
// seconds are reserved for that.
const UNSTARTED = `
select id, workspace_id as "workspaceId" from batches where ended_at is null
  and case when workflow_started_at is null then created_at < ledger_now(workspace_id) - interval '3 seconds' else workflow_started_at < now() - interval '1 minute' end
order by created_at limit 100`;

/** Batches with a workflow that may not be running: new ones, and every open one once a minute. */
export const readUnstartedBatches = async (
  everywhere: Rows<undefined>,
): Promise<{ id: string; workspaceId: string }[]> =>
  (await everywhere.statement(({ client }) => client.query<{ id: string; workspaceId: string }>(UNSTARTED))).rows;

/** Records that the batch's workflow was started, or found running. */
export async function markBatchStarted(everywhere: Rows<undefined>, id: string): Promise<void> {
  await everywhere.statement(({ em, Batch, sql }) =>
    em.nativeUpdate(Batch, { id, endedAt: null }, { workflowStartedAt: sql.now() }),
  );
}
