import { agentInputOf, type AgentConfiguration } from '../../db/agents/configuration.ts';
import { pricingOf } from '../../db/agents/pricing.ts';
import type { PublicAgent } from '../../db/agents/publicAgents.ts';
import { RETENTION_DAYS } from '../../base/limits.ts';
import type { Services } from '../services.ts';

/** What callers pay, where they can read what happens with their data, and what thinks for agents. */
export type AgentTerms = Pick<Services, 'config' | 'agentModel' | 'platformCosts'>;

/** An agent as everybody sees it. */
export function presentAgent(agent: PublicAgent, { config, agentModel, platformCosts }: AgentTerms) {
  const { configuration } = agent;
  const { networkFeePercentage, publicUrl } = config;
  return {
    id: agent.id,
    object: 'agent',
    name: configuration.name,
    description: configuration.description,
    provider: {
      id: agent.providerId,
      name: agent.providerName,
      verified: agent.verified,
      website: agent.website ?? publicUrl,
    },
    version: agent.version,
    status: 'available',
    categories: configuration.categories,
    input: agentInputOf(configuration, agentModel),
    output_types: outputTypesOf(configuration),
    pricing: pricingOf(agent, { platformCosts, networkFeePercentage }),
    data_policy: {
      retention: 'limited',
      retention_days: RETENTION_DAYS,
      training: false,
      policy_url: `${publicUrl}/docs#data-policy`,
    },
    updated_at: agent.activatedAt.toISOString(),
  };
}

const FILE_WRITERS = ['write_file', 'run_code'];

function outputTypesOf({ tools }: AgentConfiguration): ('text' | 'file' | 'data')[] {
  const hasFiles = tools.some((name) => FILE_WRITERS.includes(name));
  return ['text', ...(hasFiles ? ['file' as const] : []), ...(tools.includes('return_data') ? ['data' as const] : [])];
}
