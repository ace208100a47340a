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
