import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { createPlaces } from '../../base/places.ts';
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
  const taken = createPlaces({ perCaller: places });
  const working = new AsyncLocalStorage<{ isOver: boolean }>();

  async function take(owner: string): Promise<() => void> {
    const waiting = new AbortController();
    const refuse = () => waiting.abort(new LedgerUnavailable('earlier transactions of the workspace take too long'));
    const timer = setTimeout(refuse, waitMs);
    try {
      return await taken.take({ caller: owner, signal: waiting.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  return async (owner, work) => {
    // What already has a connection must not wait for another one: those with the places could wait for each other, or for its locks.
    if (working.getStore()?.isOver === false) return work();
    const leave = owner === undefined ? undefined : await take(owner);
    const place = { isOver: false };
    try {
      return await working.run(place, work);
    } finally {
      place.isOver = true;
      leave?.();
    }
  };
}
