import type { Pool } from 'pg';
import { isRefusedByData, isStatementsFault, RETRY_DELAY_MS } from '../postgres/databaseErrors.ts';
import type { Hold } from './slice.ts';
import type { Settlement } from './settlement.ts';
import { findCharges, postEach, settleBatches } from './settlementBatches.ts';

// About two milliseconds of the database's work: five times as many made the slowest answers wait twice as long.
const POSTED_TOGETHER_MAX = 96;
// What is posted together costs a fifth of what it costs alone, so a posting gathers for as long as nobody asks for it.
const GATHER_MS = 20;
// How long a batch that fails while the database answers is left alone before it is tried again, without any other.
const SET_ASIDE_MS = 1_000;

/** A settlement that is on disk and waits to be posted. */
export interface Posting {
  item: Settlement;
  /** Its progress was recorded before: that record ends with it. */
  flushed: boolean;
  /** Told once, what was charged (nano-USD), when that can't change any more. */
  hold: Pick<Hold, 'end'>;
}

/** The settlements that were written in one row. */
export interface WrittenBatch {
  id: string;
  postings: Posting[];
  /** Who waits for it to be posted. */
  readers?: (() => void)[];
  /** It failed among others: it is posted by itself, so that it stops no other. */
  isAlone?: boolean;
}

/**
 * Makes ledger entries of what is on disk: everything that waits together, so that a busy account costs one lock and one set of
 * statements for hundreds of requests. Nobody waits for it. While the database is away it tries again.
 */
export function createBatchPoster(pool: Pool, onError: (error: unknown) => void) {
  let waiting: WrittenBatch[] = [];
  let waitingRequests = 0;
  let current: WrittenBatch[] = [];
  let running: Promise<void> | undefined;
  let isHealthy = true;
  let isEnding = false;
  let hurry = () => {};

  function add(batch: WrittenBatch): void {
    waiting.push(batch);
    waitingRequests += batch.postings.length;
    running ??= run();
    if (isDue()) hurry();
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await gather();
      current = takeSome();
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

  const isDue = () => waitingRequests >= POSTED_TOGETHER_MAX || waiting.some(({ readers }) => readers !== undefined);

  /** Waits a moment for more, unless there is enough or somebody asks: then what has piled up is posted without a pause. */
  function gather(): Promise<void> {
    if (isDue()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, GATHER_MS);
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
    return batches;
  }

  // They stay on disk, where the sweep finds them too. Holds go on: what can't be posted is covered by what they keep for it.
  function setAside(batches: WrittenBatch[]): void {
    const again = (batch: WrittenBatch) => !isEnding && add(Object.assign(batch, { isAlone: true }));
    for (const batch of batches) setTimeout(again, SET_ASIDE_MS, batch).unref();
  }

  async function post(batches: WrittenBatch[]): Promise<void> {
    const postings = batches.flatMap((batch) => batch.postings);
    const batchIds = batches.map(({ id }) => id);
    const sent = await patiently(() =>
      settleBatches(pool, { batchIds, items: postings.map(itemOf), flushedIds: flushedOf(postings) }),
    );
    if (sent) return postings.forEach(({ item, hold }) => hold.end(BigInt(item.charge)));
    // One that was settled before or lost its hold, or a batch that somebody else has posted: then each by itself.
    let charged = new Map<string, bigint>();
    await patiently(async () => void (charged = await postEach(pool, batchIds)));
    const others = postings.filter(({ item }) => !charged.has(item.id));
    for (const { item, hold } of postings) if (charged.has(item.id)) hold.end(charged.get(item.id)!);
    if (others.length > 0) await endOthers(others);
  }

  // Their batch was posted by somebody else, or they were refused: those stay on disk, where the check of the ledger finds them.
  async function endOthers(postings: Posting[]): Promise<void> {
    let charged = new Map<string, bigint>();
    const ids = postings.map(({ item }) => item.id);
    await patiently(async () => void (charged = await findCharges(pool, ids)));
    for (const { item, hold } of postings) {
      if (!charged.has(item.id)) onError(new Error(`the settlement of ${item.id} was refused`));
      hold.end(charged.get(item.id) ?? 0n);
    }
  }

  /** Does it as often as it takes while the database is away. False: refused, now and always. Throws what fails for another reason. */
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
    healthy: () => isHealthy,
    /** Resolves when all that was added before is posted, however much comes after. */
    posted: (): Promise<void> => {
      const last = waiting.at(-1) ?? current.at(-1);
      hurry();
      return last ? new Promise((resolve) => (last.readers ??= []).push(resolve)) : Promise.resolve();
    },
    /** Resolves when there is nothing left to post but what fails again and again: that is tried no more. */
    drained: async () => {
      isEnding = true;
      hurry();
      await running;
    },
  };
}

const requestsIn = (batches: WrittenBatch[]) => batches.reduce((sum, { postings }) => sum + postings.length, 0);
const itemOf = ({ item }: Posting) => item;
const flushedOf = (postings: Posting[]) => postings.filter(({ flushed }) => flushed).map(({ item }) => item.id);
