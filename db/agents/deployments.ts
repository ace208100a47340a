import type { InferEntity } from '@mikro-orm/core';
import type { PoolClient } from 'pg';
import { QUALITY_DAYS } from '../../base/limits.ts';
import type { DeploymentComment } from '../entities/agent.ts';
import { newId } from '../ids.ts';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inWorkspace } from '../postgres/tenant.ts';
import type { DeploymentRow } from './publisherAgents.ts';

type CommentRow = InferEntity<typeof DeploymentComment>;

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

/** Whose doing is written down: a key, and the request that it came with. */
export interface Actor {
  keyId: string;
  requestId: string;
}

/** Records an event of a deployment for its publisher, in the transaction that moves it. */
export async function recordDeploymentEvent(
  client: PoolClient,
  event: { workspaceId: string; type: string; deploymentId: string; status: string },
): Promise<void> {
  const data = { deployment_id: event.deploymentId, status: event.status };
  await client.query(
    `insert into platform_events (id, workspace_id, type, resource_type, resource_id, data) values ($1, $2, $3, 'agent.deployment', $4, $5)`,
    [newId('evt'), event.workspaceId, event.type, event.deploymentId, JSON.stringify(data)],
  );
}

/** Records in the audit who did something to a deployment, in the transaction that does it. */
export async function auditDeployment(
  client: PoolClient,
  { keyId, requestId }: Actor,
  entry: { workspaceId: string; action: string; deploymentId: string; detail: object },
): Promise<void> {
  await client.query(
    `insert into audit_entries (id, workspace_id, key_id, action, subject_type, subject_id, detail, request_id)
     values ($1, $2, $3, $4, 'agent.deployment', $5, $6, $7)`,
    [newId('aud'), entry.workspaceId, keyId, entry.action, entry.deploymentId, JSON.stringify(entry.detail), requestId],
  );
}

/** An agent's results in the last `QUALITY_DAYS`, from settled runs. Medians and rates are null without runs to take them from. */
interface AgentQuality {
  runs: number;
  completed: number;
  /** Completed among those that were not cancelled, 0 to 1. */
  completionRate: number | null;
  medianCostNanos: bigint | null;
  medianDurationSeconds: number | null;
  /** Refunded among those that were billed, 0 to 1. */
  refundRate: number | null;
}

/** The quality card of an agent, over all of its versions. */
export async function readAgentQuality(pool: Queryable, agentId: string): Promise<AgentQuality> {
  const { rows } = await pool.query(QUALITY, [agentId]);
  const { medianCostNanos, ...row } = rows[0];
  return { ...row, medianCostNanos: medianCostNanos === null ? null : BigInt(medianCostNanos) };
}

const QUALITY = `
with settled as (
  select r.*, exists (select from ledger_entries e where e.kind = 'refund' and e.subject = r.id) as refunded
  from runs r where r.agent_id = $1 and r.settled_at > now() - interval '${QUALITY_DAYS} days')
select count(*)::int as runs, count(*) filter (where status = 'completed')::int as completed,
  (count(*) filter (where status = 'completed'))::float8 / nullif(count(*) filter (where status <> 'cancelled'), 0) as "completionRate",
  percentile_disc(0.5) within group (order by total_nanos) filter (where status = 'completed') as "medianCostNanos",
  percentile_cont(0.5) within group (order by extract(epoch from completed_at - started_at)::float8) filter (where status = 'completed')
    as "medianDurationSeconds",
  (count(*) filter (where refunded))::float8 / nullif(count(*) filter (where total_nanos > 0), 0) as "refundRate"
from settled`;

/** What a reviewer, human or automatic, has to say about a configuration. `path` is a JSON pointer into it. */
export interface Feedback {
  source: 'automatic' | 'operator';
  severity: 'blocking' | 'advisory';
  code: string;
  path: string;
  message: string;
}

/** Feedback as it is kept. */
export type RecordedFeedback = Feedback & { id: string; created_at: string };

/** Gives feedback what it is kept with. */
export function withIds(feedback: Feedback[]): RecordedFeedback[] {
  return feedback.map((item) => ({ id: newId('rfb'), ...item, created_at: new Date().toISOString() }));
}
