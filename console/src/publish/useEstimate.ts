import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import type { Configuration } from './configuration.ts';

export type Estimate = components['schemas']['PublisherEstimate'];
export type Quantities = Estimate['quantities'];

const TYPING_MS = 250;

/** The cost and earnings of a run of a draft, saved or not: the server prices it like a bill. */
export function useEstimate(agentId: string, { pricing, model }: Configuration, quantities?: Quantities) {
  const [order] = useDebouncedValue({ pricing, model: model ?? null, ...(quantities && { quantities }) }, TYPING_MS);
  return useAnswer(
    ['estimate', agentId, order],
    (signal) =>
      api.POST('/v1/publisher/agents/{agent_id}/estimate', {
        params: { path: { agent_id: agentId } },
        body: order,
        signal,
      }),
    { placeholderData: keepPreviousData, retry: false, staleTime: 30_000 },
  );
}
