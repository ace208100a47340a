import type { UseQueryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';

export type Quality = components['schemas']['AgentQuality'];

/** The quality of an agent, named `namespace/slug`, over its callers' runs. */
export function useQuality(id: string, options: Pick<UseQueryOptions<Quality>, 'enabled' | 'staleTime'> = {}) {
  const [namespace, slug] = id.split('/') as [string, string];
  const path = { namespace, slug };
  return useAnswer<Quality>(
    ['quality', id],
    (signal) => api.GET('/v1/agents/{namespace}/{slug}/quality', { params: { path }, signal }),
    options,
  );
}

/** A share in per cent; a dash when it is unknown. */
export const shareText = (share: number | null | undefined): string =>
  share === null || share === undefined ? '—' : `${(share * 100).toFixed(share === 0 || share === 1 ? 0 : 1)}%`;
