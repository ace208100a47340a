import { SUBMISSION_HOURS } from '../../base/limits.ts';
import type { TestReview } from '../entities/agent.ts';
import { newId } from '../ids.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { takeTurn } from '../postgres/transaction.ts';
import {
  checkConfiguration,
  costFindings,
  type Finding,
  type Known,
  type AgentConfiguration,
} from '../agents/configuration.ts';
import type { AgentModels } from '../agents/agentModels.ts';
import { findDeployment, type DeploymentRow } from '../agents/deployments.ts';
import { lockAgent, type AgentRow } from './publisherAgents.ts';

export type SubmitOutcome =
  | { outcome: 'submitted'; deployment: DeploymentRow }
  | { outcome: 'not_found' }
  | { outcome: 'stale'; revision: number }
  | { outcome: 'in_review' }
  | { outcome: 'too_many' }
  | { outcome: 'incomplete'; findings: Finding[] };

interface Order {
  agentId: string;
  /** The expected draft revision; null for the current one. */
  revision: number | null;
  visibility: 'public' | 'private';
  tools: ReadonlySet<string>;
  models: AgentModels;
  /** HTTP tools may be on this machine: for development. */
  toolLoopback?: boolean;
  /** How many submissions for review a workspace may make in `SUBMISSION_HOURS`. */
  submissionsPerDayMax: number;
  /** Chosen by the caller, so that a retry after a crash creates the same deployment. */
  deploymentId: string;
  /** How its review ends in a test workspace; null: an operator decides. */
  testReview?: TestReview | null;
}

/**
 * Freezes the draft into a new version and deploys it: privately at once, replacing the previous one, or publicly after a review; an
 * agent has one review at a time. The live version stays live. The caller starts the review's workflow.
 */
export function submitDraft(rows: Rows, order: Order): Promise<SubmitOutcome> {
  return rows.transaction(async (tx): Promise<SubmitOutcome> => {
    const agent = await lockAgent(tx, order.agentId);
    if (!agent) return { outcome: 'not_found' };
    const earlier = await findDeployment(tx, order.deploymentId);
    if (earlier) return { outcome: 'submitted', deployment: earlier };
    if (order.revision !== null && agent.draftRevision !== order.revision)
      return { outcome: 'stale', revision: agent.draftRevision };
    const isPublic = order.visibility === 'public';
    if (isPublic && (await isInReview(tx, agent.id))) return { outcome: 'in_review' };
    const findings = checkConfiguration(agent.draft, await readKnown(tx, order, agent.draft, agent.id));
    if (findings.length === 0 && agent.subsidisedAt === null)
      findings.push(...costFindings(agent.draft, order.models.costsOf(agent.draft)));
    if (findings.length > 0) return { outcome: 'incomplete', findings };
    if (isPublic && (await isTooMany(tx, agent.workspaceId, order.submissionsPerDayMax)))
      return { outcome: 'too_many' };
    const { id: agentId, workspaceId } = agent;
    const { deploymentId, visibility, testReview = null } = order;
    const versionId = await freeze(tx, agent);
    await deploy(tx, { deploymentId, workspaceId, agentId, versionId, visibility, testReview });
    return { outcome: 'submitted', deployment: (await findDeployment(tx, deploymentId))! };
  });
}

const isInReview = async ({ em, Deployment }: AnyTransaction, agentId: string): Promise<boolean> =>
  (await em.count(Deployment, { agentId, status: 'in_review' })) === 1;

// Makes the count exact: other submissions of this workspace wait. A rollback needs no review and does not count.
async function isTooMany(
  { em, client, Deployment, sql }: AnyTransaction,
  workspaceId: string,
  submissionsPerDayMax: number,
): Promise<boolean> {
  await takeTurn(client, `submissions of ${workspaceId}`);
  const submissions = await em.count(Deployment, {
    workspaceId,
    visibility: 'public',
    createdAt: { $gt: sql`now() - make_interval(hours => ${SUBMISSION_HOURS})` },
    [sql`decided_at is distinct from created_at`]: [],
  });
  return submissions >= submissionsPerDayMax;
}

/** Everything the workspace's configurations may refer to: tools, registered plugins, and its own icon. */
export async function readKnown(
  { em, AgentToolSecret, File, Plugin }: AnyTransaction,
  { tools, models, toolLoopback: loopback = false }: Pick<Order, 'tools' | 'models' | 'toolLoopback'>,
  draft: Partial<AgentConfiguration>,
  agentId: string,
): Promise<Known> {
  const plugins = await em.find(Plugin, { disabledAt: null });
  const icons = await em.find(File, { id: draft.icon_file_id ?? '', purpose: 'agent_icon', deletedAt: null });
  return {
    tools,
    models: new Set(models.choices.map(({ id }) => id)),
    plugins: new Set(plugins.map(({ id, version }) => `${id}@${version}`)),
    iconFileIds: new Set(icons.map(({ id }) => id)),
    ...(draft.http_tools?.length && {
      httpTools: { isSigned: (await em.count(AgentToolSecret, { agentId })) === 1, loopback },
    }),
  };
}

/** Freezes a locked agent's draft into its next version. Returns the version's id. */
export async function freeze({ em, AgentVersion }: AnyTransaction, agent: AgentRow): Promise<string> {
  const id = newId('aver');
  const { id: agentId, workspaceId, draftRevision: sourceRevision, draft: configuration } = agent;
  // The label is the day, with a number from the day's second version on. The agent's row is locked, so the count is exact.
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

/** Deploys a version: privately, publicly at once when it was approved before, or publicly after its review. */
export async function deploy(
  tx: AnyTransaction,
  deployment: Pick<DeploymentRow, 'workspaceId' | 'agentId' | 'versionId' | 'visibility'> & {
    deploymentId: string;
    isApproved?: boolean;
    testReview?: TestReview | null;
  },
): Promise<void> {
  const { em, Deployment, sql } = tx;
  const { deploymentId: id, isApproved = deployment.visibility === 'private', ...row } = deployment;
  if (isApproved) await supersede(tx, row.agentId, row.visibility);
  const decidedAt = isApproved ? sql.now() : null;
  const status = isApproved ? 'active' : 'in_review';
  await em.insert(Deployment, { id, ...row, status, activatedAt: decidedAt, decidedAt });
}

/** Ends the current deployment for its successor. Its runs continue. */
export async function supersede(
  { em, Deployment }: AnyTransaction,
  agentId: string,
  visibility: 'public' | 'private',
  exceptId = '',
): Promise<void> {
  const isLive = { agentId, visibility, status: ['active' as const, 'suspended' as const] };
  await em.nativeUpdate(Deployment, { ...isLive, id: { $ne: exceptId } }, { status: 'superseded' });
}
