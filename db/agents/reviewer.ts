import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { findKeyState } from '../keys/keyState.ts';
import { createKey } from '../keys/keyStore.ts';
import type { Ledger, Spender } from '../ledger.ts';
import { findPlatformWorkspaceId } from '../workspaces.ts';
import type { AnyRows } from '../postgres/rows.ts';
import type { AgentConfiguration } from './configuration.ts';
import type { ReviewRow } from './deployments.ts';

const KEY_NAME = 'review trials';

/** Creates the key of the platform's own workspace that trials of a review run with. Its secret is not kept. */
export async function createReviewerKey(rows: AnyRows, workspaceId: string): Promise<void> {
  await createKey(rows, { workspaceId, name: KEY_NAME, scopes: ['agents'] });
}

/** Who runs, and pays for, the trials of reviews: the workspace of the agents that come with the platform. */
export async function findReviewer(rows: AnyRows): Promise<Spender> {
  const workspaceId = await findPlatformWorkspaceId(rows);
  const isReviewers = { workspaceId: workspaceId ?? '', name: KEY_NAME, revokedAt: null };
  const key = await rows.statement(({ em, ApiKey }) =>
    em.findOne(ApiKey, isReviewers, { orderBy: { createdAt: 'asc' } }),
  );
  if (workspaceId === undefined || !key)
    throw new Error('the platform has no workspace to review with: run the bootstrap');
  return { workspaceId, accountId: key.accountId, keyId: key.id };
}

/** Moves the cost of a trial to its account, from the platform's adjustments, unless calls and runs leave that much free. */
export async function fundTrial(
  { pool, ledger }: { pool: Pool; ledger: Pick<Ledger, 'transfer'> },
  { reviewer, amountNanos }: { reviewer: Spender; amountNanos: bigint },
): Promise<void> {
  if ((await findKeyState(pool, reviewer.keyId)).availableNanos >= amountNanos) return;
  const { workspaceId } = reviewer;
  await ledger.transfer({
    kind: 'adjustment',
    subject: newId('adj'),
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos,
  });
}

/** A submission with all that an operator looks at before deciding. */
export interface Review extends ReviewRow {
  workspaceId: string;
  configuration: AgentConfiguration;
  /** What is public now, to compare with; null for an agent's first submission. */
  liveConfiguration: AgentConfiguration | null;
  comments: { author: string; message: string; created_at: string }[];
  audit: { action: string; key_id: string; request_id: string; created_at: string }[];
}

/** A submission of any workspace by its deployment's id: for operators. */
export async function readReview(rows: AnyRows, deploymentId: string): Promise<Review | undefined> {
  return (await rows.statement(({ client }) => client.query<Review>(REVIEW, [deploymentId]))).rows[0];
}

// Raw: the ORM joins no tables whose entities name each other by id alone.
const REVIEW = `
select d.id, d.workspace_id as "workspaceId", d.agent_id as "agentId", a.namespace || '/' || a.slug as agent, v.configuration ->> 'name' as "agentName", w.name as publisher,
  d.version_id as "versionId", v.number as "versionNumber", d.status, d.review_feedback as "reviewFeedback",
  d.created_at as "createdAt", d.decided_at as "decidedAt", v.configuration,
  (select l.configuration from deployments p join agent_versions l on l.id = p.version_id
    where p.agent_id = d.agent_id and p.visibility = 'public' and p.status = 'active' and p.id <> d.id) as "liveConfiguration",
  coalesce((select json_agg(json_build_object('author', c.author, 'message', c.message, 'created_at', c.created_at) order by c.created_at, c.id)
    from deployment_comments c where c.deployment_id = d.id), '[]') as comments,
  coalesce((select json_agg(json_build_object('action', u.action, 'key_id', u.key_id, 'request_id', u.request_id, 'created_at', u.created_at)
    order by u.created_at, u.id) from audit_entries u where u.subject_id = d.id), '[]') as audit
from deployments d join agents a on a.id = d.agent_id join agent_versions v on v.id = d.version_id join workspaces w on w.id = d.workspace_id
where d.id = $1 and d.visibility = 'public'`;
