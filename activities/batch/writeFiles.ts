import { Context } from '@temporalio/activity';
import { deleteResults, readResults, type WrittenLine } from '../../db/batches/batchResults.ts';
import { beginWriting, finishBatch, type BatchEnding } from '../../db/batches/batchStates.ts';
import { endpointOf, findBatch, findBatchFile } from '../../db/batches/batches.ts';
import { openUpload, publishUpload, type Upload } from '../../db/files/upload.ts';
import { newId } from '../../db/ids.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { BatchDependencies } from './batchDependencies.ts';
import { lineOf, readLines, type FileLine } from './readLines.ts';

const HEARTBEAT_MS = 1_000;

/** How a batch ends, and why lines without a result did not run. */
export interface WritingOrder {
  batchId: string;
  ending: BatchEnding;
  restCode?: string;
}

/**
 * Writes a batch's results to its output file and its error file, in the order of its lines, and ends the batch. Lines that did not run are
 * in the error file with the reason. Nothing is held in memory but the part that is being written.
 */
export function createWriteFiles({ db }: Pick<BatchDependencies, 'db'>) {
  const { everywhere } = db;
  return async function writeBatchFiles(order: WritingOrder): Promise<string> {
    const context = Context.current();
    const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
    try {
      const status = await write(order);
      await deleteResults(everywhere, order.batchId);
      return status;
    } finally {
      clearInterval(timer);
    }
  };

  async function write({ batchId, ...order }: WritingOrder): Promise<string> {
    const { batch, outputFileId, errorFileId } = await beginWriting(everywhere, batchId, order);
    if (batch.endedAt) return batch.status;
    // It may have been cancelled after its last line.
    const ending = batch.status === 'cancelling' ? 'cancelled' : order.ending;
    const rows = db.write(batch.workspaceId);
    const name = (kind: string) => ({ filename: `${batchId}_${kind}.jsonl`, seconds: batch.outputSeconds });
    const output = createResultFile(rows, { id: outputFileId, ...name('output') });
    const errors = createResultFile(rows, { id: errorFileId, ...name('error') });
    try {
      for await (const { line, result } of withResults(batchId)) {
        const text =
          result?.output ?? unrun(line, endpointOf(batch.endpoint)!, restOf(ending, batch.restCode ?? order.restCode));
        await (result && !result.isFailed ? output : errors).add(text);
      }
      // Another worker has ended it meanwhile, and results that were read later may have been deleted.
      const present = await findBatch(everywhere, batchId);
      if (present.endedAt) return present.status;
      const [hasOutput, hasErrors] = [await output.publish(), await errors.publish()];
      await finishBatch(everywhere, batchId, { ending, failed: errors.lines(), hasOutput, hasErrors });
      return ending;
    } finally {
      // What an earlier attempt had published stays.
      await Promise.all([output.drop(), errors.drop()]);
    }
  }

  /** The lines of the batch's file, each with its result when it has one. Both are in the order of lines. */
  async function* withResults(batchId: string): AsyncGenerator<{ line: FileLine; result: WrittenLine | undefined }> {
    const { batch, file } = await findBatchFile(everywhere, batchId);
    const results = readResults(everywhere, batchId);
    let { value: result } = await results.next();
    for await (const line of readLines(db.read(batch.workspaceId), file, { line: 1, offsetBytes: 0 })) {
      const isItsOwn = (result as WrittenLine | undefined)?.line === line.line;
      yield { line, result: isItsOwn ? (result as WrittenLine) : undefined };
      if (isItsOwn) ({ value: result } = await results.next());
    }
  }
}

/** A file of results, which begins to exist with its first line. */
function createResultFile(rows: Rows, { id, filename, seconds }: { id: string; filename: string; seconds: number }) {
  let upload: Upload | undefined;
  let lines = 0;
  return {
    lines: () => lines,
    async add(text: string): Promise<void> {
      upload ??= await openUpload(rows, { hasRoom: true });
      lines += 1;
      await upload.write(Buffer.from(`${text}\n`));
    },
    /** False: there was no line. */
    async publish(): Promise<boolean> {
      if (!upload) return false;
      const file = { id, sessionId: null, purpose: 'batch_output', filename, mediaType: 'application/jsonl' };
      await publishUpload(rows, await upload.end(), { ...file, expiresInSeconds: seconds });
      return true;
    },
    /** Removes what was not published. */
    drop: async (): Promise<void> => upload?.drop(),
  };
}

const REST_MESSAGES: Record<string, string> = {
  batch_cancelled: 'This request was not executed because the batch was cancelled.',
  batch_expired: 'This request could not be executed before the completion window expired.',
  insufficient_balance: 'This request was not executed because the balance was used up. Top up, and send it again.',
  key_spend_limit_reached: "This request was not executed because the key's spend limit was reached.",
  project_spend_limit_reached:
    "This request was not executed because the spend limit of the key's project was reached.",
  invalid_api_key:
    'This request was not executed because the key of the batch was revoked or has expired, or its project is archived.',
};

function restOf(ending: BatchEnding, restCode: string | undefined): string {
  if (ending === 'cancelled') return 'batch_cancelled';
  // Without a reason every line has run, unless the batch's time was over.
  return ending === 'expired' ? 'batch_expired' : (restCode ?? 'insufficient_balance');
}

function unrun({ bytes }: FileLine, endpoint: Parameters<typeof lineOf>[1], code: string): string {
  const read = lineOf(bytes, endpoint);
  const customId = 'code' in read ? null : read.customId;
  const error = { code, message: REST_MESSAGES[code] };
  return JSON.stringify({ id: newId('batch_req'), custom_id: customId, response: null, error });
}
