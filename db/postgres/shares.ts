import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { LedgerUnavailable } from './ledgerUnavailable.ts';

/** Runs `work`, which takes one connection of a pool, within the share of `owner`; without one, at once. */
export type Share = <T>(owner: string | undefined, work: () => Promise<T>) => Promise<T>;

/** One owner holds at most one connection in so many, and may always hold one. */
const PARTS = 3;
/** As long as a statement may wait for a lock. Who waits holds nothing. */
const WAIT_MS = 5_000;

/**
 * Shares the connections of a pool: the transactions of one owner hold at most a third of them, and more of them wait in order, before
 * they take one. So those that wait for a lock of their workspace leave connections to other workspaces.
 */
export function shareConnections({ options: { max, connectionTimeoutMillis = 0 } }: Pick<Pool, 'options'>): Share {
  const waitMs = Math.max(WAIT_MS, connectionTimeoutMillis);
  return createShares({ places: Math.max(1, Math.floor(max / PARTS)), waitMs });
}

/** Shares of so many places. `waitMs`: how long one waits for a place before it is refused. */
export function createShares({ places, waitMs }: { places: number; waitMs: number }): Share {
  const lines = new Map<string, Line>();
  const working = new AsyncLocalStorage<{ isOver: boolean }>();

  function take(owner: string): Promise<void> | undefined {
    const line = lines.get(owner) ?? { taken: 0, waiting: new Set() };
    lines.set(owner, line);
    if (line.taken === places) return waitIn(line, waitMs);
    line.taken += 1;
    return undefined;
  }

  function leave(owner: string): void {
    const line = lines.get(owner)!;
    const [next] = line.waiting;
    if (next) next();
    else if (--line.taken === 0) lines.delete(owner);
  }

  return async (owner, work) => {
    // What already has a connection must not wait for another one: those with the places could wait for each other, or for its locks.
    if (working.getStore()?.isOver === false) return work();
    if (owner !== undefined) await take(owner);
    const place = { isOver: false };
    try {
      return await working.run(place, work);
    } finally {
      place.isOver = true;
      if (owner !== undefined) leave(owner);
    }
  };
}

/** The places of an owner that are taken, and those who wait for one; a place that is left goes to the first of them. */
interface Line {
  taken: number;
  waiting: Set<() => void>;
}

function waitIn({ waiting }: Line, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      waiting.delete(begin);
      clearTimeout(timer);
      resolve();
    };
    const refuse = () => {
      waiting.delete(begin);
      reject(new LedgerUnavailable('earlier transactions of the workspace take too long'));
    };
    const timer = setTimeout(refuse, waitMs);
    waiting.add(begin);
  });
}
