import type { InferEntity } from '@mikro-orm/core';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { Agent, Deployment } from '../entities/agent.ts';
import { inWorkspace, type Entities, type EntityManager } from '../postgres/tenant.ts';
import type { AgentConfiguration } from './configuration.ts';

export type DeploymentRow = InferEntity<typeof Deployment>;

/** An agent as its publisher sees it, with what is deployed of it and what waits for its review. */
export interface PublisherAgent {
  id: string;
  namespace: string;
  slug: string;
  draftRevision: number;
  draft: AgentConfiguration;
  privateDeployment: DeploymentRow | null;
  publicDeployment: DeploymentRow | null;
  publicSubmission: DeploymentRow | null;
  createdAt: Date;
  updatedAt: Date;
}

/** One agent of the workspace, or undefined when it is unknown or another's. */
export function findPublisherAgent(orm: LazyOrm, workspaceId: string, id: string): Promise<PublisherAgent | undefined> {
  return inWorkspace(orm, workspaceId, async (em, entities) => {
    const rows = await em.find(entities.Agent, { workspaceId, id });
    return (await withDeployments(em, entities, rows))[0];
  });
}

/** The workspace's agents, newest first: those after the agent `after`, at most `limit`, and whether more follow. */
export function listPublisherAgents(
  orm: LazyOrm,
  { workspaceId, after, limit }: { workspaceId: string; after: string | null; limit: number },
): Promise<{ agents: PublisherAgent[]; hasMore: boolean }> {
  return inWorkspace(orm, workspaceId, async (em, entities) => {
    const found = await em.execute<{ id: string }[]>(PAGE, [workspaceId, after, after, limit + 1]);
    const ids = found.slice(0, limit).map(({ id }) => id);
    const rows = await em.find(
      entities.Agent,
      { workspaceId, id: ids },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
    return { agents: await withDeployments(em, entities, rows), hasMore: found.length > limit };
  });
}

// Compared within the database: its times are finer than what a cursor could carry.
const PAGE = `
select id from agents where workspace_id = ?
  and (?::text is null or (created_at, id) < (select created_at, id from agents where id = ?))
order by created_at desc, id desc limit ?`;

const SHOWN = ['active', 'suspended', 'in_review'];

async function withDeployments(
  em: EntityManager,
  { Deployment }: Entities,
  rows: InferEntity<typeof Agent>[],
): Promise<PublisherAgent[]> {
  const agentIds = rows.map(({ id }) => id);
  const deployments = await em.find(Deployment, { agentId: agentIds, status: SHOWN });
  return rows.map((row) => {
    const own = deployments.filter(({ agentId }) => agentId === row.id);
    const live = (visibility: string) =>
      own.find((item) => item.visibility === visibility && item.status !== 'in_review') ?? null;
    return {
      id: row.id,
      namespace: row.namespace,
      slug: row.slug,
      draftRevision: row.draftRevision,
      draft: row.draft as AgentConfiguration,
      privateDeployment: live('private'),
      publicDeployment: live('public'),
      publicSubmission: own.find(({ status }) => status === 'in_review') ?? null,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    };
  });
}
