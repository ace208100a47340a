import type { Pool } from 'pg';
import { waitAtMost } from '../../base/waiting.ts';
import { findBalance, postTransfer, type Balance, type Transfer } from './balance.ts';
import { postOthers } from './batches.ts';
import { createBatchWriter } from './batchWriter.ts';
import { createCalls } from './calls.ts';
import { createDeliveryJournal } from './deliveryJournal.ts';
import { createSweep, refundAnswers } from './sweep.ts';
import { createHeartbeat, createProgress } from './heartbeat.ts';
import { asLedgerError } from './hold.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';
import { createDatabaseClock, createLease, type ProcessNeeds } from './lease.ts';
import { createPurses } from './purses.ts';
import { createRunHolds } from './runHolds.ts';

export { HoldRefused, type Hold, type Spender } from './hold.ts';
export type { BilledLine } from './billedLines.ts';
export type { Bill } from './settlement.ts';

export type Ledger = ReturnType<typeof createLedger>;

interface LedgerOptions {
  pool: Pool;
  /** A pool of one connection: settlements are written to disk over it, one batch after the other. */
  writerPool: Pool;
  /** Another one: settlements on disk are posted over it, in order with lease renewals. */
  postingPool: Pool;
  /** How long the holds of a process survive without a heartbeat. */
  leaseMs: number;
  /** Whether this process ends the calls of dead processes each second. */
  reaps: boolean;
  /** Folder of the files that record billed but unsent answers. */
  journalFolder: string;
  /** What is on record about this process. */
  needs?: ProcessNeeds;
  /** How long a reader waits for what is on disk to be posted. */
  readWaitMs: number;
  announceScarcity: (accountId: string) => void;
  /** Asks every process to post what it has on disk. */
  announceReader: () => void;
  /** Stores what streams have produced until now. False: that has failed. */
  storeAnswers: () => Promise<boolean>;
  onError: (error: unknown) => void;
}

/**
 * The only place where balances change. A call takes a hold, runs, and is settled (billed at most the hold) or failed (billed nothing),
 * exactly once whatever crashes in between. `open()` first; `close()` settles and returns everything.
 */
export function createLedger(options: LedgerOptions) {
  const { pool, writerPool, postingPool, leaseMs, reaps, needs = {} } = options;
  const { journalFolder, readWaitMs, announceReader, onError } = options;
  const clock = createDatabaseClock();
  const lease = createLease({ pool: postingPool, leaseMs, role: reaps ? 'api' : 'worker', needs, clock });
  const all = { ...options, processId: lease.id };
  const journal = createDeliveryJournal({ ...all, folder: journalFolder });
  const othersRun = () => purses.running.size() > 0;
  const writer = createBatchWriter({ ...all, pool: writerPool, postingPool, clock, journal, othersRun });
  const sweep = createSweep({ pool, journalFolder });
  const purses = createPurses({
    ...all,
    posted: postOwn,
    hurryPosting: writer.hurry,
    sureOfLease: () => heartbeat.sureOfLease(),
    endDead: sweep.reapOnce,
  });
  const runHolds = createRunHolds({ ...all, freeOwnSlices: purses.freeOwnSlices });
  const progress = createProgress();
  const calls = createCalls({
    lease,
    purses,
    progress: { follow: (id, call) => heartbeat.follow(id, call), end: progress.end },
    writer,
    onError,
  });
  const afterwards = async () => (reaps ? sweep.tick() : undefined);
  const heartbeat = createHeartbeat({ ...options, lease, purses, progress, afterwards });

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
    if (await waitAtMost(readWaitMs, writer.posted())) return;
    throw new LedgerUnavailable('what is on disk is not in the ledger yet');
  }

  /**
   * Resolves when everything that was on disk at the call, of any process, is in the ledger: what was answered can be read. Posts a batch
   * whose process does not. Throws `LedgerUnavailable` while the database is down.
   */
  async function posted(): Promise<void> {
    if (!writer.healthy()) throw new LedgerUnavailable('the ledger cannot be reached');
    try {
      await postOwn();
      await postOthers(pool, (processId) => (processId === lease.id() ? writer.hurry() : announceReader()));
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
    close,
    ...calls,
    ...runHolds,
    posted,
    balanceOf,
    markUsed: heartbeat.markUsed,
    /** The id of this process's lease. */
    processId: lease.id,
    /** Moves money between a customer and a house account, once for each kind and subject. False: it was done before. */
    transfer: (order: Transfer) => postTransfer(pool, order),
    /** Ends the calls of dead processes: settles their streams by the stored progress, releases their holds. */
    reap: sweep.reap,
    healthy: () => lease.live() && writer.healthy(),
    /** By how many milliseconds this process's wall clock is ahead of the database's, as of the last renewal; infinite before the first. */
    clockSkewMs: () => Date.now() - clock.at(performance.now()),
    /** Another process reads the ledger: what this one has on disk is posted now. */
    hurryPosting: writer.hurry,
    /** Another process needs money of this account: returns the free part of this process's slices. */
    freeSlices: purses.freeOwnSlices,
  };
}
