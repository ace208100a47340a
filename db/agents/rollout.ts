import { NOTICE_DAYS, QUALITY_DAYS } from '../../base/limits.ts';
import type { RolloutState } from '../entities/agent.ts';
import type { Actor } from '../audit.ts';
import type { AnyRows, AnyTransaction } from '../postgres/rows.ts';
import type { AgentConfiguration, PlatformCosts } from './configuration.ts';
import { auditDeployment, recordDeploymentEvent, COUNTED_RUN, type DeploymentRow } from './deployments.ts';
import { announcePrices } from './priceNotices.ts';
import { pricingOf } from './pricing.ts';
import { lockAgent } from './publisherAgents.ts';
import { verdictOf, type VersionResults } from './rolloutVerdict.ts';
import { supersede } from './submit.ts';

/*
 * The states of a rollout. `complete` is the default version: the one of runs that name none.
 *
 *   approve -> complete                        a first version, or one for everyone that is not dearer
 *   approve -> rolling                         a share of new sessions: complete or rolled_back by its results, or by hand
 *   approve -> scheduled                       a dearer version, until its notice is over: then rolling or complete
 *   scheduled, rolling -> rolled_back          by hand, when it or the default is suspended, or when another version replaces it
 */
const OPEN: RolloutState[] = ['scheduled', 'rolling'];

/** Whether an approved version is not the default yet. */
export const isOpenRollout = ({ status, rolloutState }: Pick<DeploymentRow, 'status' | 'rolloutState'>): boolean =>
  status === 'active' && rolloutState !== null && OPEN.includes(rolloutState);

type Rollout = Pick<DeploymentRow, 'rolloutState'> &
  Partial<Pick<DeploymentRow, 'rolloutPercentage' | 'rolloutStartedAt' | 'effectiveAt'>>;

interface Approval {
  deployment: DeploymentRow;
  percentage: number;
  costsOf: CostsOf;
}

/** What the platform charges for a configuration. */
export type CostsOf = (configuration: AgentConfiguration) => PlatformCosts;

/** Begins the rollout of a version that is approved: ends an open one, and the default when the new version replaces it at once. */
export async function beginRollout(
  tx: AnyTransaction,
  { deployment, percentage, costsOf }: Approval,
): Promise<Rollout> {
  const { agentId, versionId } = deployment;
  await endOpenRollout(tx, agentId, 'Another version was approved.');
  const live = await tx.em.findOne(tx.Deployment, { agentId, visibility: 'public', status: 'active' });
  const isDearer = live !== null && (await isDearerThan(tx, { agentId, versionId, than: live.versionId, costsOf }));
  if (isDearer) {
    const { now } = await tx.em.execute<{ now: string }>('select now()::text as now', [], 'get');
    const effectiveAt = new Date(new Date(now).getTime() + NOTICE_DAYS * DAY_MS);
    return { rolloutState: 'scheduled', rolloutPercentage: percentage, effectiveAt };
  }
  if (live !== null && percentage < 100)
    return { rolloutState: 'rolling', rolloutPercentage: percentage, rolloutStartedAt: new Date() };
  await supersede(tx, agentId, 'public');
  return { rolloutState: 'complete' };
}

const DAY_MS = 86_400_000;

/** Whether a version costs more than another one in any meter, or at least or at most for a run. */
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

/** Ends the open rollout of a locked agent, if there is one: its version stays available to callers who name it. */
export async function endOpenRollout(tx: AnyTransaction, agentId: string, reason: string): Promise<void> {
  const { em, Deployment } = tx;
  const open = await em.findOne(Deployment, { agentId, status: 'active', rolloutState: OPEN });
  if (open) await rollBackTo(tx, open, { reason, status: 'superseded' });
}

async function rollBackTo(
  tx: AnyTransaction,
  { id, workspaceId }: DeploymentRow,
  { reason, status }: { reason: string; status: DeploymentRow['status'] },
): Promise<void> {
  await tx.em.nativeUpdate(tx.Deployment, { id }, { status, rolloutState: 'rolled_back', rolloutReason: reason });
  await recordDeploymentEvent(tx, { workspaceId, type: 'deployment.rolled_back', deploymentId: id, status, reason });
}

async function complete(tx: AnyTransaction, { id, workspaceId, agentId }: DeploymentRow): Promise<void> {
  await supersede(tx, agentId, 'public', id);
  await tx.em.nativeUpdate(tx.Deployment, { id }, { rolloutState: 'complete' });
  const type = 'deployment.rollout_completed';
  await recordDeploymentEvent(tx, { workspaceId, type, deploymentId: id, status: 'active' });
}

/** How a rollout was ended by hand, or why it was not. */
export type RolloutMove =
  { outcome: 'moved' } | { outcome: 'not_found' } | { outcome: 'not_open'; status: string } | { outcome: 'in_notice' };

/** Makes the version of an open rollout the default, or takes it back, by hand; audited. A dearer version cannot skip its notice. */
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

// Locks the agent first: concurrent changes of its live versions wait here.
async function lockDeployment(tx: AnyTransaction, id: string): Promise<DeploymentRow | undefined> {
  const { em, Deployment } = tx;
  const found = await em.findOne(Deployment, { id });
  if (!found) return undefined;
  await lockAgent(tx, found.agentId);
  em.clear();
  return (await em.findOne(Deployment, { id })) ?? undefined;
}

const POLL_MS = 5 * 60_000;

/** How long the workflow waits until it looks again; null: the rollout is over. */
export type RolloutStep = { waitMs: number | null };

/**
 * Looks after a rollout: announces a dearer version once, starts it when its notice is over, and completes or takes back a rolling one by
 * its results. Each call may be repeated.
 */
export function advanceRollout(everywhere: AnyRows, { deploymentId }: { deploymentId: string }): Promise<RolloutStep> {
  return everywhere.transaction(async (tx): Promise<RolloutStep> => {
    const row = await lockDeployment(tx, deploymentId);
    if (!row || !isOpenRollout(row)) return { waitMs: null };
    await tx.em.nativeUpdate(tx.Deployment, { id: row.id }, { rolloutCheckedAt: tx.sql.now() });
    return row.rolloutState === 'scheduled' ? waitForNotice(tx, row) : judge(tx, row);
  });
}

async function waitForNotice(tx: AnyTransaction, row: DeploymentRow): Promise<RolloutStep> {
  const { em, client, Deployment, sql } = tx;
  if (row.announcedAt === null) {
    await announcePrices(tx, row);
    await em.nativeUpdate(Deployment, { id: row.id }, { announcedAt: sql.now() });
  }
  const left = await client.query(
    'select extract(epoch from effective_at - now()) * 1000 as ms from deployments where id = $1',
    [row.id],
  );
  const leftMs = Math.ceil(Number(left.rows[0].ms));
  if (leftMs > 0) return { waitMs: Math.min(leftMs, DAY_MS) };
  if (row.rolloutPercentage === 100) {
    await complete(tx, row);
    return { waitMs: null };
  }
  await em.nativeUpdate(Deployment, { id: row.id }, { rolloutState: 'rolling', rolloutStartedAt: sql.now() });
  return { waitMs: POLL_MS };
}

async function judge(tx: AnyTransaction, row: DeploymentRow): Promise<RolloutStep> {
  const { agentId, versionId, rolloutStartedAt } = row;
  const live = await tx.em.findOneOrFail(tx.Deployment, {
    agentId,
    visibility: 'public',
    status: ['active', 'suspended'],
    id: { $ne: row.id },
    $or: [{ rolloutState: null }, { rolloutState: 'complete' }],
  });
  const verdict = verdictOf(
    await readResults(tx, { agentId, versionId, since: rolloutStartedAt! }),
    await readResults(tx, { agentId, versionId: live.versionId, since: null }),
  );
  if (verdict.kind === 'wait') return { waitMs: POLL_MS };
  if (verdict.kind === 'complete') await complete(tx, row);
  else await rollBackTo(tx, row, { reason: verdict.reason, status: 'superseded' });
  return { waitMs: null };
}

async function readResults(
  { client }: AnyTransaction,
  { agentId, versionId, since }: { agentId: string; versionId: string; since: Date | null },
): Promise<VersionResults> {
  const { rows } = await client.query(RESULTS, [agentId, versionId, since]);
  const { medianCostNanos, ...counts } = rows[0];
  return { ...counts, medianCostNanos: medianCostNanos === null ? null : BigInt(medianCostNanos) };
}

// Failures that the version did not cause say nothing about it.
const RESULTS = `
select count(*)::int as runs, count(*) filter (where status = 'completed')::int as completed,
  percentile_disc(0.5) within group (order by total_nanos) filter (where status = 'completed') as "medianCostNanos"
from runs r where r.agent_id = $1 and r.version_id = $2 and r.visibility = 'public' and ${COUNTED_RUN} and r.status <> 'cancelled'
  and r.settled_at > greatest(now() - interval '${QUALITY_DAYS} days', $3::timestamptz) and coalesce(r.fault, 'agent') = 'agent'`;
