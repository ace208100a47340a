import type { InferEntity } from '@mikro-orm/core';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { DeploymentComment } from '../entities/DeploymentComment.ts';
import { newId } from '../ids.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inWorkspace } from '../postgres/tenant.ts';
import type { RecordedFeedback } from './moveDeployment.ts';
import type { DeploymentRow } from './publisherAgents.ts';

export type CommentRow = InferEntity<typeof DeploymentComment>;

/** A deployment of one of the workspace's agents, or undefined when it is unknown or another's. */
export async function findDeployment(
  orm: LazyOrm,
  workspaceId: string,
  id: string,
): Promise<DeploymentRow | undefined> {
  return (
    (await inWorkspace(orm, workspaceId, (em, { Deployment }) => em.findOne(Deployment, { workspaceId, id }))) ??
    undefined
  );
}

/** What publisher and operators have said about a deployment, oldest first. */
export function listComments(orm: LazyOrm, workspaceId: string, deploymentId: string): Promise<CommentRow[]> {
  return inWorkspace(orm, workspaceId, (em, { DeploymentComment }) =>
    em.find(DeploymentComment, { workspaceId, deploymentId }, { orderBy: { createdAt: 'asc', id: 'asc' } }),
  );
}

/** Adds a comment, once for each id; an operator's is audited. False: there is no such deployment (of that workspace, when one is given). */
export async function addComment(
  pool: Queryable,
  comment: {
    id?: string;
    deploymentId: string;
    workspaceId: string | null;
    author: 'publisher' | { operatorKeyId: string; requestId: string };
    message: string;
  },
): Promise<boolean> {
  const { id = newId('cmt'), deploymentId, workspaceId, author, message } = comment;
  const operator = author === 'publisher' ? null : author;
  const said = [id, deploymentId, workspaceId, operator ? 'operator' : 'publisher', message];
  const audited = [newId('aud'), operator?.operatorKeyId, operator?.requestId];
  const { rows } = await pool.query(ADD_COMMENT, [...said, ...audited]);
  return rows.length > 0;
}

const ADD_COMMENT = `
with target as (select id, workspace_id from deployments where id = $2 and ($3::text is null or workspace_id = $3)),
added as (
  insert into deployment_comments (id, workspace_id, deployment_id, author, message)
  select $1, t.workspace_id, t.id, $4, $5 from target t on conflict do nothing returning *),
audited as (
  insert into audit_entries (id, workspace_id, key_id, action, subject_type, subject_id, request_id)
  select $6, a.workspace_id, $7, 'comment', 'agent.deployment', a.deployment_id, $8 from added a where $7::text is not null)
select id from target`;

/** The oldest reviews first: the queue as operators work through it. Those after the review `afterId`, and whether more follow. */
export async function listReviews(
  pool: Queryable,
  { status, afterId, limit }: { status: string; afterId: string | null; limit: number },
): Promise<{ reviews: ReviewRow[]; hasMore: boolean }> {
  const { rows } = await pool.query<ReviewRow>(REVIEWS, [status, limit + 1, afterId]);
  return { reviews: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** A submission as the review queue shows it. */
export interface ReviewRow {
  id: string;
  agentId: string;
  agent: string;
  agentName: string;
  publisher: string;
  versionId: string;
  versionNumber: number;
  status: string;
  reviewFeedback: RecordedFeedback[];
  createdAt: Date;
  decidedAt: Date | null;
}

const REVIEWS = `
select d.id, d.agent_id as "agentId", a.namespace || '/' || a.slug as agent, v.configuration ->> 'name' as "agentName", w.name as publisher,
  d.version_id as "versionId", v.number as "versionNumber", d.status, d.review_feedback as "reviewFeedback",
  d.created_at as "createdAt", d.decided_at as "decidedAt"
from deployments d join agents a on a.id = d.agent_id join agent_versions v on v.id = d.version_id join workspaces w on w.id = d.workspace_id
where d.visibility = 'public' and d.status = $1
  and ($3::text is null or (d.created_at, d.id) > (select created_at, id from deployments where id = $3))
order by d.created_at, d.id limit $2`;
