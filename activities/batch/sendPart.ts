import { Context, log } from '@temporalio/activity';
import {
  endPart,
  findOpenPart,
  insertPart,
  markPartSent,
  readSentTo,
  targetOf,
  type BatchPartRow,
  type NewBatchPart,
} from '../../db/batches/batchParts.ts';
import { readDoneLines } from '../../db/batches/batchResults.ts';
import { BATCH_FILE_BYTES_MAX } from '../../db/files/upload.ts';
import { newId } from '../../db/ids.ts';
import type { Key } from '../../db/keys/keys.ts';
import { HoldRefused } from '../../db/ledger/hold.ts';
import type { ProviderError } from '../../providers/provider.ts';
import type { BatchPlace } from '../../contracts/batch.ts';
import type { BatchDependencies } from './batchDependencies.ts';
import { createPartLines, type PartLine, type PartSource } from './partLines.ts';

// While an upstream's answer to the creation is lost, it is asked whether the batch exists.
const ATTEMPTS_MAX = 5;
// The available balance divided by this may be held; the rest is left for live calls.
const SHARE = 2n;

/** A window of a batch whose lines are to be run. */
export interface Window extends PartSource {
  key: Key;
  next: BatchPlace;
  endLine: number;
  done: ReadonlySet<number>;
}

/**
 * Sends lines to the batches of their model's upstream, where it has some: from the first such line of a window on, all lines of the same
 * model, for as much money as the batch may hold at once. It is held until the upstream has answered. What an upstream refuses runs as
 * live calls.
 */
export function createPartSender({ db, lines, upstreamBatches }: Omit<BatchDependencies, 'batchConcurrency'>) {
  const { everywhere, ledger } = db;
  const linesFrom = createPartLines({ db, lines });

  /** Returns the part that is at its upstream; undefined: the window's lines are to be run here. */
  async function send(window: Window): Promise<string | undefined> {
    const open = await findOpenPart(everywhere, window.batch.id);
    if (!open && !lines.hasUpstreamBatches()) return undefined;
    const part = open ?? (await begin(window));
    if (!part) return undefined;
    const isThere = part.upstreamBatchId !== null || (await place(part, window, open !== null));
    return isThere ? part.id : undefined;
  }

  /**
   * Returns the part that an interrupted window has left at its upstream, for a batch of which no more lines are sent; undefined: there is
   * none. One that never came there ends, and its money is free.
   */
  async function recall(batchId: string): Promise<string | undefined> {
    const part = await findOpenPart(everywhere, batchId);
    if (!part) return undefined;
    if (part.upstreamBatchId !== null || (await isFound(part))) return part.id;
    await endPart(everywhere, part, { release: ledger.releaseHold });
    return undefined;
  }

  async function isFound(part: BatchPartRow): Promise<boolean> {
    if (!upstreamBatches.has(part.upstream)) return false;
    try {
      const found = await upstreamBatches.of(part.upstream).find(part.id);
      if (found) await markPartSent(everywhere, part.id, { upstreamBatchId: found.id, upstreamFileId: null });
      return found !== undefined;
    } catch (error) {
      if ((error as Error).name !== 'ProviderError' || mayComeBack(error as ProviderError)) throw error;
      log.warn('an upstream does not say whether it has a batch', { upstream: part.upstream, error });
      return false;
    }
  }

  async function begin(window: Window): Promise<BatchPartRow | undefined> {
    const first = await firstOf(window);
    if (!first) return undefined;
    const { batch, key } = window;
    const { postedNanos, heldNanos } = await ledger.balanceOf(batch.workspaceId);
    const measured = await measure(window, first, (postedNanos - heldNanos) / SHARE);
    if (measured.sizeBytes === 0) return undefined;
    const { upstream, model, endpoint } = first.prepared;
    const part: NewBatchPart = {
      id: newId('part'),
      batchId: batch.id,
      workspaceId: batch.workspaceId,
      upstream,
      model,
      endpoint,
      fromLine: first.line,
      fromByte: first.start.offsetBytes,
      holdId: newId('hold'),
      ...measured,
    };
    const hold = { holdId: part.holdId, keyId: key.keyId, kind: 'request' as const };
    const wanted = { wantNanos: part.heldNanos, needNanos: part.heldNanos };
    try {
      return await ledger.holdRunPatiently(key.accountId, async (client, take) => {
        await take({ ...hold, ...wanted });
        return insertPart(everywhere, client, part);
      });
    } catch (error) {
      // Running here, lines hold one after the other.
      if (error instanceof HoldRefused) return undefined;
      throw error;
    }
  }

  /** The first line of a window that can be sent. */
  async function firstOf(window: Window): Promise<PartLine | undefined> {
    const sentTo = await readSentTo(everywhere, window.batch.id);
    for await (const one of linesFrom(window, { from: window.next, endLine: window.endLine })) {
      if (one.line >= (sentTo.get(targetOf(one.prepared)) ?? 0) && !window.done.has(one.line)) return one;
    }
    return undefined;
  }

  /** Up to which line a part goes, its size, and what it may cost. */
  async function measure(window: Window, first: PartLine, budgetNanos: bigint) {
    const { id: batchId } = window.batch;
    const done = await readDoneLines(everywhere, batchId, { from: first.line, to: Number.MAX_SAFE_INTEGER });
    let [toLine, sizeBytes, heldNanos] = [first.line, 0, 0n];
    for await (const one of linesFrom(window, { from: first.start, of: first.prepared })) {
      if (done.has(one.line)) continue;
      const bytes = callOf(one).length;
      const nanos = heldNanos + one.prepared.worstCaseNanos;
      if (sizeBytes + bytes > BATCH_FILE_BYTES_MAX || nanos > budgetNanos) break;
      [toLine, sizeBytes, heldNanos] = [one.line + 1, sizeBytes + bytes, nanos];
    }
    return { toLine, sizeBytes, heldNanos: heldNanos || 1n };
  }

  /** Brings a part to its upstream, once. False: it was refused, and has ended. */
  async function place(part: BatchPartRow, window: Window, isRepeated: boolean): Promise<boolean> {
    let isCreating = isRepeated;
    if (!upstreamBatches.has(part.upstream)) return refuse(part, 'the catalogue has lost it');
    const upstream = upstreamBatches.of(part.upstream);
    try {
      const found = isRepeated ? await upstream.find(part.id) : undefined;
      isCreating = false;
      const fileId = found ? null : await upstream.upload(callsOf(part, window), part.sizeBytes);
      isCreating = true;
      const created =
        found ?? (await upstream.create({ fileId: fileId!, endpoint: part.endpoint, reference: part.id }));
      await markPartSent(everywhere, part.id, { upstreamBatchId: created.id, upstreamFileId: fileId });
      return true;
    } catch (error) {
      if ((error as Error).name !== 'ProviderError') throw error;
      // It may have been created.
      if (isCreating && mayComeBack(error as ProviderError)) throw error;
      return refuse(part, error);
    }
  }

  async function refuse(part: BatchPartRow, error: unknown): Promise<false> {
    log.warn('an upstream takes no batch', { upstream: part.upstream, error });
    await endPart(everywhere, part, { isRefused: true, release: ledger.releaseHold });
    return false;
  }

  async function* callsOf(part: BatchPartRow, window: Window): AsyncGenerator<Uint8Array> {
    const { fromLine, toLine } = part;
    const done = await readDoneLines(everywhere, part.batchId, { from: fromLine, to: toLine });
    const from = { line: fromLine, offsetBytes: part.fromByte };
    for await (const one of linesFrom(window, { from, endLine: toLine, of: part })) {
      if (!done.has(one.line)) yield callOf(one);
    }
  }

  return { send, recall };
}

/** Whether an upstream that gave no answer is asked again, by the next attempt. */
const mayComeBack = ({ status }: ProviderError): boolean =>
  status === undefined && Context.current().info.attempt < ATTEMPTS_MAX;

/** A line as its upstream gets it. Its id is the number of the line: a customer's own stays here. */
const callOf = ({ line, prepared: { endpoint, body } }: PartLine): Buffer =>
  Buffer.from(`${JSON.stringify({ custom_id: `line-${line}`, method: 'POST', url: endpoint, body })}\n`);
