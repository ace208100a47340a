import { RETENTION_DAYS, MODEL_STEPS, QUALITY_DAYS } from '../../base/limits.ts';
import { agentIn, releaseIn, SEGMENT } from '../../base/agentNames.ts';
import type { z } from 'zod';
import { answerPage } from '../http/page.ts';
import type { PublicChannel } from '../../db/agents/channels.ts';
import { agentInputOf, type AgentConfiguration } from '../../db/agents/configuration.ts';
import { hostOf, hostsOf } from '../../db/agents/httpTools.ts';
import { readAgentQuality } from '../../db/agents/deployments.ts';
import { deprecationOf, takenDownOf } from '../../db/agents/endings.ts';
import { pricingOf } from '../../db/agents/pricing.ts';
import { countLateRuns, findPublicAgent, listPublicAgents, type PublicAgent } from '../../db/agents/publicAgents.ts';
import { usdOf } from '../../db/money.ts';
import { readTerms, type TermsOf } from '../../orders/price.ts';
import type { Context, Handler } from '../context.ts';
import { notFound, validationError } from '../../base/errors/requestErrors.ts';
import { REMEMBER_NAME } from '../../tools/tool.ts';
import type { Services } from '../services.ts';
import { logoUrlOf } from '../workspaces/logoUrl.ts';
import type { AgentAnswer, AgentQuality } from './agentAnswers.ts';
import { setEndingHeaders } from './endingHeaders.ts';
import type { PublicAgentQuery } from './agentSchema.ts';

const LIST = 'agents';

/** `GET /v1/agents`: searches public agents by words, category and price. */
export function listAgents(services: Services): Handler<z.output<typeof PublicAgentQuery>> {
  const { db, cursors } = services;
  return async (ctx) => {
    const { search, category, max_cost_usd: maximumCostUsd, sort } = ctx.state.input;
    const filter = { search: search ?? null, category: category ?? null, maximumCostUsd: maximumCostUsd ?? null, sort };
    const termsOf = await readTerms(services, ctx.state.key.workspaceId);
    await answerPage(ctx, cursors, {
      // A cursor of another search would have another order.
      list: [LIST, search, category, maximumCostUsd, sort].join(' '),
      read: async ({ after, limit }) => {
        const offset = Number(after ?? 0);
        const { agents, hasMore } = await listPublicAgents(db.everywhere, { ...filter, offset, limit });
        return { rows: await withRuns(db, agents), next: hasMore ? String(offset + agents.length) : null };
      },
      present: (agent) => presentAgent(agent, services, termsOf),
    });
  };
}

/** `GET /v1/agents/{namespace}/{slug}`: the published version, its outputs, data policy and rate card. 404 `agent_not_found`. */
export function retrieveAgent(services: Services): Handler {
  return async (ctx) => {
    const agent = await readAgent(services.db, ctx);
    setEndingHeaders(ctx, agent.ending);
    const [counted] = await withRuns(services.db, [agent]);
    ctx.body = presentAgent(counted!, services, await readTerms(services, ctx.state.key.workspaceId));
  };
}

/** `GET /v1/agents/{namespace}/{slug}/quality`: the agent's results in the last `QUALITY_DAYS`. */
export function retrieveAgentQuality({ db }: Services): Handler {
  return async (ctx) => {
    const agent = await readAgent(db, ctx);
    const quality = await readAgentQuality(db.everywhere, agent.agentId);
    ctx.body = {
      object: 'agent.quality',
      agent: agent.id,
      days: QUALITY_DAYS,
      runs: quality.runs,
      completed: quality.completed,
      completion_rate: quality.completionRate,
      median_cost_usd: quality.medianCostNanos === null ? null : usdOf(quality.medianCostNanos),
      median_duration_seconds: quality.medianDurationSeconds,
      refund_rate: quality.refundRate,
    } satisfies z.infer<typeof AgentQuality.schema>;
  };
}

/** The public agent, or its channel, that the path names. Throws 422 for a malformed name, 404 for an agent that is not public. */
export async function readAgent(db: Services['db'], ctx: Context): Promise<PublicAgent> {
  const { namespace, slug: named } = ctx.state.params as { namespace: string; slug: string };
  const [slug, release] = [agentIn(named), releaseIn(named)];
  const wrong = [
    { name: 'namespace', value: namespace },
    { name: 'slug', value: slug },
  ].filter(({ value }) => !SEGMENT.test(value));
  if (wrong.length > 0) throw validationError(wrong.map(({ name }) => malformed(name)));
  // Icons need no key.
  const { key } = ctx.state as Partial<Context['state']>;
  const agent = await findPublicAgent(db.everywhere, { namespace, slug, workspaceId: key?.workspaceId });
  const released = release === null ? agent : agent && inChannel(agent, release);
  if (!released) throw notFound(`There is no agent '${namespace}/${named}'.`, 'agent_not_found');
  return released;
}

/** An agent as callers of one of its channels get it. */
function inChannel(agent: PublicAgent, name: string): PublicAgent | undefined {
  const channel = agent.channels.find((one) => one.name === name);
  return channel && { ...agent, ...channel, id: `${agent.id}@${name}` };
}

const malformed = (name: string) => ({
  loc: ['path', name],
  msg: 'Lowercase letters and digits, in groups joined by single hyphens.',
  type: 'value_error',
});

/** What agent descriptions need: the installation's addresses, and the agents' models. */
export type Describing = Pick<Services, 'config' | 'agentModels'>;

/** A public agent, without its prices. */
export function describeAgent(agent: PublicAgent, { config, agentModels }: Describing) {
  const { configuration } = agent;
  const model = agentModels.modelOf(configuration);
  return {
    id: agent.id,
    object: 'agent' as const,
    name: configuration.name,
    description: configuration.description,
    provider: {
      id: agent.providerId,
      name: agent.providerName,
      verified: agent.verified,
      website: agent.website ?? config.publicUrl,
      logo_url: logoUrlOf(agent.logoFileId, config.publicUrl),
    },
    version: agent.version,
    status: statusOf(agent, model !== undefined),
    categories: configuration.categories,
    input: agentInputOf(configuration, model ?? agentModels.standard),
    output_types: outputTypesOf(configuration),
    ...abilitiesOf(configuration),
    icon_url: configuration.icon_file_id ? iconUrlOf(agent.id, config) : null,
    model: (model ?? agentModels.standard).id,
  };
}

function statusOf({ ending }: PublicAgent, hasModel: boolean): z.infer<typeof AgentAnswer>['status'] {
  if (ending?.takenDownAt) return 'taken_down';
  if (ending?.isRetired) return 'retired';
  return hasModel ? 'available' : 'unavailable';
}

type CountedAgent = PublicAgent & { runs: number };

async function withRuns({ everywhere }: Services['db'], agents: PublicAgent[]): Promise<CountedAgent[]> {
  const runsOf = await countLateRuns(everywhere, [...new Set(agents.map(({ agentId }) => agentId))]);
  return agents.map((agent) => ({ ...agent, runs: runsOf.get(agent.agentId) ?? 0 }));
}

/** A public agent as the callers of a workspace see it. */
function presentAgent(agent: CountedAgent, services: Describing, termsOf: TermsOf): z.infer<typeof AgentAnswer> {
  return {
    ...describeAgent(agent, services),
    pricing: pricingOf(agent, termsOf(agent.configuration)),
    data_policy: {
      retention: 'limited',
      retention_days: RETENTION_DAYS,
      training: false,
      hosts: hostsOf(agent.configuration),
      remembers: agent.configuration.tools.includes(REMEMBER_NAME),
      memory_days: agent.configuration.memory_days ?? null,
      policy_url: `${services.config.publicUrl}/docs#data-policy`,
    },
    upcoming_version: upcomingOf(agent, termsOf),
    channels: agent.channels.map((channel) => presentChannel(channel, agent, termsOf)),
    taken_down: agent.ending && takenDownOf(agent.ending),
    deprecation: agent.ending && deprecationOf(agent.ending),
    runs: agent.runs,
    updated_at: agent.activatedAt.toISOString(),
  };
}

/** A channel, with the prices of its version. */
function presentChannel(channel: PublicChannel, { id, subsidised }: PublicAgent, termsOf: TermsOf) {
  const { name, version, versionId, configuration } = channel;
  return {
    name,
    agent: `${agentIn(id)}@${name}`,
    version,
    pricing: pricingOf({ versionId, configuration, subsidised }, termsOf(configuration)),
    upcoming_version: upcomingOf({ ...channel, subsidised }, termsOf),
  };
}

/** An announced version with a higher price. */
export function upcomingOf({ upcoming, subsidised }: Pick<PublicAgent, 'upcoming' | 'subsidised'>, termsOf: TermsOf) {
  if (!upcoming) return null;
  const { versionId, version, configuration, effectiveAt } = upcoming;
  const pricing = pricingOf({ versionId, configuration, subsidised }, termsOf(configuration));
  return { version, effective_at: new Date(effectiveAt).toISOString(), pricing };
}

/** The public address of an agent's icon. */
export const iconUrlOf = (agent: string, { publicUrl }: { publicUrl: string }): string =>
  `${publicUrl}/v1/agents/${agent}/icon`;

const FILE_WRITERS = ['write_file', 'write_table', 'draw_chart', 'run_code'];

/** The public part of a version's configuration: everything except its instructions. */
function abilitiesOf(configuration: AgentConfiguration) {
  const { icon_file_id: iconFileId, input_schema: inputSchema, output_schema: outputSchema } = configuration;
  return {
    tools: configuration.tools,
    plugins: configuration.plugins,
    http_tools: httpToolsOf(configuration),
    agents: configuration.agents ?? [],
    example_prompts: configuration.example_prompts,
    icon_file_id: iconFileId,
    input_schema: inputSchema ?? null,
    output_schema: outputSchema ?? null,
    accepts_response_format: configuration.accepts_response_format ?? false,
    max_steps: configuration.max_steps ?? MODEL_STEPS,
  };
}

/** An agent's HTTP tools, without their addresses and schemas. */
const httpToolsOf = ({ http_tools: tools }: AgentConfiguration) =>
  (tools ?? []).map((tool) => ({ name: tool.name, description: tool.description, host: hostOf(tool) }));

/** The kinds of output that an agent produces. */
export function outputTypesOf({
  tools,
  output_schema: schema,
  accepts_response_format: isOpen,
}: AgentConfiguration): ('text' | 'file' | 'data')[] {
  const hasData = schema || isOpen || tools.includes('return_data');
  const hasFiles = tools.some((name) => FILE_WRITERS.includes(name));
  return ['text', ...(hasFiles ? ['file' as const] : []), ...(hasData ? ['data' as const] : [])];
}
