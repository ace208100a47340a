import { useQueryClient, type Query, type QueryCacheNotifyEvent, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isPassing } from './failure.ts';

const AGAIN_MS = 2_500;

/** Resolves once the service answers; to false when the signal has ended the waiting. */
export async function untilReachable(signal?: AbortSignal): Promise<boolean> {
  for (;;) {
    if (signal?.aborted) return false;
    if (await isReachable()) return !signal?.aborted;
    await pause();
  }
}

/** The same after a request that had no answer: the next one does not follow at once. */
export async function afterOutage(signal?: AbortSignal): Promise<boolean> {
  await pause();
  return untilReachable(signal);
}

const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

/** Whether the service answers now. It is asked without a session, which would otherwise never end for want of use. */
async function isReachable(): Promise<boolean> {
  try {
    const init: RequestInit = { credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(AGAIN_MS * 2) };
    return (await fetch('/readyz', init)).status < 500;
  } catch {
    return false;
  }
}

/**
 * Whether something on the page is from before, because the service did not answer when it was read again. What was missed is read again
 * by itself after the outage.
 */
export function useOldState(): boolean {
  const queries = useQueryClient();
  const [isOld, setOld] = useState(false);
  useEffect(() => watchReads(queries, setOld), [queries]);
  return isOld;
}

function watchReads(queries: QueryClient, report: (isOld: boolean) => void): () => void {
  const cache = queries.getQueryCache();
  const stop = new AbortController();
  let isMending = false;

  function look(): void {
    const missed = cache.findAll({ type: 'active', predicate: isMissed });
    report(missed.some(({ state }) => state.data !== undefined));
    if (missed.length > 0 && !isMending) void mend();
  }

  /** What is missed once more begins the next waiting. */
  async function mend(): Promise<void> {
    isMending = true;
    const isOver = await afterOutage(stop.signal);
    if (isOver) await queries.refetchQueries({ type: 'active', predicate: isMissed }, { cancelRefetch: false });
    isMending = false;
    if (isOver) look();
  }

  const forget = cache.subscribe(({ type }) => CHANGES.has(type) && look());
  look();
  return () => {
    stop.abort();
    forget();
  };
}

const CHANGES = new Set<QueryCacheNotifyEvent['type']>(['updated', 'removed', 'observerAdded', 'observerRemoved']);

const isMissed = ({ state }: Query): boolean => isPassing(state.error);
