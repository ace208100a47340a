import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { LocalEngine } from './shapes.ts';

const LIVE_MS = 1_000;

/** Engines that come to be there by themselves. */
export const isBusy = ({ state }: LocalEngine): boolean => state === 'fetching' || state === 'loading';

/** The models that can be had in one step, and the one in use; read each second while one is fetched. */
export const useStarters = () =>
  useAnswer(['catalog', 'starters'], (signal) => api.GET('/console/v1/catalog/starters', { signal }), {
    refetchInterval: ({ state: { data } }) =>
      data && (data.engines.some(isBusy) || data.agents.awaited !== null) ? LIVE_MS : false,
  });
