import { z } from 'zod';
import { listPublicAgents, type PublicAgent } from '../../../db/agents/publicAgents.ts';
import { describeAgent, readAgent, type Describing } from '../../agents/publicAgents.ts';
import type { Handler } from '../../context.ts';
import type { NamedSchema } from '../../http/documentedRoute.ts';
import type { Services } from '../../services.ts';
import { API_VERSION } from '../../http/flatResponse.ts';

const modes = z.array(z.string()).describe('Media types.');

export const AgentCard = {
  id: 'AgentCard',
  schema: z.object({
    name: z.string(),
    description: z.string(),
    supportedInterfaces: z.array(
      z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() }),
    ),
    provider: z.object({ organization: z.string(), url: z.string() }),
    iconUrl: z.string().optional(),
    version: z.string(),
    documentationUrl: z.string(),
    capabilities: z.object({
      streaming: z.boolean(),
      pushNotifications: z.boolean(),
      extendedAgentCard: z.boolean(),
    }),
    url: z.string().describe('For clients of version 0.3, which read no interfaces.'),
    preferredTransport: z.literal('JSONRPC').describe('The same.'),
    protocolVersion: z.string().describe('The version of the protocol that this server speaks.'),
    supportsAuthenticatedExtendedCard: z.literal(false),
    securitySchemes: z.record(
      z.string(),
      z
        .object({
          httpAuthSecurityScheme: z.object({ scheme: z.string(), description: z.string() }),
          type: z.literal('http'),
          scheme: z.string(),
          description: z.string(),
        })
        .describe('In the forms of versions 1.0 and 0.3.'),
    ),
    security: z.array(z.record(z.string(), z.array(z.string()))),
    securityRequirements: z.array(z.object({ schemes: z.record(z.string(), z.object({ list: z.array(z.string()) })) })),
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        tags: z.array(z.string()),
        examples: z.array(z.string()),
        inputModes: modes,
        outputModes: modes,
      }),
    ),
  }),
} satisfies NamedSchema;

type Card = z.infer<typeof AgentCard.schema>;

/** The protocol version of this server. */
export const PROTOCOL_VERSION = '1.0';
export const BASE = '/a2a';
const SKILLS_MAX = 100;
const CACHE_SECONDS = 10;
const CACHED_MAX = 500;

export const OUTPUT_MODES = { text: 'text/plain', file: 'application/octet-stream', data: 'application/json' };

/**
 * The card of an agent, without a key: at `/v1/agents/{namespace}/{slug}/card`, and at the well-known path below the agent's own address.
 */
export function retrieveAgentCard(services: Services): Handler {
  const cached = createCache();
  return async (ctx) => {
    const { namespace, slug } = ctx.state.params;
    const card = await cached(`${namespace}/${slug}`, async () => cardOf(await readAgent(services.db, ctx), services));
    ctx.set('cache-control', `public, max-age=${CACHE_SECONDS}`);
    ctx.body = card;
  };
}

/** `GET /.well-known/agent-card.json`: the platform as one agent, whose skills are the public agents. */
export function retrievePlatformCard(services: Services): Handler {
  const cached = createCache();
  return async (ctx) => {
    const card = await cached('', () => platformCard(services));
    ctx.set('cache-control', `public, max-age=${CACHE_SECONDS}`);
    ctx.body = card;
  };
}

/** Answers from the last seconds. Cards are read without a key, and must not load the database. Failures are not kept. */
function createCache() {
  const kept = new Map<string, { card: Promise<Card>; untilMs: number }>();
  return (name: string, read: () => Promise<Card>): Promise<Card> => {
    const found = kept.get(name);
    if (found && found.untilMs > performance.now()) return found.card;
    if (kept.size >= CACHED_MAX) kept.clear();
    const card = read();
    kept.set(name, { card, untilMs: performance.now() + CACHE_SECONDS * 1000 });
    card.catch(() => kept.delete(name));
    return card;
  };
}

const BEARER = { scheme: 'Bearer', description: 'An API key.' };

/** The members that all cards of this server share. `address` is the endpoint of the card's agent. */
function frameOf(publicUrl: string, address: string) {
  const interfaces = ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({
    url: publicUrl + address,
    protocolBinding,
    protocolVersion: PROTOCOL_VERSION,
  }));
  return {
    supportedInterfaces: interfaces,
    documentationUrl: `${publicUrl}/docs`,
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: BEARER, type: 'http' as const, ...BEARER } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    // Version 0.3 clients need these to read the card. They learn from its version, or from an error, that this server speaks 1.0.
    url: publicUrl + address,
    preferredTransport: 'JSONRPC' as const,
    protocolVersion: PROTOCOL_VERSION,
    supportsAuthenticatedExtendedCard: false as const,
    security: [{ bearer: [] }],
  };
}

function cardOf(agent: PublicAgent, installation: Describing): Card {
  const { name, description, provider, version, icon_url: iconUrl } = describeAgent(agent, installation);
  const skill = skillOf(agent, installation);
  return {
    name,
    description,
    ...frameOf(installation.config.publicUrl, `${BASE}/${agent.id}`),
    provider: { organization: provider.name, url: provider.website },
    ...(iconUrl !== null && { iconUrl }),
    version,
    defaultInputModes: skill.inputModes,
    defaultOutputModes: skill.outputModes,
    skills: [skill],
  };
}

async function platformCard(services: Services): Promise<Card> {
  const { publicUrl } = services.config;
  const all = { search: null, category: null, maximumCostUsd: null, sort: 'popular' as const };
  const { agents } = await listPublicAgents(services.db.everywhere, { ...all, offset: 0, limit: SKILLS_MAX });
  return {
    name: 'Ledgerline',
    description:
      'Runs published agents, billed against a prepaid balance. Each skill is an agent: name it as ' +
      'metadata.agent of a message, or use its own card at ' +
      `${publicUrl}${BASE}/{namespace}/{slug}/.well-known/agent-card.json.`,
    ...frameOf(publicUrl, BASE),
    provider: { organization: 'Ledgerline', url: publicUrl },
    version: API_VERSION,
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: Object.values(OUTPUT_MODES),
    skills: agents.map((agent) => skillOf(agent, services)),
  };
}

function skillOf(agent: PublicAgent, installation: Describing) {
  const { id, name, description, categories, input, output_types, example_prompts } = describeAgent(
    agent,
    installation,
  );
  const own = input.data ? 'application/json' : 'text/plain';
  return {
    id,
    name,
    description,
    tags: categories,
    examples: example_prompts,
    inputModes: [own, ...input.accepted_media_types.filter((type) => type !== own)],
    outputModes: output_types.map((type) => OUTPUT_MODES[type]),
  };
}
