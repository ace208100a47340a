import { CardFace } from '../agents/AgentCard.tsx';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { contentPath } from '../files/FilePreview.tsx';
import type { Configuration, PublisherAgent } from './configuration.ts';
import { EstimatePanel } from './EstimatePanel.tsx';
import type { Quantities } from './useEstimate.ts';

/** Beside the form: the card as callers will see it, and what a run costs and earns. */
export function DraftPreview({
  agent,
  draft,
  quantities,
}: {
  agent: PublisherAgent;
  draft: Configuration;
  quantities: Quantities | undefined;
}) {
  const { namespace, slug } = agent;
  const provider = useAnswer(
    ['publisher', 'namespaces', namespace],
    (signal) => api.GET('/v1/publisher/namespaces/{name}', { params: { path: { name: namespace } }, signal }),
    { staleTime: Infinity },
  );
  return (
    <aside className="draft-side" aria-label="Preview">
      <CardFace
        agent={{
          id: `${namespace}/${slug}`,
          name: draft.name || slug,
          description: draft.description || 'What it does, in a sentence or two.',
          categories: draft.categories,
          icon_url: draft.icon_file_id ? contentPath(draft.icon_file_id) : null,
          provider: {
            name: provider.data?.provider_name ?? namespace,
            verified: provider.data?.verified ?? false,
          },
          pricing: draft.pricing,
          upcoming_version: null,
        }}
        name={draft.name || slug}
        foot={<span>As callers see it</span>}
      />
      <EstimatePanel agentId={agent.id} draft={draft} quantities={quantities} />
    </aside>
  );
}
