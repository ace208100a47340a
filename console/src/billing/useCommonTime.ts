import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../api/client.ts';
import { readAnew, useAnswer } from '../api/hooks.ts';

const PARTS = ['balance', 'overview', 'topups', 'statement', 'ledger', 'auto-topup'];

/** How often the parts follow calls, which change the balance all the time. */
export const LIVE_MS = 10_000;

/**
 * Reloads all parts of the page when a payment arrives, is returned or fails: automatic top-ups too. If only one part were reloaded, it
 * would contradict the others.
 */
export function useCommonTime(): void {
  const queries = useQueryClient();
  const newest = useAnswer(
    ['topups', 'newest'],
    (signal) => api.GET('/platform/v1/billing/topups', { params: { query: { limit: 20 } }, signal }),
    { refetchInterval: 3_000 },
  );
  const state = newest.data && JSON.stringify(newest.data.data);
  const before = useRef(state);
  useEffect(() => {
    const isNews = before.current !== undefined && state !== before.current;
    before.current = state;
    if (isNews) for (const part of PARTS) void readAnew(queries, [part]);
  }, [state, queries]);
}
