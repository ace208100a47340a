import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';

type Agent = components['schemas']['Agent'];

/** The catalogue by name, for lists that name agents; undefined until it is known. */
export function useAgents(): Agent[] | undefined {
  const query = { limit: 100, sort: 'name' } as const;
  return useAnswer(['agents', 'all'], (signal) => api.GET('/v1/agents', { params: { query }, signal }), {
    staleTime: 60_000,
  }).data?.data;
}

/** The picture of each agent that has one, by its id. */
export const iconsOf = (agents: Agent[] = []): ReadonlyMap<string, string | null> =>
  new Map(agents.map(({ id, icon_url: url }) => [id, url]));
