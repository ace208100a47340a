import type { Pool } from 'pg';
import { isoTimeOf } from './isoTime.ts';
import { oneAtATime, waitAtMost } from '../base/waiting.ts';
import { findBalance, type Balance } from './ledger/balance.ts';
import { createBatchWriter } from './ledger/batchWriter.ts';
import { createDatabaseClock } from './ledger/databaseClock.ts';
import { createDeliveryJournal } from './ledger/deliveryJournal.ts';
import { createHeartbeat } from './ledger/heartbeat.ts';
import { createLease } from './ledger/lease.ts';
import { createProgress } from './ledger/progress.ts';
import { createPurses, type HoldOrder } from './ledger/purses.ts';
import { LedgerUnavailable } from './ledger/refusals.ts';
import { createRunHolds } from './ledger/runHolds.ts';
import type { Hold } from './ledger/slice.ts';
import type { Spender } from './ledger/spender.ts';
import { refundAnswers, refundUndelivered } from './ledger/refundUndelivered.ts';
import { postOthers } from './ledger/postOthers.ts';
import type { Settlement } from './ledger/settlement.ts';
import { postLeft } from './ledger/settlementBatches.ts';
import { isReapDue, postTransfer, reapDead, type ReapReport, type Transfer } from './ledger/statements.ts';

export type { Hold } from './ledger/slice.ts';
export type { Spender } from './ledger/spender.ts';
export type { ReapReport } from './ledger/statements.ts';
export { HoldRefused } from './ledger/refusals.ts';

// Posting takes milliseconds: a longer wait means that the database is down.
const READ_WAIT_MS = 3_000;
const FAILURE_WAIT_MS = 1_000;

/** The record of one call and its cost: the text of its settlement. Amounts are nano-USD, times milliseconds. */
export interface Bill {
  requestId: string;
  spender: Spender;
  costNanos: bigint;
  route: string;
  model: string;
  status: number;
  cancelled: boolean;
  usage: object;
  startedAtMs: number;
  firstByteMs: number | null;
  durationMs: number;
  streamBytes: number;
}

export type Ledger = ReturnType<typeof createLedger>;

interface LedgerOptions {
  pool: Pool;
  /** A pool of one connection: settlements are written to disk over it, one batch after the other. */
  writerPool: Pool;
  /** Another one: settlements on disk are posted over it, in order with lease renewals. */
  postingPool: Pool;
  /** How long the holds of a process survive without a heartbeat. */
  leaseMs: number;
  /** Whether it ends what dead processes left, each second. */
  reaps: boolean;
  /** Folder of the files that record which answers are billed and not sent. */
  journalFolder: string;
  announceScarcity: (accountId: string) => void;
  onError: (error: unknown) => void;
}

/**
 * The only place where balances change. A call takes a hold, runs, and is settled (billed at most the hold) or failed (billed nothing),
 * exactly once whatever crashes in between. `open()` first; `close()` settles and returns everything.
 */
export function createLedger(options: LedgerOptions) {
  const { pool, writerPool, postingPool, leaseMs, reaps, journalFolder, onError } = options;
  const clock = createDatabaseClock();
  const lease = createLease({ pool: postingPool, leaseMs, clock });
  const all = { ...options, processId: lease.id };
  const journal = createDeliveryJournal({ ...all, folder: journalFolder });
  const writer = createBatchWriter({ ...all, pool: writerPool, postingPool, clock, journal });
  const endDead = oneAtATime<void, ReapReport>(reap);
  const purses = createPurses({ ...all, posted: postOwn, sureOfLease: () => heartbeat.sureOfLease(), endDead });
  const runHolds = createRunHolds({ ...all, freeOwnSlices: purses.freeOwnSlices });
  const progress = createProgress();
  const strangeJournals = new Set<string>();
  const heartbeat = createHeartbeat({ lease, purses, progress, afterwards: endOthers, onError });

  /**
   * Reserves money for a call: `wholeNanos` while the account has plenty; near its last cent `wantNanos`, or less when no more is free,
   * but never less than `needNanos`. Throws `HoldRefused`, or `LedgerUnavailable` while the database is down.
   */
  async function hold(spender: Spender, wantNanos: bigint, more: Partial<HoldOrder> = {}): Promise<Hold> {
    if (!lease.live() || !writer.healthy()) throw new LedgerUnavailable('the ledger cannot be reached');
    try {
      const processId = lease.id();
      const held = await purses.hold(spender, { wholeNanos: wantNanos, needNanos: 1n, ...more, wantNanos });
      held.leaseId = processId;
      purses.running.add(held);
      return held;
    } catch (error) {
      throw asLedgerError(error);
    }
  }

  /** Bills a call. Resolves with the charge (nano-USD) once it is on disk. Retries while the database is down. */
  function settle(held: Hold, bill: Bill): Promise<bigint> {
    return write(held, settlementOf(held, bill));
  }

  /**
   * Like `settle`, for an answer whose end is not sent yet: reverses a bill that is not on disk in time and throws `LedgerUnavailable`.
   * `isUnsent`: nothing of the answer is sent before this resolves, so the bill is refunded if the process is killed until then.
   */
  function settleWithin(limitMs: number, held: Hold, bill: Bill, { isUnsent = false } = {}): Promise<bigint> {
    return write(held, settlementOf(held, bill), { expiresAtMs: performance.now() + limitMs, isUnsent });
  }

  /**
   * Ends a call that failed: bills nothing, and records how it ended. Resolves when that is on disk, where the caller can read it; waits
   * at most 1 s for the disk.
   */
  async function fail(held: Hold, bill: Bill): Promise<void> {
    const written = write(held, settlementOf(held, { ...bill, costNanos: 0n })).catch(onError);
    await waitAtMost(FAILURE_WAIT_MS, written);
  }

  function write(held: Hold, item: Settlement, { expiresAtMs = Infinity, isUnsent = false } = {}): Promise<bigint> {
    purses.running.end(held);
    return writer.write(item, {
      flushed: progress.end(item.id),
      expiresAtMs,
      isUnsent,
      isCertain: lease.live() && held.leaseId === lease.id(),
      hold: held,
    });
  }

  /**
   * Follows a stream: each second what `billSoFar` returns is stored, for the sweep to settle if this process dies. `count` resolves when
   * `billSoFar` has counted what it needs.
   */
  function follow(held: Hold, requestId: string, billSoFar: () => Bill, count = async (): Promise<void> => {}): void {
    progress.follow(requestId, { count, settlement: () => settlementOf(held, billSoFar()) });
  }

  async function open(): Promise<void> {
    await lease.register();
    heartbeat.start();
  }

  async function close(): Promise<void> {
    await heartbeat.stop();
    await writer.drained();
    await purses.close();
    await refundAnswers(pool, journal.close());
    await lease.end();
  }

  async function postOwn(): Promise<void> {
    if (await waitAtMost(READ_WAIT_MS, writer.posted())) return;
    throw new LedgerUnavailable('what is on disk is not in the ledger yet');
  }

  async function endOthers(): Promise<void> {
    if (!reaps) return;
    if (await isReapDue(pool)) await endDead();
    await refundUndelivered(pool, journalFolder, strangeJournals);
  }

  /** Ends what dead processes left: settles their streams by the stored progress, releases their holds. */
  async function reap(): Promise<ReapReport> {
    await postLeft(pool);
    return reapDead(pool);
  }

  /**
   * Resolves when everything that was on disk at the call, of any process, is in the ledger: what was answered can be read. Posts a batch
   * whose process does not. Throws `LedgerUnavailable` while the database is down.
   */
  async function posted(): Promise<void> {
    if (!writer.healthy()) throw new LedgerUnavailable('the ledger cannot be reached');
    try {
      await postOwn();
      await postOthers(pool);
    } catch (error) {
      throw asLedgerError(error);
    }
  }

  /** What a workspace has, and what running calls and runs hold of it. Throws `LedgerUnavailable` while the database is down. */
  async function balanceOf(workspaceId: string): Promise<Balance> {
    try {
      return await findBalance(pool, workspaceId, { processId: lease.id(), inUse: purses.running.inUse() });
    } catch (error) {
      throw asLedgerError(error);
    }
  }

  return {
    open,
    posted,
    balanceOf,
    markUsed: heartbeat.markUsed,
    close,
    hold,
    settle,
    settleWithin,
    fail,
    follow,
    /** Moves money between a customer and a house account, once for each kind and subject. False: it was done before. */
    transfer: (order: Transfer) => postTransfer(pool, order),
    reap,
    ...runHolds,
    healthy: () => lease.live() && writer.healthy(),
    /** Another process needs money of this account: returns what is free here. */
    freeSlices: purses.freeOwnSlices,
  };
}

function settlementOf(held: Hold, bill: Bill): Settlement {
  const chargeNanos = bill.costNanos < held.amountNanos ? bill.costNanos : held.amountNanos;
  return {
    id: bill.requestId,
    workspace: bill.spender.workspaceId,
    account: bill.spender.accountId,
    key: bill.spender.keyId,
    hold: held.id,
    cost: Number(bill.costNanos),
    charge: Number(chargeNanos),
    route: bill.route,
    model: bill.model,
    status: bill.status,
    cancelled: bill.cancelled,
    usage: bill.usage,
    held: Number(held.amountNanos),
    started: isoTimeOf(bill.startedAtMs),
    first: bill.firstByteMs,
    duration: bill.durationMs,
    bytes: bill.streamBytes,
  };
}

// Every error that is not a refusal means that the database is down, in one form or another.
function asLedgerError(error: unknown): unknown {
  const name = (error as Error).name;
  return name === 'HoldRefused' || name === 'LedgerUnavailable'
    ? error
    : new LedgerUnavailable('the ledger failed', error);
}
