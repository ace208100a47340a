import { newId } from '../../ids.ts';
import { findKeyState } from '../../keys/keyState.ts';
import { createKey } from '../../keys/keyStore.ts';
import type { Spender } from '../../ledger/ledger.ts';
import { postTransfer } from '../../ledger/balance.ts';
import { findPlatformWorkspaceId } from '../../workspaces/workspaces.ts';
import type { Queryable } from '../../postgres/queryable.ts';
import type { AnyRows } from '../../postgres/rows.ts';
import { isLiveSql } from '../../workspaces/mode.ts';
import type { AgentConfiguration } from '../../agents/configuration.ts';
import type { Actor } from '../../workspaces/audit.ts';
import {
  auditDeployment,
  REVIEW_COLUMNS,
  REVIEW_TABLES,
  type ReviewRow,
  type RolloutFacts,
} from '../../agents/deployments.ts';

const KEY_NAME = 'review trials';

/** Creates the key that runs the trials of reviews, in the platform's own workspace. Its secret is not stored. */
export async function createReviewerKey(rows: AnyRows, workspaceId: string): Promise<void> {
  await createKey(rows, { workspaceId, name: KEY_NAME, scopes: ['agents'] });
}

/** The workspace that runs and pays for the trials of reviews: the platform's own. */
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

/** Moves the cost of a trial from the platform's adjustments to its account, unless enough is free there. */
export async function fundTrial(
  client: Queryable,
  { reviewer, amountNanos }: { reviewer: Spender; amountNanos: bigint },
): Promise<void> {
  if ((await findKeyState(client, reviewer.keyId)).availableNanos >= amountNanos) return;
  const { workspaceId } = reviewer;
  await postTransfer(client, {
    kind: 'adjustment',
    subject: newId('adj'),
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos,
  });
}

interface ReviewAudit {
  action: string;
  key_id: string | null;
  user_id: string | null;
  /** The name of the person, else of the key. */
  by: string | null;
  request_id: string;
  created_at: string;
}

/** A submission with everything an operator examines before deciding. */
export interface Review extends ReviewRow, RolloutFacts {
  workspaceId: string;
  configuration: AgentConfiguration;
  /** The public version, for comparison; null for an agent's first submission. */
  liveConfiguration: AgentConfiguration | null;
  comments: { author: string; message: string; created_at: string }[];
  audit: ReviewAudit[];
}

/** A submission of any live workspace by its deployment's id: for operators. */
export async function readReview(rows: AnyRows, deploymentId: string): Promise<Review | undefined> {
  return (await rows.statement(({ client }) => client.query<Review>(REVIEW, [deploymentId]))).rows[0];
}

const READ_SUBMISSION = 'read_submission';

/** Records that an operator has viewed a customer's submission. */
export const noteSight = (
  rows: AnyRows,
  by: Actor,
  { id, workspaceId }: Pick<Review, 'id' | 'workspaceId'>,
): Promise<void> =>
  rows.transaction((tx) =>
    auditDeployment(tx, by, { workspaceId, action: READ_SUBMISSION, deploymentId: id, detail: {} }),
  );

// Raw: the ORM cannot join tables whose entities refer to each other only by id.
const REVIEW = `
select ${REVIEW_COLUMNS}, d.workspace_id as "workspaceId", d.rollout_percentage as "rolloutPercentage",
  d.rollout_started_at as "rolloutStartedAt", d.rollout_steps as "rolloutSteps", d.rollout_reason as "rolloutReason", v.configuration,
  (select l.configuration from deployments p join agent_versions l on l.id = p.version_id
    where p.agent_id = d.agent_id and p.visibility = 'public' and p.status = 'active' and coalesce(p.rollout_state, 'complete') = 'complete' and p.id <> d.id) as "liveConfiguration",
  coalesce((select json_agg(json_build_object('author', c.author, 'message', c.message, 'created_at', c.created_at) order by c.created_at, c.id)
    from deployment_comments c where c.deployment_id = d.id), '[]') as comments,
  coalesce((select json_agg(json_build_object('action', u.action, 'key_id', u.key_id, 'user_id', u.user_id, 'by', coalesce(p.name, k.name), 'request_id', u.request_id, 'created_at', u.created_at)
    order by u.created_at, u.id) from audit_entries u left join users p on p.id = u.user_id left join api_keys k on k.id = u.key_id where u.subject_id = d.id and u.action <> '${READ_SUBMISSION}'), '[]') as audit
from ${REVIEW_TABLES}
where d.id = $1 and d.visibility = 'public' and ${isLiveSql('d.workspace_id')}`;
