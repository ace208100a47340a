import { SUBMISSION_HOURS } from '../../base/limits.ts';
import { newId } from '../ids.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import {
  checkConfiguration,
  costFindings,
  type Finding,
  type Known,
  type AgentConfiguration,
  type PlatformCosts,
} from './configuration.ts';
import type { DeploymentRow } from './deployments.ts';
import { lockAgent, type AgentRow } from './publisherAgents.ts';

export type SubmitOutcome =
  | { outcome: 'submitted'; deploymentId: string }
  | { outcome: 'not_found' }
  | { outcome: 'stale'; revision: number }
  | { outcome: 'in_review' }
  | { outcome: 'too_many' }
  | { outcome: 'incomplete'; findings: Finding[] };

interface Order {
  agentId: string;
  /** The draft revision that the publisher has seen; null takes the present one. */
  revision: number | null;
  visibility: 'public' | 'private';
  tools: ReadonlySet<string>;
  platformCosts: PlatformCosts;
  /** How many submissions for review a namespace may make in `SUBMISSION_HOURS`. */
  submissionsPerDayMax: number;
  /** Given by the caller, so that a retry after a crash creates the same deployment. */
  deploymentId: string;
}

/**
 * Freezes the draft into a new version and deploys it: privately at once (in place of the former), publicly after a review, of which
 * an agent has one at a time. What is live stays live. The caller starts the review's workflow.
 */
export function submitDraft(rows: Rows, order: Order): Promise<SubmitOutcome> {
  return rows.transaction(async (tx): Promise<SubmitOutcome> => {
    const agent = await lockAgent(tx, order.agentId);
    if (!agent) return { outcome: 'not_found' };
    if (await isDeployed(tx, order.deploymentId)) return { outcome: 'submitted', deploymentId: order.deploymentId };
    if (order.revision !== null && agent.draftRevision !== order.revision)
      return { outcome: 'stale', revision: agent.draftRevision };
    const isPublic = order.visibility === 'public';
    if (isPublic && (await isInReview(tx, agent.id))) return { outcome: 'in_review' };
    const findings = checkConfiguration(agent.draft, await readKnown(tx, order.tools, agent.draft));
    if (findings.length === 0 && agent.subsidisedAt === null)
      findings.push(...costFindings(agent.draft, order.platformCosts));
    if (findings.length > 0) return { outcome: 'incomplete', findings };
    if (isPublic && (await isTooMany(tx, agent, order.submissionsPerDayMax))) return { outcome: 'too_many' };
    const { id: agentId, workspaceId } = agent;
    const { deploymentId, visibility } = order;
    await deploy(tx, { deploymentId, workspaceId, agentId, versionId: await freeze(tx, agent), visibility });
    return { outcome: 'submitted', deploymentId };
  });
}

/** Whether there is a deployment with this id: an earlier try of the same request has made it. */
export const isDeployed = async ({ em, Deployment }: AnyTransaction, id: string): Promise<boolean> =>
  (await em.count(Deployment, { id })) === 1;

const isInReview = async ({ em, Deployment }: AnyTransaction, agentId: string): Promise<boolean> =>
  (await em.count(Deployment, { agentId, status: 'in_review' })) === 1;

// The namespace is locked, so that two of its agents do not both take the last one. A rollback needs no review, and is none.
async function isTooMany(
  { em, Agent, Deployment, Namespace, LockMode, sql }: AnyTransaction,
  { namespace }: AgentRow,
  submissionsPerDayMax: number,
): Promise<boolean> {
  await em.findOne(Namespace, { name: namespace }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const agents = await em.find(Agent, { namespace });
  const submissions = await em.count(Deployment, {
    agentId: agents.map(({ id }) => id),
    visibility: 'public',
    createdAt: { $gt: sql`now() - make_interval(hours => ${SUBMISSION_HOURS})` },
    [sql`decided_at is distinct from created_at`]: [],
  });
  return submissions >= submissionsPerDayMax;
}

/** What the workspace's configurations may name: tools, plugins that are registered, and the icon when it is theirs. */
export async function readKnown(
  { em, File, Plugin }: AnyTransaction,
  tools: ReadonlySet<string>,
  draft: Partial<AgentConfiguration>,
): Promise<Known> {
  const plugins = await em.find(Plugin, { disabledAt: null });
  const icons = await em.find(File, { id: draft.icon_file_id ?? '', purpose: 'agent_icon', deletedAt: null });
  return {
    tools,
    plugins: new Set(plugins.map(({ id, version }) => `${id}@${version}`)),
    iconFileIds: new Set(icons.map(({ id }) => id)),
  };
}

/** Freezes a locked agent's draft into its next version. Returns the version's id. */
export async function freeze({ em, AgentVersion }: AnyTransaction, agent: AgentRow): Promise<string> {
  const id = newId('aver');
  const { id: agentId, workspaceId, draftRevision: sourceRevision, draft: configuration } = agent;
  // The label is the day, with a number from its second version on. The agent's row is locked, so the count is exact.
  const versions = await em.find(AgentVersion, { agentId }, { fields: ['label'] });
  const { day } = await em.execute<{ day: string }>(
    `select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as day`,
    [],
    'get',
  );
  const today = versions.filter(({ label }) => label.startsWith(day)).length;
  const label = today === 0 ? day : `${day}.${today + 1}`;
  const number = versions.length + 1;
  await em.insert(AgentVersion, { id, workspaceId, agentId, number, label, sourceRevision, configuration });
  return id;
}

/** Deploys a version: privately, or publicly when it was approved before, live at once; else publicly after its review. */
export async function deploy(
  tx: AnyTransaction,
  deployment: Pick<DeploymentRow, 'workspaceId' | 'agentId' | 'versionId' | 'visibility'> & {
    deploymentId: string;
    isApproved?: boolean;
  },
): Promise<void> {
  const { em, Deployment, sql } = tx;
  const { deploymentId: id, isApproved = deployment.visibility === 'private', ...row } = deployment;
  if (isApproved) await supersede(tx, row.agentId, row.visibility);
  const decidedAt = isApproved ? sql.now() : null;
  const status = isApproved ? 'active' : 'in_review';
  await em.insert(Deployment, { id, ...row, status, activatedAt: decidedAt, decidedAt });
}

/** Ends the life of what is deployed now, for the next one to take its place. Runs on it go on. */
export async function supersede(
  { em, Deployment }: AnyTransaction,
  agentId: string,
  visibility: 'public' | 'private',
): Promise<void> {
  await em.nativeUpdate(Deployment, { agentId, visibility, status: ['active', 'suspended'] }, { status: 'superseded' });
}
