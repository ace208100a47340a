import { oneAtATime, waitAtMost } from '../../base/waiting.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';
import type { createLease } from './lease.ts';
import type { createPurses } from './purses.ts';
import type { Settlement } from './settlement.ts';

const HEARTBEAT_MS = 1_000;
const STORE_WAIT_MS = 1_000;
// The first progress of a stream does not wait for the next second: a process that is killed in its first ones would lose its bill.
const FIRST_PROGRESS_MS = 200;

/**
 * The heartbeat of a process that spends: each second it renews its lease together with the progress of its streams, then runs
 * `afterwards`. What a stream produces first is stored sooner. A lost lease is replaced, and running calls are held again under the new one.
 */
export function createHeartbeat({
  lease,
  purses,
  progress,
  storeAnswers,
  afterwards,
  onError,
}: {
  lease: ReturnType<typeof createLease>;
  purses: Pick<ReturnType<typeof createPurses>, 'tick' | 'forgetSlices' | 'running'>;
  progress: ReturnType<typeof createProgress>;
  /** Stores what streams have produced until now: what is billed if this process dies can be read. False: that has failed. */
  storeAnswers: () => Promise<boolean>;
  /** Not called while this process may have lost its lease. */
  afterwards: () => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const usedKeyIds = new Set<string>();
  let flushed: Promise<void> = Promise.resolve();
  const flushOnce = oneAtATime<void, void>(() => {
    purses.tick();
    return inTurn(progress.read);
  });
  const goOnOnce = oneAtATime<void, void>(async () => {
    if (lease.live()) await afterwards().catch(onError);
  });
  let timer: NodeJS.Timeout | undefined;
  let first: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;
  let holdingAgain: Promise<void> | undefined;

  /** After the flush before it, which may find that the lease is lost. */
  function inTurn(read: () => Promise<Settlement[]>): Promise<void> {
    return (flushed = flushed.then(() => flush(read)).catch(onError));
  }

  async function flush(read: () => Promise<Settlement[]>): Promise<void> {
    const produced = await read();
    // A lease is renewed in time also while answers cannot be stored: then the earlier progress stays.
    const items = produced.length === 0 || (await areAnswersStored()) ? produced : [];
    if (await renew(items)) return;
    purses.forgetSlices();
    await lease.restart();
    holdingAgain = purses.running.holdAgain();
  }

  async function areAnswersStored(): Promise<boolean> {
    let isStored = false;
    await waitAtMost(
      STORE_WAIT_MS,
      storeAnswers().then((answer) => (isStored = answer)),
    );
    return isStored;
  }

  async function renew(items: Settlement[]): Promise<boolean> {
    const keyIds = [...usedKeyIds];
    usedKeyIds.clear();
    let isRenewed = false;
    try {
      return (isRenewed = await lease.renew({ progress: items, usedKeyIds: keyIds, inUse: purses.running.inUse() }));
    } finally {
      if (!isRenewed) for (const keyId of keyIds) usedKeyIds.add(keyId);
    }
  }

  /**
   * Resolves when everything held here is held in the database too, or is known to be lost: at once, unless this process was paused
   * beyond its lease. Throws `LedgerUnavailable` when the lease cannot be renewed.
   */
  async function sureOfLease(): Promise<void> {
    if (!lease.live()) await flushOnce();
    // A renewal that was sent before a pause and answered after it counts from the time it was sent, so it may have expired.
    if (!lease.live()) await flushOnce();
    await holdingAgain;
    if (!lease.live()) throw new LedgerUnavailable('the lease could not be renewed');
  }

  /** Until every call that has produced something is stored once. */
  async function storeFirst(): Promise<void> {
    first = undefined;
    if (progress.hasNew()) await inTurn(progress.readNew);
    if (progress.awaitsNew()) watchFirst();
  }

  function watchFirst(): void {
    first ??= setTimeout(() => void storeFirst(), FIRST_PROGRESS_MS).unref();
  }

  function beat(): void {
    beating = flushOnce().then(goOnOnce);
  }

  return {
    sureOfLease,
    /** A call begins whose progress is stored. */
    follow: (id: string, call: Followed): void => {
      progress.follow(id, call);
      watchFirst();
    },
    /** Records, with the next heartbeat, that a key is in use. */
    markUsed: (keyId: string): void => void usedKeyIds.add(keyId),
    start: (): void => {
      beat();
      timer = setInterval(beat, HEARTBEAT_MS).unref();
    },
    stop: async (): Promise<void> => {
      clearInterval(timer);
      clearTimeout(first);
      await beating;
      await flushed;
    },
  };
}

// A lease must be renewed in time, however long prompts are: what is not counted by then is stored with the next flush.
const COUNT_WAIT_MS = 1_000;

/** A call whose progress is stored, so that it can be billed if this process dies. */
interface Followed {
  /** Whether it has produced something that is billed. */
  hasBegun: () => boolean;
  /** Resolves when everything that `settlement` needs has been counted. */
  count: () => Promise<unknown>;
  /** What is settled if the process dies now. */
  settlement: () => Settlement;
}

/** The calls of this process whose progress is stored with each flush. */
export function createProgress() {
  const running = new Map<string, Followed>();
  const kept = new Set<string>();
  // Those that were kept with something to bill.
  const begun = new Set<string>();

  const isNew = ([id, call]: [string, Followed]): boolean => !begun.has(id) && call.hasBegun();

  /** The progress of the calls that run now. */
  const read = (): Promise<Settlement[]> => readWhere(() => true);

  /** The progress of those which have begun and were never read. */
  const readNew = (): Promise<Settlement[]> => readWhere(isNew);

  async function readWhere(isMeant: (entry: [string, Followed]) => boolean): Promise<Settlement[]> {
    const meant = [...running].filter(isMeant);
    await waitAtMost(COUNT_WAIT_MS, Promise.allSettled(meant.map(([, { count }]) => count())));
    // Those that have ended since then are billed.
    const now = meant.filter(([id]) => running.has(id));
    for (const [id, { hasBegun }] of now) if (hasBegun()) begun.add(id);
    const items = now.map(([, { settlement }]) => settlement());
    for (const { id } of items) kept.add(id);
    return items;
  }

  /** Stops following the call. True: some of its progress may have been stored. */
  function end(id: string): boolean {
    running.delete(id);
    begun.delete(id);
    return kept.delete(id);
  }

  return {
    follow: (id: string, call: Followed): void => void running.set(id, call),
    read,
    readNew,
    hasNew: (): boolean => [...running].some(isNew),
    awaitsNew: (): boolean => [...running.keys()].some((id) => !begun.has(id)),
    end,
  };
}
