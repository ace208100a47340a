import type { InferEntity } from '@mikro-orm/core';
import type { Deployment, DeploymentComment, Feedback, RecordedFeedback, RolloutState } from '../entities/agent.ts';
import { QUALITY_DAYS } from '../../base/limits.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { newId, timeOfId } from '../ids.ts';
import type { AnyRows, AnyTransaction, Rows } from '../postgres/rows.ts';
import { isLiveSql, isTestSql } from '../workspaces/mode.ts';

export type DeploymentRow = InferEntity<typeof Deployment>;
type CommentRow = InferEntity<typeof DeploymentComment>;

/** A deployment of one of the workspace's agents, or undefined when it is unknown or of another workspace. */
export async function findDeployment(rows: Rows, id: string): Promise<DeploymentRow | undefined> {
  return (await rows.statement(({ em, Deployment }) => em.findOne(Deployment, { id }))) ?? undefined;
}

/** The comments of publisher and operators on a deployment, oldest first. */
export const readComments = (rows: Rows, deploymentId: string): Promise<CommentRow[]> =>
  rows.statement(({ em, DeploymentComment }) =>
    em.find(DeploymentComment, { deploymentId }, { orderBy: { createdAt: 'asc', id: 'asc' } }),
  );

/**
 * Adds a comment, idempotent by id; an operator's comment is audited. Returns it as it is stored. Undefined: the deployment does not exist
 * in these rows.
 */
export function addComment(
  rows: AnyRows,
  { id, deploymentId, by, message }: { id: string; deploymentId: string; by: 'publisher' | Actor; message: string },
): Promise<CommentRow | undefined> {
  return rows.transaction(async (tx) => {
    const { em, Deployment, DeploymentComment } = tx;
    const deployment = await em.findOne(Deployment, { id: deploymentId });
    if (!deployment) return undefined;
    const { workspaceId } = deployment;
    const author = by === 'publisher' ? 'publisher' : 'operator';
    const added = await em
      .qb(DeploymentComment)
      .insert({ id, workspaceId, deploymentId, author, message })
      .onConflict('id')
      .ignore()
      .execute('run');
    if (added.affectedRows > 0 && by !== 'publisher')
      await audit(tx, by, { workspaceId, action: 'comment', subjectType: DEPLOYMENT, subjectId: deploymentId });
    return em.findOneOrFail(DeploymentComment, { id });
  });
}

/** The rollouts that have not ended. */
export const OPEN_ROLLOUTS: RolloutState[] = ['scheduled', 'rolling'];

/** A deployment's rollout state. */
export type RolloutFacts = Pick<
  DeploymentRow,
  'rolloutState' | 'rolloutPercentage' | 'rolloutStartedAt' | 'rolloutSteps' | 'effectiveAt' | 'rolloutReason'
>;

/** The review queue, by the status that is shown (`scheduled`: a dearer version before its day): oldest reviews first, after the review `afterId`, and whether more follow. */
export async function readReviews(
  rows: AnyRows,
  { status, afterId, limit }: { status: string; afterId: string | null; limit: number },
): Promise<{ reviews: ReviewRow[]; hasMore: boolean }> {
  // An erased workspace takes its reviews along.
  const values = [status, limit + 1, afterId, afterId === null ? null : timeOfId(afterId)];
  const found = (await rows.statement(({ client }) => client.query<ReviewRow>(REVIEWS, values))).rows;
  return { reviews: found.slice(0, limit), hasMore: found.length > limit };
}

/** A submission in the review queue. */
export interface ReviewRow {
  id: string;
  agentId: string;
  agent: string;
  agentName: string;
  publisher: string;
  versionId: string;
  versionNumber: number;
  versionLabel: string;
  status: string;
  rolloutState: DeploymentRow['rolloutState'];
  effectiveAt: Date | null;
  reviewFeedback: RecordedFeedback[];
  createdAt: Date;
  decidedAt: Date | null;
}

/** SQL: the columns of a `ReviewRow`, and below their tables. */
export const REVIEW_COLUMNS = `
d.id, d.agent_id as "agentId", a.namespace || '/' || a.slug as agent, v.configuration ->> 'name' as "agentName", w.name as publisher,
  d.version_id as "versionId", v.number as "versionNumber", v.label as "versionLabel", d.status, d.review_feedback as "reviewFeedback",
  d.created_at as "createdAt", d.decided_at as "decidedAt", d.rollout_state as "rolloutState", d.effective_at as "effectiveAt"`;
export const REVIEW_TABLES =
  'deployments d join agents a on a.id = d.agent_id join agent_versions v on v.id = d.version_id join workspaces w on w.id = d.workspace_id';

// Raw here and below: the ORM cannot join tables whose entities refer to each other only by id.
const REVIEWS = `
select ${REVIEW_COLUMNS}
from ${REVIEW_TABLES}
where d.visibility = 'public' and d.status = case $1 when 'scheduled' then 'active' else $1 end
  and (d.status <> 'active' or (d.rollout_state is not distinct from 'scheduled') = ($1 = 'scheduled')) and ${isLiveSql('d.workspace_id')}
  and ($3::text is null or (d.created_at, d.id) > (coalesce((select created_at from deployments where id = $3), $4::timestamptz), $3))
order by d.created_at, d.id limit $2`;

const DEPLOYMENT = 'agent.deployment';

/** Audits an action on a deployment. */
export const auditDeployment = (
  tx: AnyTransaction,
  by: Actor,
  { deploymentId, ...entry }: { workspaceId: string; action: string; deploymentId: string; detail: object },
): Promise<void> => audit(tx, by, { ...entry, subjectType: DEPLOYMENT, subjectId: deploymentId });

/**
 * SQL: whether a version of an agent must not run: it is suspended itself, or its agent is, by the public version. A suspended version that
 * was only rolled out to some suspends no other.
 */
export const isSuspendedSql = (of: { agentId: string; visibility: string; versionId: string }): string => `
exists (select from deployments s where s.agent_id = ${of.agentId} and s.visibility = ${of.visibility}
  and (s.version_id = ${of.versionId} and s.suspended_at is not null
    or s.status = 'suspended' and coalesce(s.rollout_state, 'complete') = 'complete'))`;

// Runs `r` ordered by a caller: neither trials of reviews nor tests of drafts.
const ORDERED = `r.source not in ('review', 'test')`;
// Neither reruns, which reuse steps, nor runs started by another agent.
const DIRECT = 'r.rerun_of is null and r.parent_run_id is null';

/** Runs `r` of callers: neither trials of reviews, nor tests of drafts, nor runs of the publisher's own workspace or of test workspaces. */
export const RUN_BY_CALLER = `${ORDERED} and r.workspace_id <> r.publisher_workspace_id and ${isLiveSql('r.workspace_id')}`;

/**
 * The runs that measure an agent's quality. Excluded: reruns, which reuse steps; rehearsals, whose model is replaced by rules; and runs
 * started by another agent, with its input and money: its publisher could start many of them at others' cost.
 */
export const COUNTED_RUN = `${RUN_BY_CALLER} and ${DIRECT} and not r.rehearsed`;

/** The runs that judge a rollout: the same, and in a test workspace, which has no other callers, its own. */
export const JUDGED_RUN = `(${COUNTED_RUN} or ${ORDERED} and ${DIRECT} and r.workspace_id = r.publisher_workspace_id and ${isTestSql('r.workspace_id')})`;

/** An agent's results for callers in the last `QUALITY_DAYS`, from settled runs. Medians and rates are null without runs. */
interface AgentQuality {
  runs: number;
  completed: number;
  /** Share of completed runs among those not cancelled, 0 to 1. */
  completionRate: number | null;
  medianCostNanos: bigint | null;
  medianDurationSeconds: number | null;
  /** Share of refunded runs among billed ones, 0 to 1. */
  refundRate: number | null;
}

/** The quality card of an agent, over all of its versions. */
export async function readAgentQuality(rows: AnyRows, agentId: string): Promise<AgentQuality> {
  const found = await rows.statement(({ client }) => client.query(QUALITY, [agentId]));
  const { medianCostNanos, ...row } = found.rows[0];
  return { ...row, medianCostNanos: medianCostNanos === null ? null : BigInt(medianCostNanos) };
}

const QUALITY = `
with settled as (
  select r.*, exists (select from ledger_legs e where e.kind = 'refund' and e.subject = r.id) as refunded
  from runs r where r.agent_id = $1 and ${COUNTED_RUN} and r.settled_at > now() - interval '${QUALITY_DAYS} days')
select count(*)::int as runs, count(*) filter (where status = 'completed')::int as completed,
  (count(*) filter (where status = 'completed'))::float8 / nullif(count(*) filter (where status <> 'cancelled'), 0) as "completionRate",
  percentile_disc(0.5) within group (order by total_nanos) filter (where status = 'completed') as "medianCostNanos",
  percentile_cont(0.5) within group (order by extract(epoch from completed_at - started_at)::float8) filter (where status = 'completed')
    as "medianDurationSeconds",
  (count(*) filter (where refunded))::float8 / nullif(count(*) filter (where total_nanos > 0), 0) as "refundRate"
from settled`;

/** Adds the columns of stored feedback. */
export function withIds(feedback: Feedback[]): RecordedFeedback[] {
  return feedback.map((item) => ({ id: newId('rfb'), ...item, created_at: new Date().toISOString() }));
}
