import type { z } from 'zod';
import { usdOf } from '../../db/money.ts';
import type { EndingCount, RunFigures } from '../../db/publishedRuns/agentMetrics.ts';
import type { PublishedRun as Row } from '../../db/publishedRuns/publishedRuns.ts';
import type { PublishedStep as StepRow } from '../../db/publishedRuns/publishedSteps.ts';
import { timesIn, usageIn } from '../../db/runs/stepFacts.ts';
import type { Cursors } from '../http/signedCursor.ts';
import type { AgentMetrics, PublishedRun, PublishedStep } from './runAnswers.ts';

const CALLER = 'caller_';
const CALLERS = 'callers';

/**
 * The name of a caller for one publisher: stable, and unreadable without this installation's secret, also for who knows the workspace.
 */
const callerIdOf = (cursors: Cursors, publisherId: string, workspaceId: string): string =>
  CALLER + cursors.write(publisherId, CALLERS, workspaceId);

/** The workspace of a caller that this publisher's lists name. Throws 422, which names the parameter, for another one. */
export const workspaceOfCaller = (cursors: Cursors, publisherId: string, callerId: string): string =>
  cursors.read(publisherId, CALLERS, callerId.startsWith(CALLER) ? callerId.slice(CALLER.length) : '', 'caller_id');

/** A run for the publisher of its agent. `readsOwn`: the request may read the content of runs of the publisher's workspace. */
export function presentPublishedRun(
  row: Row,
  {
    agentId,
    publisherId,
    cursors,
    readsOwn,
  }: { agentId: string; publisherId: string; cursors: Cursors; readsOwn: boolean },
): z.infer<typeof PublishedRun> {
  return {
    id: row.id,
    object: 'publisher.run',
    agent_id: agentId,
    version_id: row.versionId,
    version: row.version,
    caller_id: callerIdOf(cursors, publisherId, row.workspaceId),
    is_own: row.isOwn,
    status: row.status,
    error_code: row.code || null,
    fault: row.fault,
    source: row.source,
    is_called_by_agent: row.isCalledByAgent,
    is_rerun: row.isRerun,
    is_rehearsed: row.isRehearsed,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    ended_at: row.endedAt.toISOString(),
    duration_seconds: row.startedAt && Math.max(0, row.endedAt.getTime() - row.startedAt.getTime()) / 1000,
    meters: metersOf(row),
    total_usd: usdOf(BigInt(row.grossNanos)),
    earned_usd: usdOf(BigInt(row.earnedNanos)),
    platform_cost_usd: usdOf(BigInt(row.platformCostNanos)),
    unbilled_usd: usdOf(BigInt(row.absorbedNanos)),
    steps_deleted_at: row.contentDeletedAt?.toISOString() ?? null,
    content_access: row.isOwn ? (readsOwn ? 'own' : 'none') : row.sharedUntil ? 'shared' : 'none',
    shared_until: row.sharedUntil?.toISOString() ?? null,
  };
}

const metersOf = ({ meters, rateCard }: Row) =>
  Object.entries(meters).map(([id, quantity]) => ({
    id,
    unit: rateCard.meters.find((meter) => meter.id === id)?.unit ?? 'unit',
    quantity: Number(quantity) / 1000,
  }));

/** A step without its content. */
export function presentPublishedStep(run: Row, row: StepRow): Omit<z.infer<typeof PublishedStep>, 'content'> {
  const { id, step, kind, name, attempt, state, errorCode, isReused, startedAt, endedAt, meters } = row;
  const isDone = state === 'completed' && errorCode === null;
  return {
    id,
    object: 'publisher.run.step',
    number: step,
    kind,
    name,
    attempt,
    // The run has ended: what has not is cancelled with it.
    status: isDone ? 'completed' : state === 'started' ? 'cancelled' : 'failed',
    is_error: errorCode !== null,
    error_code: errorCode,
    is_reused: isReused,
    ...timesIn(startedAt, endedAt ?? run.endedAt),
    ...usageIn({ rate_card: run.rateCard }, kind, meters),
  };
}

/** Sums of runs. */
export function presentFigures(figures: RunFigures): Omit<z.infer<typeof AgentMetrics>['data'][number], 'start'> {
  const billed = figures.runs - figures.failed;
  return {
    runs: figures.runs,
    completed: figures.completed,
    limit_reached: figures.limitReached,
    cancelled: figures.cancelled,
    failed: figures.failed,
    success_rate: figures.successRate,
    p50_seconds: figures.p50Seconds,
    p95_seconds: figures.p95Seconds,
    total_usd: usdOf(figures.grossNanos),
    mean_cost_usd: billed === 0 ? null : usdOf(figures.grossNanos / BigInt(billed)),
    earned_usd: usdOf(figures.earnedNanos),
    platform_cost_usd: usdOf(figures.platformCostNanos),
    unbilled_usd: usdOf(figures.absorbedNanos),
    refunded_runs: figures.refundedRuns,
    refunded_usd: usdOf(figures.refundedNanos),
  };
}

/** Reasons of endings with their numbers. */
export const presentEndings = (endings: EndingCount[]): z.infer<typeof AgentMetrics>['totals']['errors'] =>
  endings.map(({ status, code, fault, runs }) => ({
    status,
    error_code: code || null,
    fault: (fault || null) as z.infer<typeof AgentMetrics>['totals']['errors'][number]['fault'],
    runs,
  }));
