import type { z } from 'zod';
import { agentInputOf } from '../../db/agents/configuration.ts';
import { readAgentsAsModels, type AgentAsModel } from '../../db/agents/agentsAsModels.ts';
import { pricingOf } from '../../db/agents/pricing.ts';
import { hasScope, mayRun } from '../../db/keys/scopes.ts';
import { nanosOfUsd, picosOfUsd, usdTextOf, usdTextOfPicos } from '../../db/money.ts';
import { readTerms, type TermsOf } from '../../orders/price.ts';
import type { State } from '../context.ts';
import type { Services } from '../services.ts';
import type { ModelAnswer } from './presentModel.ts';

/** Agents as models: their names are what chats and responses call. */

type Key = State['key'];
type Model = z.infer<typeof ModelAnswer>;

/** The public agents that a key may run, by name. */
export async function listAgentModels(services: Services, key: Key): Promise<Model[]> {
  if (!hasScope(key, 'agents')) return [];
  const { workspaceId } = key;
  const [agents, termsOf] = await Promise.all([
    readAgentsAsModels(services.db.everywhere, { workspaceId }),
    readTerms(services, workspaceId),
  ]);
  return agents.filter(({ id }) => mayRun(key, id)).map((agent) => presentAgentModel(services, agent, termsOf));
}

const NAME = /^[a-z0-9-]+\/[a-z0-9-]+$/;

/** One of them; undefined when there is none with this name. */
export async function findAgentModel(services: Services, key: Key, name: string): Promise<Model | undefined> {
  if (!NAME.test(name) || !hasScope(key, 'agents') || !mayRun(key, name)) return undefined;
  const { workspaceId } = key;
  const [agent] = await readAgentsAsModels(services.db.everywhere, { workspaceId, name });
  return agent && presentAgentModel(services, agent, await readTerms(services, workspaceId));
}

function presentAgentModel({ agentModels }: Services, agent: AgentAsModel, termsOf: TermsOf): Model {
  const { id, namespace, configuration, activatedAt } = agent;
  const model = agentModels.modelOf(configuration) ?? agentModels.standard;
  const { minimum_cost_usd: minimumUsd, meters } = pricingOf(agent, termsOf(configuration));
  const priceOf = (meter: string) => usdTextOfPicos(picosOfUsd(meters.find((one) => one.id === meter)?.price_usd ?? 0));
  const { accepted_media_types: types } = agentInputOf(configuration, model);
  const inputs = ['text', ...['image', 'audio'].filter((kind) => types.some((type) => type.startsWith(`${kind}/`)))];
  if (types.length > 0) inputs.push('file');
  return {
    id,
    object: 'model',
    created: Math.floor(activatedAt.getTime() / 1_000),
    owned_by: namespace,
    name: configuration.name,
    description: configuration.description,
    kind: 'agent',
    aliases: [],
    context_length: model.contextTokens || null,
    max_output_tokens: model.outputTokensMax || null,
    architecture: {
      modality: `${inputs.join('+')}->text`,
      input_modalities: inputs,
      output_modalities: ['text'],
      tokenizer: model.tokenizer ?? 'Other',
    },
    pricing: {
      prompt: priceOf('model_input_tokens'),
      completion: priceOf('model_output_tokens'),
      request: usdTextOf(nanosOfUsd(minimumUsd)),
    },
    supported_parameters: ['stream', ...(configuration.accepts_response_format ? ['response_format'] : [])],
  };
}
