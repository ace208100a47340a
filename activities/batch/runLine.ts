import type { LineAnswer, LineCall } from '../../db/batches/lineCall.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusals } from '../../db/accounting/refusals.ts';
import type { BatchEndpoint } from '../../db/batches/batches.ts';
import { newId } from '../../db/ids.ts';
import type { Key } from '../../db/keys/keys.ts';
import type { BilledLine } from '../../db/ledger/ledger.ts';
import type { LineCalls } from './lineCalls.ts';
import { lineOf, type BatchLine, type FileLine } from './readLines.ts';
import type { createResultWriter } from './resultWriter.ts';
import type { BatchWatch } from './watchBatch.ts';

const ATTEMPTS_MAX = 5;
const FIRST_DELAY_MS = 500;

// No other line of the batch can be paid for either: the rest goes to the error file with this code.
const ENDS_BATCH = new Set([
  'insufficient_balance',
  'key_spend_limit_reached',
  'project_spend_limit_reached',
  'invalid_api_key',
]);

export type LineRunner = ReturnType<typeof createLineRunner>;

/** Runs lines of one window side by side. */
export function createLineRunner({
  lines,
  refusals,
  writer,
  batchId,
  key,
  endpoint,
  metadata,
  watch,
  retryDelayMaxMs,
}: {
  lines: LineCalls;
  refusals: Pick<Refusals, 'keep'>;
  writer: ReturnType<typeof createResultWriter>;
  batchId: string;
  key: Key;
  endpoint: BatchEndpoint;
  metadata: LineCall['metadata'];
  watch: BatchWatch;
  retryDelayMaxMs: number;
}) {
  const running = new Set<Promise<void>>();
  let restCode: string | undefined;
  let failure: { error: unknown } | undefined;

  const mayBegin = (): boolean => !failure && restCode === undefined && watch.ending === undefined && !watch.isLost;

  /** `leave` is called when the line has ended. */
  function begin(line: FileLine, leave: () => void): void {
    const work = run(line)
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => {
        running.delete(work);
        leave();
      });
    running.add(work);
  }

  async function run({ line, bytes }: FileLine): Promise<void> {
    const read = lineOf(bytes, endpoint);
    // Its file was checked.
    if ('code' in read) throw new Error(`line ${line} is not valid any more: ${read.message}`);
    const call = { endpoint, body: read.body, bodyBytes: bytes!.length, metadata };
    for (let attempt = 1; ; attempt += 1) {
      const { requestId, refusal } = await lines.run(key, call, (answer) => resultOf(batchId, { read, line }, answer));
      if (!refusal) return;
      const { status, error, listed } = refusal;
      const endsBatch = ENDS_BATCH.has(error.code);
      if (!endsBatch && isPassing(status) && attempt < ATTEMPTS_MAX && (await waited(attempt))) continue;
      // Another worker continues with this line.
      if (!endsBatch && watch.isLost) throw new Error(`the worker shuts down before line ${line} is answered`);
      if (endsBatch) {
        refusals.keep(listed);
        return void (restCode ??= error.code);
      }
      const output = outputOf(read, { requestId, status, body: { error } });
      // Once: a repeated window refuses a line without a result again.
      const isStored = await writer.add({ line, isFailed: true, requestId, output, bill: null });
      return isStored ? refusals.keep(listed) : undefined;
    }
  }

  /** Waits before the next attempt. False: there is to be none. */
  async function waited(attempt: number): Promise<boolean> {
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** attempt, retryDelayMaxMs);
    await sleep(delayMs * (0.5 + Math.random() / 2));
    return mayBegin();
  }

  /** Resolves when no line runs any more. Throws what kept a line from running, so that the window is repeated. */
  async function ended(): Promise<void> {
    await Promise.all(running);
    if (failure) throw failure.error;
  }

  return { begin, mayBegin, ended, restCode: () => restCode };
}

/** The result of a line that was answered. */
export function resultOf(
  batchId: string,
  { read, line }: { read: BatchLine; line: number },
  { requestId, body }: LineAnswer,
): BilledLine {
  return { batchId, line, output: outputOf(read, { requestId, status: 200, body }) };
}

const isPassing = (status: number): boolean => status === 429 || status >= 500;

function outputOf(
  { customId }: BatchLine,
  { requestId, status, body }: { requestId: string; status: number; body: unknown },
): string {
  const response = { status_code: status, request_id: requestId, body };
  return JSON.stringify({ id: newId('batch_req'), custom_id: customId, response, error: null });
}
