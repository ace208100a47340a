import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../postgres/transaction.ts';
import { auditDeployment, recordDeploymentEvent, type Actor, withIds, type Feedback } from './deployments.ts';
import { supersede } from './submit.ts';

/** The whole of what can happen to a deployment after it was submitted. Anything else is refused. */
const MOVES = {
  approve: { from: ['in_review'], to: 'active', event: 'deployment.approved' },
  request_changes: { from: ['in_review'], to: 'changes_requested', event: 'deployment.changes_requested' },
  reject: { from: ['in_review'], to: 'rejected', event: 'deployment.rejected' },
  withdraw: { from: ['in_review'], to: 'withdrawn', event: 'deployment.withdrawn' },
  suspend: { from: ['active'], to: 'suspended', event: 'deployment.suspended' },
  reinstate: { from: ['suspended'], to: 'active', event: 'deployment.reinstated' },
} as const;

export type DeploymentMove = keyof typeof MOVES;

export interface MoveOrder {
  deploymentId: string;
  move: DeploymentMove;
  feedback: Feedback[];
  /** The publisher may only touch what is theirs; an operator's doing is audited. */
  by: { publisher: string; requestId: string } | { operatorKeyId: string; requestId: string } | 'review';
}

export type MoveOutcome =
  { outcome: 'moved'; status: string } | { outcome: 'not_found' } | { outcome: 'wrong_state'; status: string };

/**
 * Moves a deployment: its state, what it takes the place of, the feedback, the event and the audit row in one transaction. A move that
 * comes too late changes nothing and is told the state; one that is made again, because nobody heard how it went, has moved it.
 */
export function moveDeployment(pool: Pool, order: MoveOrder): Promise<MoveOutcome> {
  const { from, to, event } = MOVES[order.move];
  const requestId = order.by === 'review' ? null : order.by.requestId;
  return inTransaction(pool, async (client): Promise<MoveOutcome> => {
    const row = await lock(client, order);
    if (!row) return { outcome: 'not_found' };
    if (requestId !== null && row.move_request_id === requestId) return { outcome: 'moved', status: row.status };
    // Reinstated after another version took its place, it may be public again, and is not yet.
    const isPast = order.move === 'reinstate' && row.status === 'superseded' && row.suspended_at !== null;
    if (!isPast && !(from as readonly string[]).includes(row.status))
      return { outcome: 'wrong_state', status: row.status };
    if (order.move === 'approve') await supersede(client, row.agent_id, 'public');
    const status = isPast ? row.status : to;
    await client.query(MOVE, [
      order.deploymentId,
      status,
      JSON.stringify(withIds(order.feedback)),
      requestId,
      order.move,
    ]);
    const { deploymentId } = order;
    await recordDeploymentEvent(client, { workspaceId: row.workspace_id, type: event, deploymentId, status });
    await audit(client, order, row.workspace_id);
    return { outcome: 'moved', status };
  });
}

const MOVE = `
update deployments set status = $2, review_feedback = review_feedback || $3,
  activated_at = case when $2 = 'active' then coalesce(activated_at, now()) else activated_at end,
  decided_at = coalesce(decided_at, now()), move_request_id = $4,
  suspended_at = case $5 when 'suspend' then now() when 'reinstate' then null else suspended_at end
where id = $1`;

interface Locked {
  agent_id: string;
  workspace_id: string;
  status: string;
  move_request_id: string | null;
  suspended_at: Date | null;
}

// The agent first: concurrent changes of its live versions wait here.
async function lock(client: PoolClient, { deploymentId, by }: MoveOrder): Promise<Locked | undefined> {
  const owner = typeof by === 'object' && 'publisher' in by ? by.publisher : null;
  await client.query(
    `select from agents where id = (select agent_id from deployments where id = $1 and ($2::text is null or workspace_id = $2)) for update`,
    [deploymentId, owner],
  );
  const { rows } = await client.query<Locked>(
    `select agent_id, workspace_id, status, move_request_id, suspended_at from deployments where id = $1 and ($2::text is null or workspace_id = $2)`,
    [deploymentId, owner],
  );
  return rows[0];
}

async function audit(client: PoolClient, { by, move, deploymentId, feedback }: MoveOrder, workspaceId: string) {
  if (typeof by === 'string' || !('operatorKeyId' in by)) return;
  const doer = { keyId: by.operatorKeyId, requestId: by.requestId };
  await auditDeployment(client, doer, { workspaceId, action: move, deploymentId, detail: { feedback } });
}

type RollbackOutcome =
  | { outcome: 'deployed'; deploymentId: string }
  | { outcome: 'not_found' | 'not_approved' | 'version_suspended' | 'agent_suspended' };

/**
 * Deploys a version again that was public once: a new deployment, live at once, since it has been approved before. What it takes the place
 * of, the event and the audit row are of the same transaction.
 */
export function rollBack(
  pool: Pool,
  order: { agentId: string; workspaceId: string; versionId: string; deploymentId: string; by: Actor },
): Promise<RollbackOutcome> {
  const { agentId, workspaceId, versionId, deploymentId, by } = order;
  return inTransaction(pool, async (client): Promise<RollbackOutcome> => {
    const { rowCount } = await client.query(`select from agents where id = $1 and workspace_id = $2 for update`, [
      agentId,
      workspaceId,
    ]);
    if (!rowCount) return { outcome: 'not_found' };
    const made = await client.query(`select from deployments where id = $1`, [deploymentId]);
    if (made.rowCount) return { outcome: 'deployed', deploymentId };
    const refusal = await refusalOf(client, { agentId, versionId });
    if (refusal) return { outcome: refusal };
    await supersede(client, agentId, 'public');
    await client.query(
      `insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
       values ($1, $2, $3, $4, 'public', 'active', now(), now())`,
      [deploymentId, workspaceId, agentId, versionId],
    );
    await recordDeploymentEvent(client, {
      workspaceId,
      type: 'deployment.rolled_back',
      deploymentId,
      status: 'active',
    });
    await auditDeployment(client, by, { workspaceId, action: 'roll_back', deploymentId, detail: { versionId } });
    return { outcome: 'deployed', deploymentId };
  });
}

// What an operator has suspended is not brought back by its publisher, nor by way of another version that was approved since.
async function refusalOf(client: PoolClient, { agentId, versionId }: { agentId: string; versionId: string }) {
  const { rows } = await client.query(STANDING, [agentId, versionId]);
  const { is_version_suspended, is_agent_suspended, is_approved } = rows[0];
  if (is_version_suspended) return 'version_suspended';
  if (is_agent_suspended) return 'agent_suspended';
  return is_approved ? undefined : 'not_approved';
}

const STANDING = `
select coalesce(bool_or(version_id = $2 and suspended_at is not null), false) as is_version_suspended,
  coalesce(bool_or(status = 'suspended'), false) as is_agent_suspended,
  coalesce(bool_or(version_id = $2 and status in ('active', 'superseded')), false) as is_approved
from deployments where agent_id = $1 and visibility = 'public'`;
