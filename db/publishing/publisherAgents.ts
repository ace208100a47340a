import type { InferEntity } from '@mikro-orm/core';
import type { Agent } from '../entities/agent.ts';
import type { AgentVersion } from '../entities/agent.ts';
import { NAMESPACES_MAX } from '../../base/limits.ts';
import { newId } from '../ids.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyTransaction, Bound, Rows, Transaction } from '../postgres/rows.ts';
import { takeTurn } from '../postgres/transaction.ts';
import type { AgentConfiguration } from '../agents/configuration.ts';
import type { DeploymentRow } from '../agents/deployments.ts';
import { isReservedProvider, shownNamespace, storedNamespace } from '../agents/namespaces.ts';

export type AgentRow = InferEntity<typeof Agent>;

/** An agent in its publisher's view, with its live deployments and its submission. */
export type PublisherAgent = AgentRow & {
  privateDeployment: DeploymentRow | null;
  publicDeployment: DeploymentRow | null;
  publicSubmission: DeploymentRow | null;
};

/** One agent of the workspace, or undefined when it is unknown or of another workspace. */
export const findPublisherAgent = (rows: Rows, id: string): Promise<PublisherAgent | undefined> =>
  rows.transaction(async (tx) => (await withDeployments(tx, await tx.em.find(tx.Agent, { id, deletedAt: null })))[0]);

/** A page of the workspace's agents, newest first. */
export function listPublisherAgents(
  rows: Rows,
  page: PageQuery,
): Promise<{ agents: PublisherAgent[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    const found = await readPage(tx, tx.Agent, { deletedAt: null }, page);
    return { agents: await withDeployments(tx, found.rows), hasMore: found.hasMore };
  });
}

async function withDeployments({ em, Deployment }: Bound, agents: AgentRow[]): Promise<PublisherAgent[]> {
  const shown = await em.find(
    Deployment,
    { agentId: agents.map(({ id }) => id), status: [...LIVE, ...SUBMITTED] },
    { orderBy: { createdAt: 'desc' } },
  );
  return agents.map((agent) => {
    const own = shown.filter(({ agentId }) => agentId === agent.id);
    const live = (visibility: string) =>
      own.find((item) => item.visibility === visibility && LIVE.includes(item.status) && isDefault(item)) ?? null;
    const publicDeployment = live('public');
    // The newest: refusals from before the public version's submission no longer matter.
    const submission = own.find(
      (item) => item.visibility === 'public' && (SUBMITTED.includes(item.status) || !isDefault(item)),
    );
    const isPast = submission && publicDeployment && submission.createdAt < publicDeployment.createdAt;
    return {
      ...agent,
      privateDeployment: live('private'),
      publicDeployment,
      publicSubmission: isPast ? null : (submission ?? null),
    };
  });
}

const LIVE: DeploymentRow['status'][] = ['active', 'suspended'];

// A version that is approved and rolled out is still a submission.
const isDefault = ({ rolloutState }: DeploymentRow) => rolloutState === null || rolloutState === 'complete';

/** A pending submission, or one with remarks for its publisher. */
const SUBMITTED: DeploymentRow['status'][] = ['in_review', 'changes_requested', 'rejected'];

/** The initial content of a draft. */
export const EMPTY_DRAFT: AgentConfiguration = {
  name: '',
  description: '',
  instructions: '',
  tools: [],
  plugins: [],
  pricing: { minimum_cost_usd: 0, maximum_cost_usd: 0, rates: [] },
  icon_file_id: null,
  categories: [],
  example_prompts: [],
};

type NewAgentOutcome =
  | { outcome: 'created'; agentId: string; agent: PublisherAgent }
  | { outcome: 'namespace_taken' }
  | { outcome: 'too_many_namespaces' }
  | { outcome: 'agent_exists' };

/**
 * Creates an agent with its first draft. A namespace belongs to the first workspace that uses it. With a given `agentId`, a retry after a
 * crash creates the same agent. It is read in the same transaction: after an error behind the commit, its own name would be taken.
 */
export function insertAgent(
  rows: Rows,
  agent: { agentId?: string; namespace: string; slug: string; draft: Partial<AgentConfiguration> },
): Promise<NewAgentOutcome> {
  const { slug, agentId = newId('agent') } = agent;
  const namespace = storedNamespace(agent.namespace, rows.workspaceId);
  return rows.transaction(async (tx) => {
    const { em, Agent, workspaceId } = tx;
    const refusal = await claimNamespace(tx, namespace);
    if (refusal) return { outcome: refusal };
    const draft = { ...EMPTY_DRAFT, ...agent.draft };
    await em
      .qb(Agent)
      .insert({ id: agentId, workspaceId, namespace, slug, draft })
      .onConflict()
      .ignore()
      .execute('run');
    const made = await findPublisherAgent(tx, agentId);
    return made ? { outcome: 'created', agentId, agent: made } : { outcome: 'agent_exists' };
  });
}

/** Why a namespace is not the workspace's, which it may have become. */
async function claimNamespace(
  { em, client, Namespace, Workspace, workspaceId }: Transaction,
  name: string,
): Promise<'namespace_taken' | 'too_many_namespaces' | undefined> {
  if ((await em.count(Namespace, { name })) === 1) return undefined;
  // Makes the count exact: other new namespaces of this workspace wait.
  await takeTurn(client, `namespaces of ${workspaceId}`);
  if ((await em.count(Namespace, { verified: false })) >= NAMESPACES_MAX) return 'too_many_namespaces';
  const { name: workspace } = await em.findOneOrFail(Workspace, { id: workspaceId });
  const providerName = isReservedProvider(workspace) ? shownNamespace(name) : workspace;
  await em.qb(Namespace).insert({ name, workspaceId, providerName }).onConflict('name').ignore().execute('run');
  return (await em.count(Namespace, { name })) === 1 ? undefined : 'namespace_taken';
}

type DraftOutcome =
  { outcome: 'changed'; agent: PublisherAgent } | { outcome: 'stale'; revision: number } | { outcome: 'not_found' };

/** Changes members of the draft if it is still at `revision`, and returns the agent as it is then. Each change increments the revision. */
export function updateDraft(
  rows: Rows,
  change: { agentId: string; revision: number; draft: Partial<AgentConfiguration> },
): Promise<DraftOutcome> {
  return rows.transaction(async (tx) => {
    const { em, Agent, sql } = tx;
    const agent = await lockAgent(tx, change.agentId);
    if (!agent) return { outcome: 'not_found' };
    if (agent.draftRevision !== change.revision) return { outcome: 'stale', revision: agent.draftRevision };
    const revision = agent.draftRevision + 1;
    const draft = sql`draft || ${JSON.stringify(change.draft)}::jsonb`;
    await em.nativeUpdate(Agent, { id: agent.id }, { draft, draftRevision: revision, updatedAt: sql.now() });
    return { outcome: 'changed', agent: (await findPublisherAgent(tx, agent.id))! };
  });
}

/** Reads an agent with its draft and deployments, and locks it until the transaction ends. */
export async function lockAgent({ em, Agent, LockMode }: AnyTransaction, id: string): Promise<AgentRow | undefined> {
  return (await em.findOne(Agent, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })) ?? undefined;
}

export type VersionRow = InferEntity<typeof AgentVersion>;

/** A version, and whether it was ever submitted for review. */
export type ListedVersion = VersionRow & { wasSubmitted: boolean };

/** A version of one of the workspace's agents, or undefined when it is unknown or another workspace's. */
export function findVersion(rows: Rows, id: string): Promise<ListedVersion | undefined> {
  return rows.transaction(async (tx) => {
    const found = await tx.em.find(tx.AgentVersion, { id, deletedAt: null });
    return (await withSubmission(tx, found))[0];
  });
}

async function withSubmission({ em, Deployment }: Bound, versions: VersionRow[]): Promise<ListedVersion[]> {
  if (versions.length === 0) return [];
  // One agent's, by its index.
  const [{ agentId }] = versions as [VersionRow];
  const made = await em.find(Deployment, { agentId, visibility: 'public' }, { fields: ['versionId'] });
  const submitted = new Set(made.map(({ versionId }) => versionId));
  return versions.map((version) => ({ ...version, wasSubmitted: submitted.has(version.id) }));
}

/** The versions of an agent, newest first: those below the number `before`, at most `limit`. Undefined when there is no such agent. */
export function readVersions(
  rows: Rows,
  { agentId, before, limit }: { agentId: string; before: number | null; limit: number },
): Promise<{ versions: ListedVersion[]; hasMore: boolean } | undefined> {
  return rows.transaction(async (tx) => {
    const { em, Agent, AgentVersion } = tx;
    if ((await em.count(Agent, { id: agentId, deletedAt: null })) === 0) return undefined;
    const isEarlier = before === null ? {} : { number: { $lt: before } };
    const found = await em.find(
      AgentVersion,
      { agentId, deletedAt: null, ...isEarlier },
      { orderBy: { number: 'desc' }, limit: limit + 1 },
    );
    return { versions: await withSubmission(tx, found.slice(0, limit)), hasMore: found.length > limit };
  });
}
