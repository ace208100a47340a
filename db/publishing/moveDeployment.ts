import type { Actor } from '../workspaces/audit.ts';
import type { AnyRows, AnyTransaction, Rows } from '../postgres/rows.ts';
import { auditDeployment, type DeploymentRow, findDeployment, withIds } from '../agents/deployments.ts';
import type { Feedback, StepPlan } from '../entities/agent.ts';
import { recordDeploymentEvent } from '../agents/deploymentEvents.ts';
import { lockAgent } from './publisherAgents.ts';
import { beginRollout, endOpenRollout, isDearerThan, isOpenRollout, type CostsOf } from './rollout/rollout.ts';
import { deploy } from './submit.ts';
import { recordOutcome } from './review/outcome.ts';
import { billTrials, TrialsNotCovered } from './review/trialBills.ts';

/** All transitions of a deployment after its submission. Anything else is refused. */
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
  /** Of an approval: the initial share of new sessions for the version, or the steps of its rollout. */
  rolloutPercentage?: number;
  rolloutSteps?: StepPlan[];
  /** An operator's move is audited. */
  by:
    | { publisher: string; requestId: string }
    | { operatorKeyId: string; operatorUserId?: string; requestId: string }
    | 'review';
}

export type MoveOutcome =
  | { outcome: 'moved'; status: string }
  | { outcome: 'not_found' }
  | { outcome: 'wrong_state'; status: string }
  /** Its publisher cannot pay for the trials of the withdrawn submission. */
  | { outcome: 'short'; neededNanos: string };

/**
 * Moves a deployment: its state, the deployment it replaces, the feedback, the event and the audit row in one transaction. A late move
 * changes nothing and returns the state; a retried move counts as done. A withdrawal bills the trials.
 */
export async function moveDeployment(
  rows: AnyRows,
  order: MoveOrder,
  costsOf: CostsOf = () => ({}),
): Promise<MoveOutcome> {
  const { from, to, event } = MOVES[order.move];
  const { deploymentId, move, by, feedback } = order;
  const requestId = by === 'review' ? null : by.requestId;
  const moving = rows.transaction(async (tx): Promise<MoveOutcome> => {
    const deployment = await lock(tx, order);
    if (!deployment) return { outcome: 'not_found' };
    const { workspaceId, agentId, suspendedAt, rolloutState } = deployment;
    if (requestId !== null && deployment.moveRequestId === requestId)
      return { outcome: 'moved', status: deployment.status };
    // A reinstated deployment may become public again after another version replaced it.
    const hasSuccessor = deployment.status === 'superseded' || rolloutState === 'rolled_back';
    const isPast = move === 'reinstate' && hasSuccessor && suspendedAt !== null;
    if (!isPast && !(from as readonly string[]).includes(deployment.status))
      return { outcome: 'wrong_state', status: deployment.status };
    const { rolloutPercentage: percentage, rolloutSteps: steps } = order;
    const rollout: Partial<DeploymentRow> =
      move === 'approve' ? await beginRollout(tx, { deployment, percentage, steps, costsOf }) : {};
    // Its callers would get a version that was to be compared with the suspended one.
    if (move === 'suspend') await endOpenRollout(tx, agentId, 'A public version was suspended.');
    const status = isPast ? 'superseded' : to;
    if (move === 'withdraw') await billTrials(tx, deploymentId);
    await write(tx, order, { status, requestId, rollout });
    const activeFrom = rollout.rolloutState === 'scheduled' ? rollout.effectiveAt : null;
    await recordOutcome(tx, deployment, { type: event, status, feedback, activeFrom });
    if (by !== 'review' && 'operatorKeyId' in by) {
      const operator = { keyId: by.operatorKeyId, userId: by.operatorUserId, requestId: by.requestId };
      await auditDeployment(tx, operator, { workspaceId, action: move, deploymentId, detail: { feedback } });
    }
    return { outcome: 'moved', status };
  });
  return moving.catch((error: unknown) => {
    if (error instanceof TrialsNotCovered) return { outcome: 'short', neededNanos: `${error.neededNanos}` };
    throw error;
  });
}

async function write(
  { em, Deployment, sql }: AnyTransaction,
  { deploymentId, move, feedback }: MoveOrder,
  {
    status,
    requestId,
    rollout,
  }: Pick<DeploymentRow, 'status'> & { requestId: string | null; rollout: Partial<DeploymentRow> },
): Promise<void> {
  await em.nativeUpdate(
    Deployment,
    { id: deploymentId },
    {
      status,
      reviewFeedback: sql`review_feedback || ${JSON.stringify(withIds(feedback))}::jsonb`,
      decidedAt: sql`coalesce(decided_at, now())`,
      moveRequestId: requestId,
      ...rollout,
      ...(status === 'active' && { activatedAt: sql`coalesce(activated_at, now())` }),
      ...(move === 'suspend' && { suspendedAt: sql.now() }),
      ...(move === 'reinstate' && { suspendedAt: null }),
    },
  );
}

// Locks the agent first: concurrent changes of its live versions wait here.
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
  | { outcome: 'deployed'; deployment: DeploymentRow }
  | { outcome: 'not_found' }
  | { outcome: 'version_not_found' }
  | { outcome: 'not_approved' }
  | { outcome: 'version_suspended' }
  | { outcome: 'agent_suspended' }
  | { outcome: 'version_dearer' };

/**
 * Deploys a formerly public version again: as a new deployment that is live at once, because it was approved before. The replaced
 * deployment, the event and the audit row are written in the same transaction.
 */
export function rollBack(
  rows: Rows,
  order: { agentId: string; versionId: string; deploymentId: string; by: Actor; costsOf?: CostsOf },
): Promise<RollbackOutcome> {
  const { agentId, versionId, deploymentId, by, costsOf = () => ({}) } = order;
  const { workspaceId } = rows;
  return rows.transaction(async (tx): Promise<RollbackOutcome> => {
    if (!(await lockAgent(tx, agentId))) return { outcome: 'not_found' };
    const earlier = await findDeployment(tx, deploymentId);
    if (earlier) return { outcome: 'deployed', deployment: earlier };
    const refusal = await refusalOf(tx, { agentId, versionId, costsOf });
    if (refusal) return { outcome: refusal };
    await endOpenRollout(tx, agentId, 'A former version was made public again.');
    const visibility = 'public';
    await deploy(tx, { deploymentId, workspaceId, agentId, versionId, visibility, isApproved: true });
    const type = 'deployment.rolled_back';
    await recordDeploymentEvent(tx, { workspaceId, type, deploymentId, status: 'active' });
    await auditDeployment(tx, by, { workspaceId, action: 'roll_back', deploymentId, detail: { versionId } });
    return { outcome: 'deployed', deployment: (await findDeployment(tx, deploymentId))! };
  });
}

// A publisher cannot bring back an agent suspended by an operator, not even through another version approved later.
async function refusalOf(
  tx: AnyTransaction,
  { agentId, versionId, costsOf }: { agentId: string; versionId: string; costsOf: CostsOf },
) {
  const { em, AgentVersion, Deployment } = tx;
  if ((await em.count(AgentVersion, { id: versionId, agentId, deletedAt: null })) === 0) return 'version_not_found';
  const made = await em.find(Deployment, { agentId, visibility: 'public' });
  const ofVersion = made.filter((one) => one.versionId === versionId);
  if (ofVersion.some(({ suspendedAt }) => suspendedAt !== null)) return 'version_suspended';
  const isOfAll = ({ rolloutState }: DeploymentRow) => rolloutState === null || rolloutState === 'complete';
  if (made.some((one) => one.status === 'suspended' && isOfAll(one))) return 'agent_suspended';
  if (!ofVersion.some(({ status }) => status === 'active' || status === 'superseded')) return 'not_approved';
  const live = made.find((one) => one.status === 'active' && !isOpenRollout(one));
  // A dearer version needs its notice, also when it was public before.
  const isDearer =
    live !== undefined && (await isDearerThan(tx, { agentId, versionId, than: live.versionId, costsOf }));
  return isDearer ? 'version_dearer' : undefined;
}
