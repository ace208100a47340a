import { api } from './client.ts';
import { useAnswer } from './hooks.ts';

const LIVE_MS = 1_000;

/** The model that agents use, for operators; read each second while another one is fetched for them. */
export const useAgentModel = (enabled = true) =>
  useAnswer(['catalog', 'agent-model'], (signal) => api.GET('/console/v1/catalog/agent-model', { signal }), {
    enabled,
    refetchInterval: ({ state: { data } }) => (data?.awaited ? LIVE_MS : false),
  });
