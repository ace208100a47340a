import { createPlaces } from '../../base/places.ts';
import type { BatchEnding } from '../../db/batches/batchStates.ts';
import { readDoneLines } from '../../db/batches/batchResults.ts';
import { endpointOf, findBatch, findBatchFile } from '../../db/batches/batches.ts';
import { readLiveKey, type Key } from '../../db/keys/keys.ts';
import type { BatchPlace } from '../../contracts/batch.ts';
import type { BatchDependencies } from './batchDependencies.ts';
import { createLinePace } from './linePace.ts';
import { readLines, type FileLine } from './readLines.ts';
import { createResultWriter } from './resultWriter.ts';
import { createPartSender } from './sendPart.ts';
import { createLineRunner, type LineRunner } from './runLine.ts';
import { settleKept } from './settleKept.ts';
import { watchBatch, type BatchWatch } from './watchBatch.ts';

// A window is what one activity runs. Its lines are known by number, so that a repeated one finds what it has.
const WINDOW_LINES = 1_000;
// Batches take turns, and a worker that shuts down waits for the end of a window.
const WINDOW_MS = 30_000;

/** A window of a batch: from where its lines are to be run. */
export interface WindowOrder {
  batchId: string;
  next: BatchPlace;
}

/**
 * What a window has come to. `partId`: lines are at their upstream, and the window is to be run again when that part has ended. `next`: more
 * lines wait there. `ending`: no more lines run. `restCode`: why the remaining lines of a completed
 * batch do not run.
 */
export interface WindowEnd {
  partId?: string;
  next?: BatchPlace;
  ending?: BatchEnding;
  restCode?: string;
}

/**
 * Runs the lines of a window, several at once, each as a paid call of the batch's key. Lines that have a result are left out, so a window
 * can be repeated at any time. It ends early when the batch is cancelled, its time is over or its money is gone; what runs is finished.
 */
export function createRunLines(dependencies: BatchDependencies) {
  const { db, lines, batchConcurrency, retryDelayMaxMs } = dependencies;
  // Shared by all batches of this worker.
  const places = createPlaces({ atOnce: batchConcurrency });
  const pace = createLinePace(db.liveCalls);
  const { everywhere, pool, ledger } = db;
  const parts = createPartSender(dependencies);

  return async function runBatchLines(order: WindowOrder): Promise<WindowEnd> {
    const watch = await watchBatch(everywhere, order.batchId);
    try {
      if (!watch.ending) return await runWindow(order, watch);
      await settleWindow(order);
      return await endWith(order, { ending: watch.ending });
    } finally {
      watch.end();
    }
  };

  // What a killed worker had answered is billed before it is written.
  async function settleWindow({ batchId, next }: WindowOrder): Promise<void> {
    const { keyId } = await findBatch(everywhere, batchId);
    await readDone(batchId, await readLiveKey(pool, keyId), { from: next.line, to: next.line + WINDOW_LINES });
  }

  /** No more lines run. What an interrupted window has sent to an upstream ends first. */
  async function endWith({ batchId }: WindowOrder, end: WindowEnd): Promise<WindowEnd> {
    const partId = await parts.recall(batchId);
    return partId === undefined ? end : { partId };
  }

  async function runWindow(order: WindowOrder, watch: BatchWatch): Promise<WindowEnd> {
    const { batchId, next } = order;
    const { batch, file } = await findBatchFile(everywhere, batchId);
    // Its files are being written: nothing could be billed any more.
    if (batch.outputFileId !== null) return { ending: 'completed' };
    const key = await readLiveKey(pool, batch.keyId);
    const range = { from: next.line, to: next.line + WINDOW_LINES };
    const { done, restCode } = await readDone(batchId, key, range);
    if (!key || restCode !== undefined)
      return endWith(order, { ending: 'completed', restCode: restCode ?? 'invalid_api_key' });
    const partId = await parts.send({ batch, file, key, next, endLine: range.to, done });
    if (partId !== undefined) return { partId };
    const writer = createResultWriter(everywhere, { batchId, workspaceId: batch.workspaceId });
    const endpoint = endpointOf(batch.endpoint)!;
    const runner = createLineRunner({
      lines,
      refusals: db.refusals,
      writer,
      batchId,
      key,
      endpoint,
      metadata: batch.metadata,
      watch,
      retryDelayMaxMs,
    });
    const place = await runAll(readLines(db.read(batch.workspaceId), file, next), { runner, done, endLine: range.to });
    await runner.ended();
    const isAtEnd = place === undefined;
    if (watch.ending === 'cancelled' || (watch.ending && !isAtEnd)) return { ending: watch.ending };
    if (isAtEnd || runner.restCode() !== undefined) return { ending: 'completed', restCode: runner.restCode() };
    return { next: place };
  }

  /** Begins lines until the window is full. Returns where the others are; undefined at the end of the file. */
  async function runAll(
    all: AsyncIterable<FileLine>,
    { runner, done, endLine }: { runner: LineRunner; done: ReadonlySet<number>; endLine: number },
  ): Promise<BatchPlace | undefined> {
    const endMs = performance.now() + WINDOW_MS;
    const mayBegin = () => runner.mayBegin() && performance.now() < endMs;
    for await (const line of all) {
      if (line.line >= endLine || !mayBegin()) return line.start;
      if (done.has(line.line)) continue;
      await pace.next();
      const leave = await places.take();
      if (mayBegin()) runner.begin(line, leave);
      else {
        leave();
        return line.start;
      }
    }
    return undefined;
  }

  /** The lines that have a result, once what a killed worker had answered is billed. */
  async function readDone(batchId: string, key: Key | null, range: { from: number; to: number }) {
    const done = await readDoneLines(everywhere, batchId, range);
    if (done.size === 0) return { done };
    const { dropped, restCode } = await settleKept({ everywhere, ledger }, { batchId, key, ...range });
    for (const line of dropped) done.delete(line);
    return { done, restCode };
  }
}
