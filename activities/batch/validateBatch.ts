import { hash } from 'node:crypto';
import { CancelledFailure, Context, log } from '@temporalio/activity';
import { BATCH_LINES_MAX } from '../../base/limits.ts';
import { beginBatch, failBatch } from '../../db/batches/batchStates.ts';
import { endpointOf, type BatchRow, findBatchFile } from '../../db/batches/batches.ts';
import type { BatchError } from '../../db/entities/batch.ts';
import type { StoredFile } from '../../db/files/files.ts';
import { ObjectStoreFailed } from '../../db/objects/objectStore.ts';
import { isPassing } from '../../db/postgres/databaseErrors.ts';
import type { BatchDependencies } from './batchDependencies.ts';
import type { LineCalls } from './lineCalls.ts';
import { lineOf, readLines } from './readLines.ts';

// A file of the wrong kind has an error in every line.
const ERRORS_MAX = 1_000;
const HEARTBEAT_MS = 1_000;
const TRIES_MAX = 8;

/**
 * Checks every line of a batch's file. A file with errors fails the batch, with the line and the reason of each of the first thousand; then
 * no line runs. Otherwise the most that its lines can cost is stored with the batch. Returns whether the lines may run.
 */
export function createValidateBatch({ db, lines }: Pick<BatchDependencies, 'db' | 'lines'>) {
  return async function validateBatch(batchId: string): Promise<boolean> {
    try {
      return await validate(batchId);
    } catch (error) {
      // An outage passes, and nothing else ends a batch before its lines run.
      if (isOutage(error) || Context.current().info.attempt < TRIES_MAX) throw error;
      log.error('a batch could not be checked', { batchId, error });
      await failBatch(db.everywhere, batchId, [PLATFORM_FAILED]);
      return false;
    }
  };

  async function validate(batchId: string): Promise<boolean> {
    const { batch, file } = await findBatchFile(db.everywhere, batchId);
    if (batch.endedAt) return false;
    if (batch.inProgressAt) return true;
    const checker = await check(batch, file);
    const errors = [...checker.errors, ...faultsOfFile(checker.counted())];
    if (errors.length > 0) await failBatch(db.everywhere, batchId, errors);
    else await beginBatch(db.everywhere, batchId, checker.counted(), checker.worstCaseNanos());
    return errors.length === 0;
  }

  async function check(batch: BatchRow, file: StoredFile): Promise<Checker> {
    const context = Context.current();
    const checker = createChecker(batch, lines);
    // By the clock: some files have a few lines of many megabytes.
    const timer = setInterval(() => context.heartbeat(checker.counted()), HEARTBEAT_MS);
    try {
      for await (const { line, bytes } of readLines(db.read(batch.workspaceId), file, { line: 1, offsetBytes: 0 })) {
        if (context.cancellationSignal.aborted)
          throw new Error('the worker shuts down, or another one checks the file');
        checker.check(line, bytes);
        if (checker.counted() > BATCH_LINES_MAX || checker.errors.length >= ERRORS_MAX) break;
      }
      return checker;
    } finally {
      clearInterval(timer);
    }
  }
}

type Checker = ReturnType<typeof createChecker>;

// A worker that shuts down, or has lost its lease of the check, is none of the file's faults either.
const isOutage = (error: unknown): boolean =>
  Context.current().cancellationSignal.aborted ||
  isPassing(error) ||
  error instanceof CancelledFailure ||
  (error instanceof ObjectStoreFailed && !error.isMissing);

const PLATFORM_FAILED: BatchError = {
  code: 'internal_error',
  line: null,
  message: 'The platform failed to check the file. Nothing was billed. Make the batch again.',
  param: null,
};

function createChecker(batch: Pick<BatchRow, 'endpoint'>, lines: LineCalls) {
  const endpoint = endpointOf(batch.endpoint)!;
  const errors: BatchError[] = [];
  // Digests, because fifty thousand ids of 512 characters would take as much memory as the file.
  const customIds = new Set<string>();
  const models = new Map<string, string | undefined>();
  let counted = 0;
  let worstCaseNanos = 0n;

  function check(line: number, bytes: Uint8Array | undefined): void {
    counted += 1;
    const found = lineOf(bytes, endpoint);
    if ('code' in found) return void errors.push({ ...found, line });
    const digest = hash('sha256', found.customId, 'base64').slice(0, 22);
    if (customIds.has(digest)) errors.push({ ...DUPLICATE, line });
    customIds.add(digest);
    if (!models.has(found.model)) models.set(found.model, lines.refuseModel(endpoint, found.model));
    const message = models.get(found.model);
    if (message !== undefined) errors.push({ code: 'model_not_found', line, message, param: 'body.model' });
    else if (errors.length === 0)
      worstCaseNanos += lines.worstCaseNanosOf({ endpoint, body: found.body, bodyBytes: bytes!.length });
  }

  return { check, errors, counted: () => counted, worstCaseNanos: () => worstCaseNanos };
}

const DUPLICATE = {
  code: 'duplicate_custom_id',
  message: 'Another line before this one has the same custom_id. Give each line its own.',
  param: 'custom_id',
};

function faultsOfFile(lineCount: number): BatchError[] {
  if (lineCount === 0)
    return [{ code: 'empty_file', line: null, message: 'The file has no line. Send at least one call.', param: null }];
  if (lineCount <= BATCH_LINES_MAX) return [];
  const message = `The file has more than ${BATCH_LINES_MAX} lines. Split it into several batches.`;
  return [{ code: 'too_many_tasks', line: null, message, param: null }];
}
