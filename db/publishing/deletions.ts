import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { EMPTY_DRAFT, lockAgent } from './publisherAgents.ts';

export type AgentDeletion = 'deleted' | 'not_found' | 'published' | 'in_review';

/**
 * Deletes an agent that was never public, audited: its draft is emptied and its name is free again. Its versions stay for the bills of its
 * private runs and tests.
 */
export function deleteAgent(rows: Rows, { agentId, by }: { agentId: string; by: Actor }): Promise<AgentDeletion> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const { em, sql, Agent, AgentChannel, Deployment } = tx;
    const agent = await lockAgent(tx, agentId);
    if (!agent) return 'not_found';
    if (await wasPublic(tx, { agentId })) return 'published';
    if ((await em.count(Deployment, { agentId, status: 'in_review' })) > 0) return 'in_review';
    const { namespace, slug } = agent;
    await em.nativeUpdate(
      Agent,
      { id: agentId },
      { deletedAt: sql.now(), slug: `${slug}~${agentId}`, draft: EMPTY_DRAFT, updatedAt: sql.now() },
    );
    await em.nativeUpdate(AgentChannel, { agentId }, { removedAt: sql.now() });
    const detail = { agent: `${namespace}/${slug}` };
    await audit(tx, by, { workspaceId, action: 'delete_agent', subjectType: 'agent', subjectId: agentId, detail });
    return 'deleted';
  });
}

export type VersionDeletion = 'deleted' | 'not_found' | 'submitted' | 'in_use';

/** Deletes a version that was never submitted, audited: nobody can order it, and it leaves the list. Runs that used it keep it. */
export function deleteVersion(
  rows: Rows,
  { versionId, by }: { versionId: string; by: Actor },
): Promise<VersionDeletion> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const { em, sql, AgentVersion, AgentChannel, Deployment } = tx;
    const found = await em.findOne(AgentVersion, { id: versionId, deletedAt: null });
    if (!found || !(await lockAgent(tx, found.agentId))) return 'not_found';
    const { agentId, number, label } = found;
    if ((await em.count(Deployment, { versionId, visibility: 'public' })) > 0) return 'submitted';
    const isLive = (await em.count(Deployment, { versionId, status: ['active', 'suspended'] })) > 0;
    const named = { agentId, removedAt: null, $or: [{ versionId }, { nextVersionId: versionId }] };
    if (isLive || (await em.count(AgentChannel, named)) > 0) return 'in_use';
    await em.nativeUpdate(AgentVersion, { id: versionId }, { deletedAt: sql.now() });
    const detail = { version_id: versionId, version: label, version_number: number };
    await audit(tx, by, { workspaceId, action: 'delete_version', subjectType: 'agent', subjectId: agentId, detail });
    return 'deleted';
  });
}

const wasPublic = async ({ em, Deployment }: AnyTransaction, of: { agentId: string }): Promise<boolean> =>
  (await em.count(Deployment, { ...of, visibility: 'public', activatedAt: { $ne: null } })) > 0;
