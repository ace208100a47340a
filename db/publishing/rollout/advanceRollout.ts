import type { AnyRows, AnyTransaction } from '../../postgres/rows.ts';
import type { DeploymentRow } from '../../agents/deployments.ts';
import { recordDeploymentEvent } from '../../agents/deploymentEvents.ts';
import { announcePrices } from './priceNotices.ts';
import { begunAt, complete, DAY_MS, isOpenRollout, lockDeployment, rollBackTo, stepsOf, timeIn } from './rollout.ts';
import { keptResults, readResults } from './rolloutResults.ts';
import { currentStepIn, withStep } from './rolloutSteps.ts';
import type { StepRecord } from '../../entities/agent.ts';
import { verdictOf } from './rolloutVerdict.ts';

const POLL_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;

/** How long the workflow waits before the next look; null: the rollout is over. */
export type RolloutStep = { waitMs: number | null };

/**
 * Advances a rollout: announces a dearer version once, starts it after its notice, and completes or rolls back a rolling one by its
 * results. Each call may be repeated.
 */
export function advanceRollout(everywhere: AnyRows, { deploymentId }: { deploymentId: string }): Promise<RolloutStep> {
  return everywhere.transaction(async (tx): Promise<RolloutStep> => {
    const row = await lockDeployment(tx, deploymentId);
    if (!row || !isOpenRollout(row)) return { waitMs: null };
    await tx.em.nativeUpdate(tx.Deployment, { id: row.id }, { rolloutCheckedAt: tx.sql`ledger_now(workspace_id)` });
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
    'select extract(epoch from effective_at - ledger_now(workspace_id)) * 1000 as ms from deployments where id = $1',
    [row.id],
  );
  const leftMs = Math.ceil(Number(left.rows[0].ms));
  if (leftMs > 0) return { waitMs: Math.min(leftMs, DAY_MS) };
  await em.nativeUpdate(Deployment, { id: row.id }, { activatedAt: await timeIn(tx, row.workspaceId) });
  if (row.rolloutPercentage === 100 && row.rolloutSteps === null) {
    await complete(tx, row);
    return { waitMs: null };
  }
  await em.nativeUpdate(Deployment, { id: row.id }, begunAt(stepsOf(row), await timeIn(tx, row.workspaceId)));
  return { waitMs: POLL_MS };
}

async function judge(tx: AnyTransaction, row: DeploymentRow): Promise<RolloutStep> {
  const { agentId, versionId, rolloutStartedAt, rolloutStepStartedAt } = row;
  const live = await tx.em.findOneOrFail(tx.Deployment, {
    agentId,
    visibility: 'public',
    status: ['active', 'suspended'],
    id: { $ne: row.id },
    $or: [{ rolloutState: null }, { rolloutState: 'complete' }],
  });
  const steps = stepsOf(row);
  const at = currentStepIn(steps);
  const { runsMin, hoursMin } = steps[at]!;
  const since = (rolloutStepStartedAt ?? rolloutStartedAt)!;
  const nextResults = await readResults(tx, { agentId, versionId, since });
  const liveResults = await readResults(tx, { agentId, versionId: live.versionId, since: null });
  const now = await timeIn(tx, row.workspaceId);
  const leftMs = Math.max(0, since.getTime() + hoursMin * HOUR_MS - now.getTime());
  const verdict = verdictOf(nextResults, liveResults, { runsMin, isTimeOver: leftMs === 0 });
  const seen = { next: keptResults(nextResults), live: keptResults(liveResults) };
  const ended = verdict.kind !== 'wait' && {
    endedAt: now.toISOString(),
    outcome: verdict.kind === 'pass' ? ('passed' as const) : ('failed' as const),
  };
  const rolloutSteps = withStep(steps, at, { ...seen, ...ended });
  await tx.em.nativeUpdate(tx.Deployment, { id: row.id }, { rolloutSteps });
  if (verdict.kind === 'wait') return { waitMs: leftMs > 0 ? Math.min(leftMs, POLL_MS) : POLL_MS };
  if (verdict.kind === 'roll_back') await rollBackTo(tx, row, { reason: verdict.reason, status: 'superseded' });
  else if (at === steps.length - 1) await complete(tx, row);
  else return goUp(tx, row, { steps: rolloutSteps, at: at + 1, now });
  return { waitMs: null };
}

/** Begins a step with a larger share. */
async function goUp(
  tx: AnyTransaction,
  { id, workspaceId }: DeploymentRow,
  { steps, at, now }: { steps: StepRecord[]; at: number; now: Date },
): Promise<RolloutStep> {
  const { percentage: rolloutPercentage } = steps[at]!;
  const rolloutSteps = withStep(steps, at, { startedAt: now.toISOString() });
  const change = { rolloutSteps, rolloutPercentage, rolloutStepStartedAt: now };
  await tx.em.nativeUpdate(tx.Deployment, { id }, change);
  const type = 'deployment.rollout_advanced';
  await recordDeploymentEvent(tx, {
    workspaceId,
    type,
    deploymentId: id,
    status: 'active',
    percentage: rolloutPercentage,
  });
  return { waitMs: POLL_MS };
}
