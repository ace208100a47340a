import { NOTICE_DAYS } from '../../../base/limits.ts';
import type { Actor } from '../../workspaces/audit.ts';
import type { AnyRows, AnyTransaction } from '../../postgres/rows.ts';
import type { AgentConfiguration, PlatformCosts } from '../../agents/configuration.ts';
import { auditDeployment, OPEN_ROLLOUTS, type DeploymentRow } from '../../agents/deployments.ts';
import { recordDeploymentEvent } from '../../agents/deploymentEvents.ts';
import { pricingOf } from '../../agents/pricing.ts';
import { lockAgent } from '../publisherAgents.ts';
import { currentStepIn, notBegun, USUAL_STEPS, usualStepsFrom, withStep } from './rolloutSteps.ts';
import type { StepPlan, StepRecord } from '../../entities/agent.ts';
import { supersede } from '../submit.ts';

/*
 * The states of a rollout. `complete` is the default version: used by runs that name no version.
 *
 *   approve -> complete                        a first version, or a version for everyone that is not dearer
 *   approve -> rolling                         a growing share of new sessions: complete or rolled_back by its results, or by hand
 *   approve -> scheduled                       a dearer version, until its notice is over: then rolling or complete
 *   scheduled, rolling -> rolled_back          by hand, when it or the default is suspended, or when another version replaces it
 */

/** Whether an approved version is not the default yet. */
export const isOpenRollout = ({ status, rolloutState }: Pick<DeploymentRow, 'status' | 'rolloutState'>): boolean =>
  status === 'active' && rolloutState !== null && OPEN_ROLLOUTS.includes(rolloutState);

type Rollout = Pick<DeploymentRow, 'rolloutState'> &
  Partial<
    Pick<
      DeploymentRow,
      'rolloutPercentage' | 'rolloutStartedAt' | 'rolloutStepStartedAt' | 'rolloutSteps' | 'effectiveAt'
    >
  >;

interface Approval {
  deployment: DeploymentRow;
  /** Begins the usual steps; 100 begins none. */
  percentage?: number | undefined;
  /** Other steps. Without either, the publisher's planned steps count, if there are any. */
  steps?: StepPlan[] | undefined;
  costsOf: CostsOf;
}

/** The platform's charges for a configuration. */
export type CostsOf = (configuration: AgentConfiguration) => PlatformCosts;

/** Begins the rollout of an approved version: ends an open rollout, and the default when the new version replaces it at once. */
export async function beginRollout(
  tx: AnyTransaction,
  { deployment, percentage, steps, costsOf }: Approval,
): Promise<Rollout> {
  const { agentId, versionId } = deployment;
  await endOpenRollout(tx, agentId, 'Another version was approved.');
  const live = await findDefault(tx, agentId);
  // Nothing is compared with a suspended version.
  const plan = live?.status === 'suspended' ? [] : planOf({ deployment, percentage, steps });
  const isDearer = live !== null && (await isDearerThan(tx, { agentId, versionId, than: live.versionId, costsOf }));
  const now = await timeIn(tx, deployment.workspaceId);
  if (isDearer) {
    const effectiveAt = new Date(now.getTime() + NOTICE_DAYS * DAY_MS);
    return { rolloutState: 'scheduled', ...planned(plan), effectiveAt };
  }
  if (live !== null && plan.length > 0) return { ...planned(plan), ...begunAt(notBegun(plan), now) };
  await supersede(tx, agentId, 'public');
  return { rolloutState: 'complete', ...planned([]) };
}

/** The default version of an agent, also a suspended one: its callers are promised its prices until a notice is over. */
const findDefault = ({ em, Deployment }: AnyTransaction, agentId: string): Promise<DeploymentRow | null> =>
  em.findOne(Deployment, {
    agentId,
    visibility: 'public',
    status: ['active', 'suspended'],
    $or: [{ rolloutState: null }, { rolloutState: 'complete' }],
  });

function planOf({ deployment, percentage, steps }: Omit<Approval, 'costsOf'>): StepPlan[] {
  if (steps || percentage === undefined) return steps ?? deployment.rolloutSteps ?? [];
  return percentage === 100 ? [] : usualStepsFrom(percentage);
}

const planned = (plan: StepPlan[]) => ({
  rolloutPercentage: plan[0]?.percentage ?? 100,
  rolloutSteps: plan.length > 0 ? notBegun(plan) : null,
});

/** The time of a workspace in the transaction: by the database's clock, and by its own in a test workspace. */
export async function timeIn({ client }: AnyTransaction, workspaceId: string): Promise<Date> {
  const { rows } = await client.query('select ledger_now($1)::text as now', [workspaceId]);
  return new Date(rows[0].now);
}

/** A rollout at the beginning of its first step. */
export const begunAt = (steps: StepRecord[], time: Date) => ({
  rolloutState: 'rolling' as const,
  rolloutStartedAt: time,
  rolloutStepStartedAt: time,
  rolloutSteps: withStep(steps, 0, { startedAt: time.toISOString() }),
});

export const DAY_MS = 86_400_000;

/** Whether a version costs more than another version in any meter, or at least or at most for a run. */
export async function isDearerThan(
  { em, Agent, AgentVersion }: AnyTransaction,
  order: { agentId: string; versionId: string; than: string; costsOf: CostsOf },
): Promise<boolean> {
  const { subsidisedAt } = await em.findOneOrFail(Agent, { id: order.agentId });
  const priceOf = async (versionId: string) => {
    const { configuration } = await em.findOneOrFail(AgentVersion, { id: versionId });
    const terms = { platformCosts: order.costsOf(configuration), networkFeePercentage: 0 };
    return pricingOf({ versionId, configuration, subsidised: subsidisedAt !== null }, terms);
  };
  const [next, live] = [await priceOf(order.versionId), await priceOf(order.than)];
  const before = new Map(live.meters.map(({ id, price_usd }) => [id, price_usd]));
  return (
    next.maximum_cost_usd > live.maximum_cost_usd ||
    next.minimum_cost_usd > live.minimum_cost_usd ||
    next.meters.some(({ id, price_usd: usd }) => usd > (before.get(id) ?? 0))
  );
}

/** Ends the open rollout of a locked agent, if any: its version stays available to callers who name it. */
export async function endOpenRollout(tx: AnyTransaction, agentId: string, reason: string): Promise<void> {
  const { em, Deployment } = tx;
  const open = await em.findOne(Deployment, { agentId, status: 'active', rolloutState: OPEN_ROLLOUTS });
  if (open) await rollBackTo(tx, open, { reason, status: 'superseded' });
}

/** Rolls an open rollout back. */
export async function rollBackTo(
  tx: AnyTransaction,
  { id, workspaceId }: DeploymentRow,
  { reason, status }: { reason: string; status: DeploymentRow['status'] },
): Promise<void> {
  await tx.em.nativeUpdate(tx.Deployment, { id }, { status, rolloutState: 'rolled_back', rolloutReason: reason });
  await recordDeploymentEvent(tx, { workspaceId, type: 'deployment.rolled_back', deploymentId: id, status, reason });
}

/** Makes the version of an open rollout the default. */
export async function complete(tx: AnyTransaction, { id, workspaceId, agentId }: DeploymentRow): Promise<void> {
  await supersede(tx, agentId, 'public', id);
  await tx.em.nativeUpdate(tx.Deployment, { id }, { rolloutState: 'complete' });
  const type = 'deployment.rollout_completed';
  await recordDeploymentEvent(tx, { workspaceId, type, deploymentId: id, status: 'active' });
}

/** How a rollout was ended by hand, or why it was not. */
export type RolloutMove =
  { outcome: 'moved' } | { outcome: 'not_found' } | { outcome: 'not_open'; status: string } | { outcome: 'in_notice' };

/** Completes an open rollout, or rolls it back, by hand; audited. A dearer version cannot skip its notice. */
export function moveRollout(
  rows: AnyRows,
  { deploymentId, move, by }: { deploymentId: string; move: 'promote' | 'roll_back'; by: Actor },
): Promise<RolloutMove> {
  return rows.transaction(async (tx): Promise<RolloutMove> => {
    const row = await lockDeployment(tx, deploymentId);
    if (!row || row.visibility !== 'public') return { outcome: 'not_found' };
    if (!isOpenRollout(row)) return { outcome: 'not_open', status: row.status };
    if (move === 'promote' && row.rolloutState === 'scheduled') return { outcome: 'in_notice' };
    if (move === 'promote') await complete(tx, row);
    else await rollBackTo(tx, row, { reason: 'It was taken back by hand.', status: 'superseded' });
    const action = move === 'promote' ? 'promote_rollout' : 'roll_back_rollout';
    await auditDeployment(tx, by, { workspaceId: row.workspaceId, action, deploymentId, detail: {} });
    return { outcome: 'moved' };
  });
}

/** Locks a deployment, and its agent first: concurrent changes of its live versions wait here. */
export async function lockDeployment(tx: AnyTransaction, id: string): Promise<DeploymentRow | undefined> {
  const { em, Deployment } = tx;
  const found = await em.findOne(Deployment, { id });
  if (!found) return undefined;
  await lockAgent(tx, found.agentId);
  return (await em.findOne(Deployment, { id })) ?? undefined;
}

/** The steps of a rollout. A rollout from before steps existed has the single step it began with. */
export const stepsOf = ({ rolloutSteps, rolloutPercentage, rolloutStartedAt }: DeploymentRow): StepRecord[] =>
  rolloutSteps ??
  withStep(notBegun([{ percentage: rolloutPercentage, runsMin: USUAL_STEPS[0]!.runsMin, hoursMin: 0 }]), 0, {
    startedAt: rolloutStartedAt?.toISOString() ?? null,
  });

/** How the steps of a rollout were planned, or why not. `begun`: the rollout already has this share. */
export type RolloutPlanned =
  | { outcome: 'planned' }
  | { outcome: 'not_found' }
  | { outcome: 'not_open'; status: string }
  | { outcome: 'begun'; percentage: number };

/** Plans the steps of a submission's rollout, or the remaining steps of an open one; audited. */
export function planRollout(
  rows: AnyRows,
  { deploymentId, steps, by }: { deploymentId: string; steps: StepPlan[]; by: Actor },
): Promise<RolloutPlanned> {
  return rows.transaction(async (tx): Promise<RolloutPlanned> => {
    const row = await lockDeployment(tx, deploymentId);
    if (!row || row.visibility !== 'public') return { outcome: 'not_found' };
    const { status, rolloutState, workspaceId } = row;
    if (status !== 'in_review' && !isOpenRollout(row)) return { outcome: 'not_open', status };
    const known = stepsOf(row);
    const begun = rolloutState === 'rolling' ? known.slice(0, currentStepIn(known) + 1) : [];
    const { percentage: share = 0 } = begun.at(-1) ?? {};
    const { percentage } = steps[0]!;
    if (percentage <= share) return { outcome: 'begun', percentage: share };
    const change = {
      rolloutSteps: [...begun, ...notBegun(steps)],
      ...(begun.length === 0 && { rolloutPercentage: percentage }),
    };
    await tx.em.nativeUpdate(tx.Deployment, { id: row.id }, change);
    await auditDeployment(tx, by, { workspaceId, action: 'plan_rollout', deploymentId, detail: { steps } });
    return { outcome: 'planned' };
  });
}
