import type { RolloutState, TestReview, Feedback } from '../../entities/agent.ts';
import type { AnyRows } from '../../postgres/rows.ts';
import type { ResolvedAgent } from '../../agents/publicAgents.ts';
import { findPlatformWorkspaceId } from '../../workspaces/workspaces.ts';
import { OPEN_ROLLOUTS, withIds } from '../../agents/deployments.ts';
import { shownNamespaceSql } from '../../agents/namespaces.ts';

/** A submitted version in the form of a runnable one, and the state of its review. */
export interface Submission extends ResolvedAgent {
  status: string;
  /** The request of its last transition; null before the first one. */
  moveRequestId: string | null;
  rolloutState: RolloutState | null;
  /** How its review ends; null: an operator decides. */
  testReview: TestReview | null;
}

/** The configuration that a deployment would publish. Throws when there is no such deployment. */
export async function readSubmission(rows: AnyRows, deploymentId: string): Promise<Submission> {
  const found = await rows.statement(({ client }) => client.query<Submission>(SUBMISSION, [deploymentId]));
  if (!found.rows[0]) throw new Error(`there is no deployment ${deploymentId}`);
  return found.rows[0];
}

// Raw here and below: the ORM cannot join tables whose entities refer to each other only by id.
const SUBMISSION = `
select a.id as "agentId", ${shownNamespaceSql('a.namespace')} || '/' || a.slug as agent, v.configuration ->> 'name' as "agentName",
  a.workspace_id as "publisherWorkspaceId", v.id as "versionId", v.label as version, v.configuration,
  a.subsidised_at is not null as subsidised, false as suspended, d.status,
  d.move_request_id as "moveRequestId", d.rollout_state as "rolloutState", d.test_review as "testReview"
from deployments d join agents a on a.id = d.agent_id join agent_versions v on v.id = d.version_id where d.id = $1`;

/**
 * Adds a check's findings to a submission; a repeated check replaces its earlier findings. Returns the number of blocking findings.
 */
export async function recordFindings(
  rows: AnyRows,
  { deploymentId, check, findings }: { deploymentId: string; check: string; findings: Omit<Feedback, 'source'>[] },
): Promise<number> {
  const items = withIds(findings.map((finding) => ({ source: 'automatic' as const, ...finding })));
  const recorded = JSON.stringify(items.map((item) => ({ ...item, check })));
  const others = `coalesce((select jsonb_agg(item) from jsonb_array_elements(review_feedback) item where item ->> 'check' is distinct from ?), '[]')`;
  await rows.statement(({ em, Deployment, raw }) =>
    em.nativeUpdate(
      Deployment,
      { id: deploymentId, status: 'in_review' },
      { reviewFeedback: raw(`${others} || ?::jsonb`, [check, recorded]) },
    ),
  );
  return findings.filter(({ severity }) => severity === 'blocking').length;
}

/** Records that the automatic checks were not finished: a submission without findings would look like a checked one. */
export async function recordBrokenChecks(rows: AnyRows, { deploymentId }: { deploymentId: string }): Promise<void> {
  const message = 'The automatic checks could not be finished; a reviewer will look at what they have not.';
  const findings = [{ severity: 'advisory' as const, code: 'checks_incomplete', path: '', message }];
  await recordFindings(rows, { deploymentId, check: 'checks', findings });
}

/** Records that the review's workflow runs, so that the sweep need not start it. */
export async function markReviewStarted(rows: AnyRows, id: string): Promise<void> {
  await rows.statement(({ em, Deployment, sql }) =>
    em.nativeUpdate(Deployment, { id, reviewStartedAt: null }, { reviewStartedAt: sql.now() }),
  );
}

/**
 * The platform's own agents published without a review and not tried yet. They wait a minute, so that a new installation first serves its
 * callers.
 */
export async function listUntried(rows: AnyRows): Promise<string[]> {
  const workspaceId = await findPlatformWorkspaceId(rows);
  if (workspaceId === undefined) return [];
  const found = await rows.statement(({ em, Deployment, sql }) =>
    em.find(Deployment, {
      workspaceId,
      visibility: 'public',
      status: 'active',
      reviewStartedAt: null,
      [sql`decided_at = created_at`]: [],
      createdAt: { $lt: sql`now() - interval '1 minute'` },
    }),
  );
  return found.map(({ id }) => id);
}

/**
 * Submissions that have waited for a decision without a running review for more than ten seconds: their API process died, Temporal was
 * down, or an operator terminated the workflow. `openIds`: the submissions with an open workflow.
 */
export async function listReviewsToStart(rows: AnyRows, openIds: string[]): Promise<string[]> {
  const found = await rows.statement(({ em, Deployment, sql }) =>
    em.find(
      Deployment,
      { status: 'in_review', createdAt: { $lt: sql`now() - interval '10 seconds'` }, id: { $nin: openIds } },
      { orderBy: { createdAt: 'asc' }, limit: 100 },
    ),
  );
  return found.map(({ id }) => id);
}

/** Rolling versions without a running workflow. */
export async function listRolloutsToStart(rows: AnyRows, openIds: string[]): Promise<string[]> {
  const isOpen = { status: 'active' as const, rolloutState: OPEN_ROLLOUTS };
  const found = await rows.statement(({ em, Deployment, sql }) =>
    em.find(
      Deployment,
      { ...isOpen, decidedAt: { $lt: sql`now() - interval '10 seconds'` }, id: { $nin: openIds } },
      { limit: 100 },
    ),
  );
  return found.map(({ id }) => id);
}

/** Those of the given submissions that were decided some time ago: the decision itself notifies the workflow at once. */
export async function listDecidedReviews(rows: AnyRows, openIds: string[]): Promise<string[]> {
  const found = await rows.statement(({ em, Deployment, sql }) =>
    em.find(
      Deployment,
      {
        id: openIds,
        status: { $ne: 'in_review' },
        decidedAt: { $lt: sql`now() - interval '5 seconds'` },
        // Versions published without a review are tried without a decision.
        [sql`decided_at <> created_at`]: [],
        // The workflow continues while the version is rolled out.
        $or: [
          { status: { $ne: 'active' } },
          { rolloutState: { $nin: OPEN_ROLLOUTS } },
          { rolloutState: null },
          { rolloutCheckedAt: null },
        ],
      },
      { limit: 100 },
    ),
  );
  return found.map(({ id }) => id);
}

/** Records that a review is overdue: one audit row for each level. */
export async function recordReminder(
  rows: AnyRows,
  { deploymentId, level }: { deploymentId: string; level: 'reminder' | 'escalation' },
): Promise<void> {
  await rows.transaction(async ({ em, AuditEntry, Deployment }) => {
    const deployment = await em.findOne(Deployment, { id: deploymentId, status: 'in_review' });
    if (!deployment) return;
    const { workspaceId } = deployment;
    const id = `aud_${deploymentId.replace(/^dep_/, '')}${level}`;
    const bySystem = { keyId: 'system', requestId: 'system', action: `review_${level}` };
    const entry = { id, workspaceId, ...bySystem, subjectType: 'agent.deployment', subjectId: deploymentId };
    await em.qb(AuditEntry).insert(entry).onConflict('id').ignore().execute('run');
  });
}
