import type { CatalogFile } from './catalogFile.ts';

/** A model of a vendor that the environment names, for agents. */
export interface AgentUpstream {
  url: string;
  key: string;
  model: string;
  usdPerMillion: { input_tokens: number; output_tokens: number };
}

const NAME = 'agent-upstream';
// What current vendors' models read and write at least; an entry in the catalogue says it exactly.
const CONTEXT_TOKENS = 128_000;
const OUTPUT_TOKENS_MAX = 16_384;
const CREATED = 1_763_942_400;

/**
 * The catalogue with the model of the environment, which agents use. A model of that name in the catalogue keeps its prices, and is only chosen
 * for agents.
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
