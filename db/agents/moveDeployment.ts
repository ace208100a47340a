import type { AnyRows, AnyTransaction, Rows } from '../postgres/rows.ts';
import {
  auditDeployment,
  recordDeploymentEvent,
  type Actor,
  type DeploymentRow,
  withIds,
  type Feedback,
} from './deployments.ts';
import { lockAgent } from './publisherAgents.ts';
import { deploy, isDeployed, supersede } from './submit.ts';

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
  /** An operator's move is audited. */
  by: { publisher: string; requestId: string } | { operatorKeyId: string; requestId: string } | 'review';
}

export type MoveOutcome =
  { outcome: 'moved'; status: string } | { outcome: 'not_found' } | { outcome: 'wrong_state'; status: string };

/**
 * Moves a deployment: its state, what it takes the place of, the feedback, the event and the audit row in one transaction. A move that
 * comes too late changes nothing and returns the state; one that is repeated, because its answer was lost, has moved it.
 */
export function moveDeployment(rows: AnyRows, order: MoveOrder): Promise<MoveOutcome> {
  const { from, to, event } = MOVES[order.move];
  const { deploymentId, move, by, feedback } = order;
  const requestId = by === 'review' ? null : by.requestId;
  return rows.transaction(async (tx): Promise<MoveOutcome> => {
    const deployment = await lock(tx, order);
    if (!deployment) return { outcome: 'not_found' };
    const { workspaceId, agentId, suspendedAt } = deployment;
    if (requestId !== null && deployment.moveRequestId === requestId)
      return { outcome: 'moved', status: deployment.status };
    // Reinstated after another version took its place, it may be public again, and is not yet.
    const isPast = move === 'reinstate' && deployment.status === 'superseded' && suspendedAt !== null;
    if (!isPast && !(from as readonly string[]).includes(deployment.status))
      return { outcome: 'wrong_state', status: deployment.status };
    if (move === 'approve') await supersede(tx, agentId, 'public');
    const status = isPast ? deployment.status : to;
    await write(tx, order, { status, requestId });
    await recordDeploymentEvent(tx, { workspaceId, type: event, deploymentId, status });
    if (by !== 'review' && 'operatorKeyId' in by) {
      const operator = { keyId: by.operatorKeyId, requestId: by.requestId };
      await auditDeployment(tx, operator, { workspaceId, action: move, deploymentId, detail: { feedback } });
    }
    return { outcome: 'moved', status };
  });
}

async function write(
  { em, Deployment, sql }: AnyTransaction,
  { deploymentId, move, feedback }: MoveOrder,
  { status, requestId }: { status: DeploymentRow['status']; requestId: string | null },
): Promise<void> {
  await em.nativeUpdate(
    Deployment,
    { id: deploymentId },
    {
      status,
      reviewFeedback: sql`review_feedback || ${JSON.stringify(withIds(feedback))}::jsonb`,
      decidedAt: sql`coalesce(decided_at, now())`,
      moveRequestId: requestId,
      ...(status === 'active' && { activatedAt: sql`coalesce(activated_at, now())` }),
      ...(move === 'suspend' && { suspendedAt: sql.now() }),
      ...(move === 'reinstate' && { suspendedAt: null }),
    },
  );
}

// The agent first: concurrent changes of its live versions wait here.
async function lock(tx: AnyTransaction, { deploymentId, by }: MoveOrder): Promise<DeploymentRow | undefined> {
  const { em, Deployment } = tx;
  const owner = typeof by === 'object' && 'publisher' in by ? { workspaceId: by.publisher } : {};
  const wanted = { id: deploymentId, ...owner };
  const found = await em.findOne(Deployment, wanted);
  if (!found) return undefined;
  await lockAgent(tx, found.agentId);
  return (await em.findOne(Deployment, wanted)) ?? undefined;
}

type RollbackOutcome =
  | { outcome: 'deployed'; deploymentId: string }
  | { outcome: 'not_found' | 'not_approved' | 'version_suspended' | 'agent_suspended' };

/**
 * Deploys a version again that was public once: a new deployment, live at once, since it has been approved before. What it takes the place
 * of, the event and the audit row are of the same transaction.
 */
export function rollBack(
  rows: Rows,
  order: { agentId: string; versionId: string; deploymentId: string; by: Actor },
): Promise<RollbackOutcome> {
  const { agentId, versionId, deploymentId, by } = order;
  const { workspaceId } = rows;
  return rows.transaction(async (tx): Promise<RollbackOutcome> => {
    if (!(await lockAgent(tx, agentId))) return { outcome: 'not_found' };
    if (await isDeployed(tx, deploymentId)) return { outcome: 'deployed', deploymentId };
    const refusal = await refusalOf(tx, { agentId, versionId });
    if (refusal) return { outcome: refusal };
    const visibility = 'public';
    await deploy(tx, { deploymentId, workspaceId, agentId, versionId, visibility, isApproved: true });
    const type = 'deployment.rolled_back';
    await recordDeploymentEvent(tx, { workspaceId, type, deploymentId, status: 'active' });
    await auditDeployment(tx, by, { workspaceId, action: 'roll_back', deploymentId, detail: { versionId } });
    return { outcome: 'deployed', deploymentId };
  });
}

// What an operator has suspended is not brought back by its publisher, nor by way of another version that was approved since.
async function refusalOf(
  { em, Deployment }: AnyTransaction,
  { agentId, versionId }: { agentId: string; versionId: string },
) {
  const made = await em.find(Deployment, { agentId, visibility: 'public' });
  const ofVersion = made.filter((one) => one.versionId === versionId);
  if (ofVersion.some(({ suspendedAt }) => suspendedAt !== null)) return 'version_suspended';
  if (made.some(({ status }) => status === 'suspended')) return 'agent_suspended';
  return ofVersion.some(({ status }) => status === 'active' || status === 'superseded') ? undefined : 'not_approved';
}
