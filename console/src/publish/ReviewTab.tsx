import { Button, Group, Stack } from '@mantine/core';
import { api, sendJson } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { EvaluationEvidence } from '../evaluations/EvaluationEvidence.tsx';
import { Confirmed } from '../parts/Confirmed.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { CommentForm } from './CommentForm.tsx';
import type { Configuration, Deployment, PublisherAgent } from './configuration.ts';
import { needsAction, Outcome } from './Outcome.tsx';
import { Trials } from './Trials.tsx';
import { CommentList, DeploymentStatus, FeedbackList, RolloutButtons, RolloutState } from './reviewParts.tsx';

const TRIALS_MS = 3_000;

/** The latest submission: its state, its findings, and the comments. */
export function ReviewTab({ agent, draft }: { agent: PublisherAgent; draft: Configuration }) {
  const submission = agent.public_submission ?? agent.public_deployment;
  if (!submission)
    return (
      <div className="panel">
        <EmptyState drawing="signal" title="Not submitted yet">
          Submit the draft when it is ready. Checks and trials run at once, then an operator decides.
        </EmptyState>
      </div>
    );
  return <Submission agent={agent} draft={draft} submission={submission} />;
}

function Submission({
  agent,
  draft,
  submission,
}: {
  agent: PublisherAgent;
  draft: Configuration;
  submission: Deployment;
}) {
  const path = `/v1/publisher/deployments/${submission.id}`;
  const commentsKey = ['publisher', 'comments', submission.id];
  const comments = useAnswer(commentsKey, (signal) =>
    api.GET('/v1/publisher/deployments/{deployment_id}/comments', {
      params: { path: { deployment_id: submission.id } },
      signal,
    }),
  );
  const trials = useAnswer(
    ['publisher', 'trials', submission.id],
    (signal) =>
      api.GET('/v1/publisher/deployments/{deployment_id}/trials', {
        params: { path: { deployment_id: submission.id } },
        signal,
      }),
    { refetchInterval: submission.status === 'in_review' ? TRIALS_MS : false },
  );
  const evaluation = useAnswer(['publisher', 'evaluation', submission.id], (signal) =>
    api.GET('/v1/publisher/deployments/{deployment_id}/evaluation', {
      params: { path: { deployment_id: submission.id } },
      signal,
    }),
  );
  return (
    <div className="draft">
      <Stack gap="sm">
        {needsAction(submission) ? (
          <Outcome agent={agent} draft={draft} submission={submission} />
        ) : (
          <Panel title="Findings">
            <FeedbackList feedback={submission.review_feedback} />
          </Panel>
        )}
        <EvaluationEvidence of={evaluation.data} hasRuns />
        <Panel
          title="Trials"
          description="Each example prompt with this version and with the public one. Free, unless you withdraw the submission."
        >
          <Trials trials={trials.data?.data ?? []} path={`${path}/trials`} />
        </Panel>
        <Panel title="Comments">
          <Stack>
            <CommentList comments={comments.data?.data ?? []} />
            <CommentForm path={`${path}/comments`} stale={[commentsKey]} />
          </Stack>
        </Panel>
      </Stack>
      <aside className="draft-side" aria-label="State">
        <State submission={submission} path={path} />
        {submission.status === 'in_review' && <TestOutcomes path={path} />}
      </aside>
    </div>
  );
}

/** The state of the submission, and what its publisher can do with it. */
function State({ submission, path }: { submission: Deployment; path: string }) {
  const stale = [['publisher']];
  const withdraw = useChange(() => sendJson(`${path}/withdraw`, {}), { stale, done: 'Submission withdrawn' });
  const { status, created_at: submittedAt, activated_at: publicAt, rollout } = submission;
  return (
    <Panel title="Submission">
      <Stack gap="sm">
        <dl className="side-facts">
          <div>
            <dt>Status</dt>
            <dd>
              <DeploymentStatus {...submission} />
            </dd>
          </div>
          <div>
            <dt>Submitted</dt>
            <dd>
              <DateTime at={submittedAt} />
            </dd>
          </div>
          {publicAt && rollout?.state !== 'scheduled' && (
            <div>
              <dt>Public since</dt>
              <dd>
                <DateTime at={publicAt} />
              </dd>
            </div>
          )}
        </dl>
        <RolloutState rollout={rollout} />
        <RolloutButtons rollout={rollout} path={path} stale={stale} />
        {status === 'in_review' && (
          <Confirmed
            title="Withdraw this submission?"
            confirmLabel="Withdraw submission"
            change={withdraw}
            trigger={(ask) => (
              <Button variant="default" fullWidth onClick={ask}>
                Withdraw
              </Button>
            )}
          >
            It is reviewed no further, and its trials are billed to this workspace. The draft stays as it is.
          </Confirmed>
        )}
      </Stack>
    </Panel>
  );
}

const OUTCOMES = [
  ['approve', 'Approve'],
  ['changes', 'Request changes'],
  ['reject', 'Reject'],
] as const;

const DECIDED = { approve: 'Approved', changes: 'Changes requested', reject: 'Rejected' };

/** In test mode, the outcomes that the review can have: no operator decides there. */
function TestOutcomes({ path }: { path: string }) {
  const { mode } = useMe();
  const decide = useChange((outcome: keyof typeof DECIDED) => sendJson(`${path}/test_review`, { outcome }), {
    stale: [['publisher']],
    done: (_, outcome) => DECIDED[outcome],
  });
  if (mode !== 'test') return null;
  return (
    <Panel title="Outcome" description="In test mode you are the reviewer: see how each outcome looks to a publisher.">
      <Group gap="xs">
        {OUTCOMES.map(([outcome, name]) => (
          <Button
            key={outcome}
            variant="default"
            disabled={decide.isPending}
            loading={decide.isPending && decide.variables === outcome}
            onClick={() => decide.mutate(outcome)}
          >
            {name}
          </Button>
        ))}
      </Group>
    </Panel>
  );
}
