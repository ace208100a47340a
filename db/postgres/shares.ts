import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { LedgerUnavailable } from './ledgerUnavailable.ts';

/** Runs `work`, which takes one connection of a pool, within the share of `owner`; without one, at once. */
export type Share = <T>(owner: string | undefined, work: () => Promise<T>) => Promise<T>;

/** One owner in so many uses this share of a pool's connections, at least one of them. */
const PARTS = 3;

/**
 * Shares the connections of a pool: the transactions of one owner hold at most a third of them, and more of them wait in order, before
 * they take one. So those that wait for a lock of their workspace leave connections to other workspaces. They wait as long as for a free
 * connection.
 */
export function shareConnections({ options: { max, connectionTimeoutMillis } }: Pick<Pool, 'options'>): Share {
  return createShares({ places: Math.max(1, Math.floor(max / PARTS)), waitMs: connectionTimeoutMillis ?? 0 });
}

/** Shares of so many places. `waitMs`: how long one waits for a place before it is refused; 0: without a limit. */
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
    // What already has a connection must not wait for another one: those with the places could wait for each other.
    if (owner === undefined || working.getStore()?.isOver === false) return work();
    await take(owner);
    const place = { isOver: false };
    try {
      return await working.run(place, work);
    } finally {
      place.isOver = true;
      leave(owner);
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
    const timer = waitMs > 0 ? setTimeout(refuse, waitMs) : undefined;
    waiting.add(begin);
  });
}
