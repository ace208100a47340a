import type { CatalogFile } from './catalogFile.ts';

/** A vendor's model, named by the environment, for agents. */
export interface AgentUpstream {
  url: string;
  key: string;
  model: string;
  usdPerMillion: { input_tokens: number; output_tokens: number };
}

const NAME = 'agent-upstream';
// The least that current vendors' models read and write; a catalogue entry states it exactly.
const CONTEXT_TOKENS = 128_000;
const OUTPUT_TOKENS_MAX = 16_384;
const CREATED = 1_763_942_400;

/**
 * The catalogue with the environment's model, which agents use. A catalogue model of that name keeps its prices, and is only selected for
 * agents.
 */
export function withAgentUpstream(catalog: CatalogFile, agentUpstream: AgentUpstream | null): CatalogFile {
  if (!agentUpstream) return catalog;
  const { url, key, model, usdPerMillion } = agentUpstream;
  const known = catalog.models.find(({ id, aliases }) => id === model || aliases.includes(model));
  if (known) return { ...catalog, agentModel: known.id };
  return {
    ...catalog,
    agentModel: model,
    upstreams: { ...catalog.upstreams, [NAME]: { baseUrl: url, apiKey: key } },
    models: [
      ...catalog.models,
      {
        id: model,
        kind: 'text',
        description: 'The language model of agents, which the environment names.',
        aliases: [],
        created: CREATED,
        contextTokens: CONTEXT_TOKENS,
        outputTokensMax: OUTPUT_TOKENS_MAX,
        upstreams: [{ upstream: NAME, model }],
        usdPerMillion,
      },
    ],
  };
}
