import type { PublicAgent } from '../../db/agents/publicAgents.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { presentAgent, type AgentTerms } from './presentAgent.ts';
import { readAgent } from './publicAgents.ts';

// The edition of the A2A protocol whose AgentCard this is.
const PROTOCOL_VERSION = '1.0';

/** `GET /v1/agents/{namespace}/{slug}/card`: the agent's A2A card (AgentCard of A2A 1.0), for agents that look for others. */
export function retrieveAgentCard(services: Services): Handler {
  return async (ctx) => {
    ctx.body = cardOf(await readAgent(services.db, ctx), services);
  };
}

/** The card of a public agent. Its modes are media types. */
function cardOf(agent: PublicAgent, terms: AgentTerms) {
  const { name, description, provider, version, categories, input, output_types } = presentAgent(agent, terms);
  const { publicUrl } = terms.config;
  return {
    name,
    description,
    supportedInterfaces: interfacesOf(publicUrl),
    provider: { organization: provider.name, url: provider.website },
    version,
    documentationUrl: `${publicUrl}/docs`,
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'An API key.' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain', ...input.accepted_media_types.filter((type) => type !== 'text/plain')],
    defaultOutputModes: output_types.map((type) => OUTPUT_MODES[type]),
    skills: [{ id: agent.id, name, description, tags: categories, examples: agent.configuration.example_prompts }],
  };
}

// Neither is one of A2A's own bindings, and a card that named one of those would promise what is not served: for others the
// protocol leaves the name open, as the address of what describes them.
function interfacesOf(publicUrl: string) {
  const offered = [
    { url: `${publicUrl}/v1/runs`, protocolBinding: `${publicUrl}/docs#post_v1_runs` },
    { url: `${publicUrl}/v1/mcp`, protocolBinding: 'https://modelcontextprotocol.io/specification' },
  ];
  return offered.map((one) => ({ ...one, protocolVersion: PROTOCOL_VERSION }));
}

const OUTPUT_MODES = { text: 'text/plain', file: 'application/octet-stream', data: 'application/json' };
