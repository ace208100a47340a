import type { Rows } from '../postgres/rows.ts';
import type { AgentModels } from '../agents/agentModels.ts';
import { checkConfiguration, type AgentConfiguration, type Finding } from '../agents/configuration.ts';
import { shownNamespace } from '../agents/namespaces.ts';
import { lockAgent } from './publisherAgents.ts';
import type { ResolvedAgent } from '../agents/publicAgents.ts';
import { freeze, readKnown } from './submit.ts';

export type TestVersionOutcome =
  | { outcome: 'found'; agent: ResolvedAgent }
  | { outcome: 'not_found' }
  | { outcome: 'incomplete'; findings: Finding[] };

const COST_USD_MAX = 1;

/**
 * The draft as a version that a test may run: the newest version if it equals the draft, otherwise a new one, so that each run keeps the
 * version it ran. The draft may lack what only its publication needs: name, description, prices, categories, examples and icon.
 */
export function freezeForTest(
  rows: Rows,
  order: { agentId: string; tools: ReadonlySet<string>; models: AgentModels; toolLoopback: boolean },
): Promise<TestVersionOutcome> {
  return rows.transaction(async (tx): Promise<TestVersionOutcome> => {
    const { agentId } = order;
    const agent = await lockAgent(tx, agentId);
    if (!agent) return { outcome: 'not_found' };
    const { draft, draftRevision: sourceRevision } = agent;
    const findings = checkConfiguration(draft, await readKnown(tx, order, draft, agentId)).filter(isNeeded);
    if (findings.length > 0) return { outcome: 'incomplete', findings };
    const newest = await tx.em.findOne(tx.AgentVersion, { agentId }, { orderBy: { number: 'desc' } });
    const versionId = newest?.sourceRevision === sourceRevision ? newest.id : await freeze(tx, agent);
    const { label } = await tx.em.findOneOrFail(tx.AgentVersion, { id: versionId });
    const found: ResolvedAgent = {
      agentId,
      agent: `${shownNamespace(agent.namespace)}/${agent.slug}`,
      agentName: draft.name || agent.slug,
      publisherWorkspaceId: agent.workspaceId,
      versionId,
      version: label,
      configuration: draft,
      subsidised: false,
      suspended: false,
    };
    return { outcome: 'found', agent: found };
  });
}

/** A version of an agent of the workspace, by its label or id, deployed or not: for the repetition of a test. */
export function findTestedVersion(
  rows: Rows,
  { agentId, version }: { agentId: string; version: string },
): Promise<ResolvedAgent | undefined> {
  return rows.transaction(async ({ em, Agent, AgentVersion }) => {
    const agent = await em.findOne(Agent, { id: agentId });
    const found = await em.findOne(AgentVersion, { agentId, $or: [{ id: version }, { label: version }] });
    if (!agent || !found) return undefined;
    return {
      agentId,
      agent: `${shownNamespace(agent.namespace)}/${agent.slug}`,
      agentName: found.configuration.name || agent.slug,
      publisherWorkspaceId: agent.workspaceId,
      versionId: found.id,
      version: found.label,
      configuration: found.configuration,
      subsidised: false,
      suspended: false,
    };
  });
}

/** What the last runs that the workspace has ordered of an agent have cost, in nano-USD, newest first. */
export async function readTestCosts(rows: Rows, agentId: string): Promise<bigint[]> {
  const { workspaceId } = rows;
  type Found = { nanos: string };
  const found = await rows.statement(({ client }) => client.query<Found>(COSTS, [agentId, workspaceId]));
  return found.rows.map(({ nanos }) => BigInt(nanos));
}

// Raw: the index of settled runs by agent. Prices of other runs are the publisher's own.
const COSTS = `
select total_nanos + children_nanos as nanos from runs where agent_id = $1 and workspace_id = $2 and source = 'test'
  and status in ('completed', 'limit_reached') and rerun_of is null and settled_at is not null and deleted_at is null
order by settled_at desc limit 100`;

const NEEDED =
  /^\/(instructions|tools|plugins|model|max_steps|compaction|temperature|tool_choice|input_schema|output_schema|agents|http_tools|requires_approval)\b/;

const isNeeded = ({ path }: Finding) => NEEDED.test(path);

/** The prices of a test: the platform's costs, up to the draft's own maximum, because publishers do not pay themselves. */
export const testPricing = ({ pricing }: AgentConfiguration): AgentConfiguration['pricing'] => ({
  minimum_cost_usd: 0,
  maximum_cost_usd: pricing.maximum_cost_usd > 0 ? pricing.maximum_cost_usd : COST_USD_MAX,
  rates: [],
});
