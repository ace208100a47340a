import { newId } from '../ids.ts';
import { createKey } from '../keys/keyStore.ts';
import type { Ledger, Spender } from '../ledger.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { AgentConfiguration } from './configuration.ts';
import type { ReviewRow } from './deployments.ts';

const KEY_NAME = 'review trials';

/** Creates the key of the platform's own workspace that trials of a review run with. Its secret is not kept. */
export async function createReviewerKey(client: Queryable, workspaceId: string): Promise<void> {
  await createKey(client, { workspaceId, name: KEY_NAME, scopes: ['agents'] });
}

/** Who runs, and pays for, the trials of reviews: the workspace of the agents that come with the platform. */
export async function findReviewer(pool: Queryable): Promise<Spender> {
  const { rows } = await pool.query<Spender>(REVIEWER, [KEY_NAME]);
  if (!rows[0]) throw new Error('the platform has no workspace to review with: run the bootstrap');
  return rows[0];
}

const REVIEWER = `
select k.workspace_id as "workspaceId", k.account_id as "accountId", k.id as "keyId"
from namespaces n join api_keys k on k.workspace_id = n.workspace_id
where n.name = 'ledgerline' and k.name = $1 and k.revoked_at is null order by k.created_at limit 1`;

/** Sees to it that a trial can be paid: what its account lacks is moved there from the platform's adjustments. */
export async function fundTrial(
  { pool, ledger }: { pool: Queryable; ledger: Pick<Ledger, 'transfer'> },
  { reviewer, amountNanos }: { reviewer: Spender; amountNanos: bigint },
): Promise<void> {
  const { rows } = await pool.query(`select (ledger_room($1)).available`, [reviewer.keyId]);
  if (BigInt(rows[0].available) >= amountNanos) return;
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
export async function readReview(pool: Queryable, deploymentId: string): Promise<Review | undefined> {
  const { rows } = await pool.query<Review>(REVIEW, [deploymentId]);
  return rows[0];
}

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
