import type { Queryable } from '../postgres/queryable.ts';
import type { RunRow } from '../runs/runRow.ts';
import type { ResolvedAgent } from './publicAgents.ts';
import { withIds, type Feedback } from './deployments.ts';

/** A version that was submitted, as if it could be run, and where its review stands. */
export interface Submission extends ResolvedAgent {
  status: string;
  /** The request that moved it last; null before the first move. */
  moveRequestId: string | null;
}

/** What a deployment would publish. Throws when there is no such deployment. */
export async function readSubmission(pool: Queryable, deploymentId: string): Promise<Submission> {
  const { rows } = await pool.query<Submission>(SUBMISSION, [deploymentId]);
  if (!rows[0]) throw new Error(`there is no deployment ${deploymentId}`);
  return rows[0];
}

const SUBMISSION = `
select a.id as "agentId", a.namespace || '/' || a.slug as agent, v.configuration ->> 'name' as "agentName",
  a.workspace_id as "publisherWorkspaceId", v.id as "versionId", v.label as version, v.configuration,
  a.subsidised_at is not null as subsidised, false as suspended, d.status,
  d.move_request_id as "moveRequestId"
from deployments d join agents a on a.id = d.agent_id join agent_versions v on v.id = d.version_id where d.id = $1`;

/** The run that a trial was. Throws when there is none. */
export async function readTrialRun(pool: Queryable, runId: string): Promise<RunRow> {
  const { rows } = await pool.query<RunRow>('select * from runs where id = $1', [runId]);
  if (!rows[0]) throw new Error(`there is no run ${runId}`);
  return rows[0];
}

/** What the trials of a submission have cost, in nano-USD: one that has not ended counts with all it may cost. */
export async function readTrialCost(
  pool: Queryable,
  { deploymentId, exceptRunId }: { deploymentId: string; exceptRunId: string },
): Promise<bigint> {
  const { rows } = await pool.query(TRIAL_COST, [deploymentId, exceptRunId]);
  return BigInt(rows[0].total);
}

// A failed trial is not billed, and has cost the platform what it consumed all the same.
const TRIAL_COST = `
select coalesce(sum(case when r.settled_at is null then r.max_cost_nanos else r.total_nanos + r.absorbed_nanos end), 0) as total
from deployments d join runs r on r.version_id = d.version_id and r.agent_id = d.agent_id
where d.id = $1 and r.source = 'review' and r.id <> $2`;

/**
 * Adds what a check has found to a submission, once for each check: a check that is repeated takes the place of what it said before.
 * Returns how much of it blocks.
 */
export async function recordFindings(
  pool: Queryable,
  { deploymentId, check, findings }: { deploymentId: string; check: string; findings: Omit<Feedback, 'source'>[] },
): Promise<number> {
  const items = withIds(findings.map((finding) => ({ source: 'automatic' as const, ...finding })));
  await pool.query(RECORD, [deploymentId, check, JSON.stringify(items.map((item) => ({ ...item, check })))]);
  return findings.filter(({ severity }) => severity === 'blocking').length;
}

const RECORD = `
update deployments set review_feedback = coalesce((select jsonb_agg(item) from jsonb_array_elements(review_feedback) item
  where item ->> 'check' is distinct from $2), '[]') || $3::jsonb
where id = $1 and status = 'in_review'`;

/** The review's workflow runs, so the sweep need not start it. */
export async function markReviewStarted(pool: Queryable, deploymentId: string): Promise<void> {
  await pool.query('update deployments set review_started_at = coalesce(review_started_at, now()) where id = $1', [
    deploymentId,
  ]);
}

/**
 * Submissions that wait for a decision without a review at work for longer than ten seconds: their API process died, Temporal was away, or
 * the workflow was ended from outside. `openIds`: those whose workflow is open.
 */
export async function listReviewsToStart(pool: Queryable, openIds: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(TO_START, [openIds]);
  return rows.map(({ id }) => id);
}

/** Those of the given submissions that were decided a while ago: the decision itself notifies the workflow at once. */
export async function listDecidedReviews(pool: Queryable, openIds: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(DECIDED, [openIds]);
  return rows.map(({ id }) => id);
}

const TO_START = `
select id from deployments where status = 'in_review' and created_at < now() - interval '10 seconds' and not (id = any ($1))
order by created_at limit 100`;

const DECIDED = `
select id from deployments where id = any ($1) and status <> 'in_review' and decided_at < now() - interval '5 seconds' limit 100`;

/** Records that a review has waited long: an audit row, once for each level. */
export async function recordReminder(
  pool: Queryable,
  { deploymentId, level }: { deploymentId: string; level: 'reminder' | 'escalation' },
): Promise<void> {
  await pool.query(REMIND, [`aud_${deploymentId.replace(/^dep_/, '')}${level}`, `review_${level}`, deploymentId]);
}

const REMIND = `
insert into audit_entries (id, workspace_id, key_id, action, subject_type, subject_id, request_id)
select $1, d.workspace_id, 'system', $2, 'agent.deployment', d.id, 'system' from deployments d where d.id = $3 and d.status = 'in_review'
on conflict do nothing`;
