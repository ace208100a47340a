import type { DeploymentRow, RolloutFacts } from '../../db/agents/deployments.ts';
import type { RecordedFeedback, StepRecord, StepResults } from '../../db/entities/agent.ts';
import type { AgentModels } from '../../db/agents/agentModels.ts';
import { freeFindings } from '../../db/agents/configuration.ts';
import { deprecationOf, takenDownOf } from '../../db/agents/endings.ts';
import { shownNamespace } from '../../db/agents/namespaces.ts';
import { usdOf } from '../../db/money.ts';
import type { ListedVersion, PublisherAgent } from '../../db/publishing/publisherAgents.ts';
import type { AgentFeedback } from '../../db/runs/feedback.ts';
import type { Context } from '../context.ts';
import { ifMatchMalformed, ifMatchRequired } from './errors.ts';
import type { AgentVersion, CallerFeedback, Deployment, PublisherAgentAnswer } from './publisherAnswers.ts';
import type { z } from 'zod';

/** A publisher's agent in its public form. Name, description and notices come from the draft. */
export function presentPublisherAgent(
  agent: PublisherAgent,
  { isFree }: Pick<AgentModels, 'isFree'>,
): z.infer<typeof PublisherAgentAnswer> {
  return {
    id: agent.id,
    object: 'publisher.agent',
    namespace: shownNamespace(agent.namespace),
    slug: agent.slug,
    name: agent.draft.name,
    description: agent.draft.description,
    draft_revision: agent.draftRevision,
    private_deployment: agent.privateDeployment && presentDeployment(agent.privateDeployment),
    public_deployment: agent.publicDeployment && presentDeployment(agent.publicDeployment),
    public_submission: agent.publicSubmission && presentDeployment(agent.publicSubmission),
    taken_down: takenDownOf(agent),
    deprecation: deprecationOf(agent),
    notices: freeFindings(agent.draft, isFree(agent.draft, agent.workspaceId)).map(({ code, path, message }) => ({
      code,
      path,
      message,
    })),
    created_at: agent.createdAt.toISOString(),
    updated_at: agent.updatedAt.toISOString(),
  };
}

/** A deployment with the feedback of its review. */
export function presentDeployment(row: DeploymentRow): z.infer<typeof Deployment> {
  return {
    id: row.id,
    object: 'agent.deployment',
    agent_id: row.agentId,
    version_id: row.versionId,
    visibility: row.visibility,
    ...statusOf(row),
    rollout: presentRollout(row),
    review_feedback: presentFeedback(row.reviewFeedback),
    created_at: row.createdAt.toISOString(),
    activated_at: isScheduled(row) ? null : (row.activatedAt?.toISOString() ?? null),
  };
}

type Approved = Pick<DeploymentRow, 'rolloutState' | 'effectiveAt'> & { status: string };

/** Whether a dearer version is approved and waits for its day. */
const isScheduled = ({ status, rolloutState }: Approved) => status === 'active' && rolloutState === 'scheduled';

/** The status of a deployment: a dearer version is not active until its day. */
export const statusOf = (row: Approved) => ({
  status: isScheduled(row) ? ('scheduled' as const) : (row.status as DeploymentRow['status']),
  active_from: isScheduled(row) ? row.effectiveAt!.toISOString() : null,
});

type Rollout = NonNullable<z.infer<typeof Deployment>['rollout']>;

/** How a version becomes the default; null if it is neither approved nor planned, or predates rollouts. */
export function presentRollout(row: RolloutFacts & { status: string }): Rollout | null {
  const state = row.rolloutState ?? (row.rolloutSteps && row.status === 'in_review' ? 'planned' : null);
  return (
    state && {
      state,
      percentage: row.rolloutPercentage,
      started_at: row.rolloutStartedAt?.toISOString() ?? null,
      effective_at: row.effectiveAt?.toISOString() ?? null,
      reason: row.rolloutReason,
      steps: (row.rolloutSteps ?? []).map(presentStep),
    }
  );
}

const presentStep = (step: StepRecord): Rollout['steps'][number] => ({
  percentage: step.percentage,
  runs_min: step.runsMin,
  hours_min: step.hoursMin,
  started_at: step.startedAt,
  ended_at: step.endedAt,
  outcome: step.outcome,
  new_version: presentSeen(step.next),
  live_version: presentSeen(step.live),
});

const presentSeen = (seen: StepResults | null): Rollout['steps'][number]['new_version'] =>
  seen && {
    runs: seen.runs,
    completion_rate: seen.completionRate,
    median_cost_usd: seen.medianCostNanos === null ? null : usdOf(BigInt(seen.medianCostNanos)),
  };

/** The feedback of a review in the publisher's form. */
export const presentFeedback = (feedback: RecordedFeedback[]): z.infer<typeof Deployment>['review_feedback'] =>
  feedback.map(({ id, source, severity, code, path, message, created_at }) => ({
    id,
    source,
    severity,
    code,
    path,
    message,
    created_at,
  }));

/** A frozen version. */
export function presentVersion(row: ListedVersion): z.infer<typeof AgentVersion> {
  return {
    id: row.id,
    object: 'agent.version',
    agent_id: row.agentId,
    number: row.number,
    version: row.label,
    source_revision: row.sourceRevision,
    configuration: row.configuration,
    was_submitted: row.wasSubmitted,
    created_at: row.createdAt.toISOString(),
  };
}

/** Anonymous feedback. */
export function presentFeedbackOfCaller(row: AgentFeedback): z.infer<typeof CallerFeedback> {
  return {
    id: row.id,
    object: 'agent.feedback',
    outcome: row.outcome,
    reason: row.reason,
    source: row.source,
    version_id: row.versionId,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

const DRAFT_ETAG = /^"draft-([1-9]\d{0,8})"$/;

/** The draft revision in `If-Match`. Throws 428 without `If-Match`, and 422 unless it is the ETag of one draft. */
export function draftRevisionOf(ctx: Context): number {
  const given = ctx.get('if-match');
  if (given === '') throw ifMatchRequired();
  const match = DRAFT_ETAG.exec(given);
  if (!match) throw ifMatchMalformed();
  return Number(match[1]);
}

/** Sets the ETag of the draft's revision. */
export function setDraftEtag(ctx: Context, revision: number): void {
  ctx.set('etag', `"draft-${revision}"`);
}
