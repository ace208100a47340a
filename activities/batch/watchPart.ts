import { Context, log } from '@temporalio/activity';
import {
  deleteReplies,
  endPart,
  markPartAnswered,
  markPartCancelled,
  readWatchedPart,
  storeReplies,
  type BatchPartRow,
  type PartReply,
  type WatchedPart,
} from '../../db/batches/batchParts.ts';
import { isObject } from '../../base/json.ts';
import type { ProviderError } from '../../providers/provider.ts';
import type { UpstreamBatch } from '../../providers/upstreamBatches.ts';
import type { BatchDependencies } from './batchDependencies.ts';
import { createPartCollector } from './collectPart.ts';
import { splitLines } from './readLines.ts';

const HEARTBEAT_MS = 1_000;
const DELAY_MS_MIN = 1_000;
const DELAY_MS_MAX = 60_000;
// A part is asked about twenty times as often as it is old.
const AGE_SHARE = 20;
const REPLIES_PER_STORE = 100;
const CHARACTERS_PER_STORE = 4_000_000;

/** When to ask again about a part; null: it has ended. */
export interface PartStep {
  delayMs: number | null;
}

/**
 * Watches a part at its upstream, and ends it: stores what the upstream has answered, bills each line, and releases the rest of the hold.
 * Cancels it there when the batch is cancelled or its time is over. Lines that the upstream did not answer run as any other afterwards.
 */
export function createWatchPart(dependencies: BatchDependencies) {
  const { db, upstreamBatches } = dependencies;
  const { everywhere, ledger } = db;
  const collect = createPartCollector(dependencies);

  return async function watchBatchPart({ partId }: { batchId: string; partId: string }): Promise<PartStep> {
    const context = Context.current();
    const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
    try {
      const watched = await readWatchedPart(everywhere, partId);
      if (watched && !(await isAnswered(watched))) return { delayMs: delayMsOf(watched) };
      if (watched) await finish(watched.part);
      await deleteReplies(everywhere, partId);
      return { delayMs: null };
    } finally {
      clearInterval(timer);
    }
  };

  /** Whether nothing more is expected of the upstream, and what it has answered is stored. */
  async function isAnswered(watched: WatchedPart): Promise<boolean> {
    const { part, isEnding, isGivenUp } = watched;
    if (part.answeredAt) return true;
    if (!upstreamBatches.has(part.upstream)) {
      log.warn('the catalogue has lost the upstream of a batch', { upstream: part.upstream });
      return true;
    }
    const upstream = upstreamBatches.of(part.upstream);
    try {
      if (isEnding && !part.cancelledAt) await cancel(part);
      const state = await upstream.retrieve(part.upstreamBatchId!);
      if (!state.isOver) return isGivenUp;
      await download(part, state);
      await markPartAnswered(everywhere, part.id);
      return true;
    } catch (error) {
      if ((error as Error).name !== 'ProviderError') throw error;
      log.warn('a batch at an upstream could not be read', { upstream: part.upstream, error });
      return isGivenUp || (error as ProviderError).status === 404;
    }
  }

  async function cancel(part: BatchPartRow): Promise<void> {
    try {
      await upstreamBatches.of(part.upstream).cancel(part.upstreamBatchId!);
    } catch (error) {
      // It may have ended at this moment.
      if ((error as ProviderError).status === undefined) throw error;
    }
    await markPartCancelled(everywhere, part.id);
  }

  async function download(part: BatchPartRow, { outputFileId }: UpstreamBatch): Promise<void> {
    if (outputFileId === null) return;
    const bytes = upstreamBatches.of(part.upstream).read(outputFileId);
    let waiting: PartReply[] = [];
    let characters = 0;
    const store = async () => {
      if (waiting.length > 0) await storeReplies(everywhere, part, waiting);
      [waiting, characters] = [[], 0];
    };
    for await (const line of splitLines(bytes, { line: 1, offsetBytes: 0 })) {
      const reply = replyIn(line.bytes);
      if (!reply || reply.line < part.fromLine || reply.line >= part.toLine) continue;
      waiting.push(reply);
      characters += reply.reply.length;
      if (waiting.length >= REPLIES_PER_STORE || characters > CHARACTERS_PER_STORE) await store();
    }
    await store();
    for (const fileId of [outputFileId, part.upstreamFileId]) if (fileId !== null) await remove(part, fileId);
  }

  // The upstream deletes its files in the end anyway.
  async function remove(part: BatchPartRow, fileId: string): Promise<void> {
    try {
      await upstreamBatches.of(part.upstream).remove(fileId);
    } catch (error) {
      log.warn('a file at an upstream was not deleted', { upstream: part.upstream, error });
    }
  }

  async function finish(part: BatchPartRow): Promise<void> {
    await collect(part);
    await endPart(everywhere, part, { release: ledger.releaseHold });
  }
}

function delayMsOf({ ageSeconds }: WatchedPart): number {
  return Math.min(Math.max((ageSeconds * 1_000) / AGE_SHARE, DELAY_MS_MIN), DELAY_MS_MAX);
}

/** The successful answer in a line of an output file. Others run again here, and are refused in our own words. */
function replyIn(bytes: Uint8Array | undefined): PartReply | undefined {
  if (!bytes) return undefined;
  const value = parsed(bytes);
  if (!isObject(value) || typeof value.custom_id !== 'string' || !isObject(value.response)) return undefined;
  const [, number] = /^line-(\d{1,9})$/.exec(value.custom_id) ?? [];
  const { status_code: status, body } = value.response;
  if (number === undefined || status !== 200 || !isObject(body)) return undefined;
  const reply = JSON.stringify(body);
  // A text cannot be stored with it.
  return reply.includes('\\u0000') ? undefined : { line: Number(number), reply };
}

const decoder = new TextDecoder();

function parsed(bytes: Uint8Array): unknown {
  try {
    // A file may begin with a byte order mark, which `TextDecoder` leaves out.
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}
