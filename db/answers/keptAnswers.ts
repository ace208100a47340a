import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import type { Notices } from '../postgres/notices.ts';
import type { RowsOfAll } from '../postgres/rows.ts';
import { createWriteBehind } from '../postgres/writeBehind.ts';
import { KEPT_MINUTES, forgetOldParts, storeParts, type AnswerPart, type PartState } from './answerPart.ts';
import { createClaims, type ClaimHolder } from './claims.ts';
import { createInquiries } from './inquiries.ts';
import { KeptCall, type CallOrder } from './keptCall.ts';
import { createPartReader } from './readParts.ts';
import { createRunCallers } from './runCallers.ts';
import { MIB } from '../../base/limits.ts';

// One statement stores the output of all streams in this period.
const WINDOW_MS = 200;
// A reader of a running call waits for this.
const HURRIED_MS = 20;
const FORGET_MS = 60_000;
// The limit of kept answers in ten minutes, for a process and for one workspace. Beyond it, new answers are not kept.
const KEPT_BYTES_MAX = 1024 * MIB;
const KEPT_OF_ONE_BYTES_MAX = 256 * MIB;
// The limit of memory for unwritten parts while the database is down.
const WAITING_BYTES_MAX = 32 * MIB;

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;

interface KeptAnswersOptions {
  pool: Pool;
  notices: Pick<Notices, 'listen' | 'send' | 'notifyAll' | 'address'>;
  processId: () => string;
  /** The id under which runs hold money: no process that could answer. */
  runsProcess: string;
  read: RowsOfAll['read'];
  /** Whether this process runs paid calls. */
  spends: boolean;
  onError: (error: unknown) => void;
}

/**
 * Answers of paid calls, kept for ten minutes: a retry gets the answer of its first try, and a stream can be resumed. A whole answer is
 * stored with its bill (`batchWriter.ts`), a stream while it is produced.
 */
export function createKeptAnswers(options: KeptAnswersOptions) {
  const { pool, processId, read, onError } = options;
  const live = new Map<string, KeptCall>();
  const byFingerprint = new Map<string, Set<KeptCall>>();
  const room = createRoom(onError);
  const behind = createWriteBehind({ write, windowMs: WINDOW_MS, hurriedMs: HURRIED_MS, retryMs: WINDOW_MS, onError });

  const { readEnd, ...reading } = createPartReader({ read, pool });
  const claims = createClaims({ pool, processId, onError });
  const forgetOld = () => Promise.all([forgetOldParts(pool), claims.forgetDead()]);

  /** The calls of a workspace with this fingerprint that run or are looked for in this process, the oldest first. */
  const withFingerprint = (workspaceId: string, fingerprint: string): KeptCall[] =>
    [...(byFingerprint.get(fingerprint) ?? [])].filter(({ order }) => order.workspaceId === workspaceId);

  function find(workspaceId: string, requestId: string): KeptCall | undefined {
    const call = live.get(requestId);
    return call?.order.workspaceId === workspaceId ? call : undefined;
  }

  const runCallers = createRunCallers();
  const seekable = { find, withFingerprint, isFollowed: runCallers.has };
  const inquiries = createInquiries({ ...options, ...seekable, hurry: behind.hurry });
  const forgetting = setInterval(() => void forgetOld().catch(onError), FORGET_MS).unref();

  /** Begins a call with a kept answer. Call `end` when it is over. */
  function begin(order: CallOrder): KeptCall {
    const call = new KeptCall(order, storeSoon);
    if (!room.isFree(order.workspaceId)) call.drop();
    live.set(order.requestId, call);
    if (order.fingerprint !== null) {
      const same = byFingerprint.get(order.fingerprint);
      if (same) same.add(call);
      else byFingerprint.set(order.fingerprint, new Set([call]));
    }
    return call;
  }

  /** The call is over. It can be found here until the rest of its answer is stored. */
  function end(call: KeptCall, isCancelled: boolean): void {
    call.end(isCancelled);
    if (!call.isDirty) return forget(call);
    storeSoon(call);
    // A retry of a failed call runs again: it may come at once.
    if (call.state !== 'whole') behind.hurry();
  }

  /** Claims a call for this try. Returns the earlier claimant; undefined: this try runs it. */
  async function claim(call: KeptCall): Promise<ClaimHolder | undefined> {
    // Kept until the answer: even a statement without an answer may have claimed it.
    call.isClaimed = true;
    const holder = await claims.claim(claimableOf(call));
    call.isClaimed = holder === undefined;
    return holder;
  }

  /** This try runs no call, because it has found the answer. */
  async function unclaim(call: KeptCall): Promise<void> {
    if (!call.isClaimed) return;
    call.isClaimed = false;
    await claims.release(claimableOf(call));
  }

  function forget(call: KeptCall): void {
    const { requestId, fingerprint, workspaceId } = call.order;
    if (!live.delete(requestId)) return;
    room.take(workspaceId, call.bytes);
    const same = fingerprint === null ? undefined : byFingerprint.get(fingerprint);
    if (same?.delete(call) && same.size === 0) byFingerprint.delete(fingerprint!);
    call.settle();
    void unclaim(call);
  }

  /** A stream has produced output. */
  function storeSoon(call: KeptCall): void {
    if (call.isLeft) behind.hurry();
    else behind.soon();
  }

  async function write(): Promise<void> {
    const dirty = [...live.values()].filter(({ isDirty }) => isDirty);
    const stored = dirty.map((call) => ({ call, parts: call.unstored() })).filter(({ parts }) => parts.length > 0);
    if (stored.length === 0) return;
    try {
      await storeParts(
        pool,
        stored.flatMap(({ parts }) => parts),
      );
    } catch (error) {
      giveUpLargest(stored);
      throw error;
    }
    for (const { call, parts } of stored) noteStored(call, parts);
  }

  function giveUpLargest(waiting: { call: KeptCall; parts: AnswerPart[] }[]): void {
    let bytes = 0;
    for (const { call, parts } of waiting) {
      for (const part of parts) bytes += part.bytes.length;
      if (bytes < WAITING_BYTES_MAX) continue;
      call.giveUp('unkept');
    }
  }

  /** These parts of a call are stored. */
  function noteStored(call: KeptCall, parts: AnswerPart[]): void {
    call.noteStored(parts);
    if (call.hasEnded && !call.isDirty) forget(call);
  }

  /** How an answer has ended, as far as this process knows it; undefined: it has not, or its call was lost. */
  async function endOf(workspaceId: string, requestId: string): Promise<PartState | undefined> {
    const state = find(workspaceId, requestId)?.state ?? 'open';
    return state === 'open' ? readEnd(workspaceId, requestId) : state;
  }

  async function close(): Promise<void> {
    clearInterval(forgetting);
    inquiries.close();
    await behind.end();
    await claims.close();
  }

  return {
    begin,
    claim,
    unclaim,
    end,
    find,
    withFingerprint,
    /** A reader waits for what was produced so far. */
    hurry: behind.hurry,
    /** Stores everything produced so far. */
    flush: behind.flush,
    noteStored,
    followRun: runCallers.follow,
    ...reading,
    endOf,
    ...inquiries.asking,
    close,
  };
}

function claimableOf({ order }: KeptCall): CallOrder & { fingerprint: string } {
  const { fingerprint } = order;
  assert(fingerprint !== null, 'only a call that may be tried again is claimed');
  return { ...order, fingerprint };
}

/** The remaining capacity for kept answers, counted in periods of ten minutes. */
function createRoom(onError: (error: unknown) => void) {
  const ofWorkspaces = new Map<string, number>();
  let total = 0;
  let hasWarned = false;
  let endsAtMs = 0;

  function isFree(workspaceId: string): boolean {
    if (performance.now() > endsAtMs) {
      endsAtMs = performance.now() + KEPT_MINUTES * 60_000;
      ofWorkspaces.clear();
      total = 0;
      hasWarned = false;
    }
    if (total < KEPT_BYTES_MAX && (ofWorkspaces.get(workspaceId) ?? 0) < KEPT_OF_ONE_BYTES_MAX) return true;
    if (!hasWarned)
      onError(new Error(`answers are not kept for some minutes: workspace ${workspaceId} had ${total} bytes`));
    hasWarned = true;
    return false;
  }

  function take(workspaceId: string, bytes: number): void {
    total += bytes;
    ofWorkspaces.set(workspaceId, (ofWorkspaces.get(workspaceId) ?? 0) + bytes);
  }

  return { isFree, take };
}
