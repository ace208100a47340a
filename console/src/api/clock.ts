import { useEffect, useReducer } from 'react';
import { api } from './client.ts';
import { useAnswer } from './hooks.ts';
import { useMe } from './me.ts';

/** The time of the workspace: in test mode that of its clock, and undefined until that is known. */
export function useNowMs(): number | undefined {
  const isTest = useMe().mode === 'test';
  const clock = useAnswer(['test_clock'], (signal) => api.GET('/platform/v1/test_clock', { signal }), {
    enabled: isTest,
  });
  if (!isTest) return Date.now();
  return clock.data && Date.parse(clock.data.now);
}

const MINUTE_MS = 60_000;

/** The same to the minute. Where no test clock stands still, it moves by itself. */
export function useMinuteMs(): number | undefined {
  const nowMs = useNowMs();
  const [, move] = useReducer((moves: number) => moves + 1, 0);
  useEffect(() => {
    const timer = setTimeout(move, MINUTE_MS - (Date.now() % MINUTE_MS));
    return () => clearTimeout(timer);
  });
  return nowMs === undefined ? undefined : Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
}
