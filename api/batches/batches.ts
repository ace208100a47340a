import type { z } from 'zod';
import { requestBatchCancel, insertBatch, findBatch, readBatches } from '../../db/batches/batches.ts';
import { findFile } from '../../db/files/files.ts';
import type { Handler } from '../context.ts';
import { refuseUnfunded } from '../../calls/funds.ts';
import { withTestFault } from '../guard/testMode.ts';
import { presentOpenAiPage } from '../http/page.ts';
import type { Services } from '../services.ts';
import { invalidValue } from '../../base/errors/invalidRequest.ts';
import type { BatchListQuery, BatchOrder } from './batchSchema.ts';
import { type BatchListAnswer, presentBatch } from './presentBatch.ts';

/**
 * `POST /batches`: runs a file of calls within a day. The file is checked afterwards. An automatic retry of OpenAI's clients, which send no
 * `Idempotency-Key`, is answered with the batch of its first try. Throws 402 when the balance is used up or the key's
 * ceiling is reached, 404 `file_not_found`, 413 `storage_limit_exceeded`, and 429 `too_many_batches`.
 */
export function createBatch(services: Services): Handler<BatchOrder> {
  const { db, runStarter } = services;
  return async (ctx) => {
    const order = ctx.state.input;
    const { keyId, workspaceId } = ctx.state.key;
    const file = await findFile(db.read(workspaceId), order.inputFileId, 'input_file_id');
    if (file.purpose !== 'batch')
      throw invalidValue(
        'input_file_id',
        `The file has the purpose '${file.purpose}'. Upload it with the purpose 'batch'.`,
      );
    await refuseUnfunded(ctx.state, services);
    const metadata = withTestFault(ctx, order.metadata);
    const { 'idempotency-key': key, 'x-stainless-retry-count': retries = 0 } = ctx.req.headers;
    const isRetry = key === undefined && Number(retries) > 0;
    const made = { id: ctx.state.resourceId, keyId, ...order, metadata };
    const batch = await insertBatch(db.write(workspaceId), made, { isRetry });
    if (batch.id === made.id) runStarter.startBatch(batch);
    else ctx.set({ 'idempotent-replayed': 'true' });
    ctx.body = presentBatch(batch);
  };
}

/** `GET /batches`: all batches of the workspace, newest first, in pages. */
export function listBatches({ db }: Services): Handler<z.output<typeof BatchListQuery>> {
  return async (ctx) => {
    const { after, limit } = ctx.state.input;
    const { rows, hasMore } = await readBatches(db.read(ctx.state.key.workspaceId), { after: after ?? null, limit });
    ctx.body = presentOpenAiPage(rows.map(presentBatch), hasMore) satisfies z.infer<typeof BatchListAnswer>;
  };
}

/** `GET /batches/{batch_id}`. */
export function retrieveBatch({ db }: Services): Handler {
  return async (ctx) => {
    ctx.body = presentBatch(await findBatch(db.read(ctx.state.key.workspaceId), ctx.state.params.batch_id!));
  };
}

/** `POST /batches/{batch_id}/cancel`: lines that run are finished, no others begin. Throws 409 `batch_already_terminal`. */
export function cancelBatch({ db }: Services): Handler {
  return async (ctx) => {
    ctx.body = presentBatch(await requestBatchCancel(db.write(ctx.state.key.workspaceId), ctx.state.params.batch_id!));
  };
}
