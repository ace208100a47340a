import type { Pool } from 'pg';
import { waitAtMost } from '../../base/waiting.ts';
import { isRefusedByData, isStatementsFault, RETRY_DELAY_MS } from '../postgres/databaseErrors.ts';
import type { Hold } from './hold.ts';
import type { Settlement } from './settlement.ts';
import { findCharges, postEach, settleBatches } from './batches.ts';

// About four milliseconds of database time. With some five hundred, the slowest answers took twice as long.
const POSTED_TOGETHER_MAX = 192;
// Settlements posted together cost a twentieth of what they cost alone, so a posting gathers for this long. It begins at once when there is
// enough, when a reader waits for it, or when money that it frees is needed here.
const GATHER_MS = 500;
// Where it frees money near the last cent, which another process may wait for.
const GATHER_EXACT_MS = 20;
// What may wait to be posted before writers are slowed: a reader waits for all of it, about 0.2 s.
const BACKLOG_MAX = 2_048;
// Longest wait of a batch for room: it only slows the writer, so that calls are answered also while nothing can be posted.
const BACKLOG_WAIT_MS = 50;
// Pause before a batch is tried again, alone, that fails while the database is up.
const SET_ASIDE_MS = 1_000;

/** A settlement that is on disk and waits to be posted. */
export interface Posting {
  item: Settlement;
  /** Its progress was recorded before: posting ends that record. */
  flushed: boolean;
  /** Called once with the amount charged (nano-USD), when it is final. */
  hold: Pick<Hold, 'end' | 'isExact'>;
}

/** The settlements written in one row. */
export interface WrittenBatch {
  id: string;
  postings: Posting[];
  /** Called when it is posted. */
  readers?: (() => void)[];
  /** It failed among others: it is posted alone, so that it blocks no other. */
  isAlone?: boolean;
}

/**
 * Posts what is on disk as ledger entries: everything that waits together, so that a busy account costs one lock and one set of
 * statements for hundreds of requests. No answer waits for it. Retries while the database is down.
 */
export function createBatchPoster(pool: Pool, onError: (error: unknown) => void) {
  let waiting: WrittenBatch[] = [];
  let waitingRequests = 0;
  let hasExact = false;
  let current: WrittenBatch[] = [];
  let running: Promise<void> | undefined;
  let isHealthy = true;
  let isEnding = false;
  let hurry = () => {};
  let gotRoom = () => {};

  function add(batch: WrittenBatch): void {
    waiting.push(batch);
    waitingRequests += batch.postings.length;
    running ??= run();
    if (isDue()) hurry();
    else if (!hasExact && hasExactHold(batch)) {
      hasExact = true;
      setTimeout(() => hurry(), GATHER_EXACT_MS);
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await gather();
      current = takeSome();
      if (hasRoom()) gotRoom();
      try {
        await post(current);
        for (const read of current.flatMap(({ readers = [] }) => readers)) read();
      } catch (error) {
        onError(error);
        setAside(current);
      }
    }
    current = [];
    running = undefined;
  }

  const hasRoom = () => waitingRequests < BACKLOG_MAX;

  /** Waits, at most `BACKLOG_WAIT_MS`, while too much is not posted yet, because writing can be faster than posting. */
  async function slowWriter(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    gotRoom = resolve;
    await waitAtMost(BACKLOG_WAIT_MS, promise);
  }

  const isDue = () => waitingRequests >= POSTED_TOGETHER_MAX || waiting.some(({ readers }) => readers !== undefined);

  /** Waits for more, unless there is enough or a reader waits: then everything is posted without a pause. */
  function gather(): Promise<void> {
    if (isDue()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, hasExact ? GATHER_EXACT_MS : GATHER_MS);
    hurry = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  function takeSome(): WrittenBatch[] {
    let requests = 0;
    const end = waiting.findIndex(
      ({ postings, isAlone }) => isAlone || (requests += postings.length) > POSTED_TOGETHER_MAX,
    );
    const batches = waiting.slice(0, end === -1 ? undefined : Math.max(1, end));
    waiting = waiting.slice(batches.length);
    waitingRequests -= requestsIn(batches);
    hasExact = waiting.some(hasExactHold);
    return batches;
  }

  // They stay on disk, where the sweep finds them too. New holds are still placed: what cannot be posted is covered by its own holds.
  function setAside(batches: WrittenBatch[]): void {
    const again = (batch: WrittenBatch) => !isEnding && add(Object.assign(batch, { isAlone: true }));
    for (const batch of batches) setTimeout(again, SET_ASIDE_MS, batch).unref();
  }

  async function post(batches: WrittenBatch[]): Promise<void> {
    const postings = batches.flatMap((batch) => batch.postings);
    const batchIds = batches.map(({ id }) => id);
    const sent = await patiently(() => settleBatches(pool, batchIds, flushedOf(postings)));
    if (sent) return postings.forEach(({ item, hold }) => hold.end(BigInt(item.charge)));
    // A settlement was settled before or lost its hold, or another process posted a batch: then each is posted alone.
    let charged = new Map<string, bigint>();
    await patiently(async () => void (charged = await postEach(pool, batchIds)));
    const others = postings.filter(({ item }) => !charged.has(item.id));
    for (const { item, hold } of postings) if (charged.has(item.id)) hold.end(charged.get(item.id)!);
    if (others.length > 0) await endOthers(others);
  }

  // Another process posted their batch, or they were refused: those stay on disk, where the ledger check finds them.
  async function endOthers(postings: Posting[]): Promise<void> {
    let charged = new Map<string, bigint>();
    const ids = postings.map(({ item }) => item.id);
    await patiently(async () => void (charged = await findCharges(pool, ids)));
    for (const { item, hold } of postings) {
      if (!charged.has(item.id)) onError(new Error(`the settlement of ${item.id} was refused`));
      hold.end(charged.get(item.id) ?? 0n);
    }
  }

  /** Retries while the database is down. False: the database refused it permanently. Throws any other error. */
  async function patiently(work: () => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await work();
        isHealthy = true;
        return true;
      } catch (error) {
        if (isRefusedByData(error)) return false;
        if (isStatementsFault(error)) throw error;
        onError(error);
        isHealthy = false;
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      }
    }
  }

  return {
    add,
    /** Whether the writer need not be slowed. */
    hasRoom,
    slowWriter,
    healthy: () => isHealthy,
    /** What waits is posted without gathering more. */
    hurry: (): void => hurry(),
    /** Resolves when everything added before the call is posted. */
    posted: (): Promise<void> => {
      const last = waiting.at(-1) ?? current.at(-1);
      hurry();
      return last ? new Promise((resolve) => (last.readers ??= []).push(resolve)) : Promise.resolve();
    },
    /** Resolves when nothing is left to post, except batches that keep failing: those are not tried again. */
    drained: async () => {
      isEnding = true;
      hurry();
      await running;
    },
  };
}

const hasExactHold = ({ postings }: WrittenBatch) => postings.some(({ hold }) => hold.isExact);
const requestsIn = (batches: WrittenBatch[]) => batches.reduce((sum, { postings }) => sum + postings.length, 0);
const flushedOf = (postings: Posting[]) => postings.filter(({ flushed }) => flushed).map(({ item }) => item.id);
