import { Button, Group, Stack, Text } from '@mantine/core';
import { api, sendJson } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { EmptyState } from '../parts/EmptyState.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { CommentForm } from './CommentForm.tsx';
import type { Deployment, PublisherAgent } from './configuration.ts';
import { Trials } from './Trials.tsx';
import { CommentList, DeploymentStatus, FeedbackList, RolloutButtons, RolloutState } from './reviewParts.tsx';

const TRIALS_MS = 3_000;

/** The latest submission: its state, its findings, and the comments. */
export function ReviewTab({ agent }: { agent: PublisherAgent }) {
  const submission = agent.public_submission ?? agent.public_deployment;
  if (!submission)
    return (
      <div className="panel">
        <EmptyState drawing="signal" title="Nothing was submitted yet">
          Submit the draft when it is ready. Checks and trials run at once, then a person decides.
        </EmptyState>
      </div>
    );
  return <Submission submission={submission} />;
}

function Submission({ submission }: { submission: Deployment }) {
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
  const withdraw = useChange(() => sendJson(`${path}/withdraw`, {}), { stale: [['publisher']], done: 'Withdrawn.' });
  return (
    <Stack gap="sm">
      <Panel
        title="Submission"
        actions={
          submission.status === 'in_review' && (
            <Button variant="default" size="xs" loading={withdraw.isPending} onClick={() => withdraw.mutate(undefined)}>
              Withdraw
            </Button>
          )
        }
      >
        <Group gap="xl">
          <DeploymentStatus {...submission} />
          <Text size="sm">
            Submitted <DateTime at={submission.created_at} />
          </Text>
          <RolloutState rollout={submission.rollout} />
          <RolloutButtons rollout={submission.rollout} path={path} stale={[['publisher']]} />
          {submission.activated_at && submission.rollout?.state !== 'scheduled' && (
            <Text size="sm">
              Public since <DateTime at={submission.activated_at} />
            </Text>
          )}
        </Group>
      </Panel>
      {submission.status === 'in_review' && <TestOutcomes path={path} />}
      <Panel title="Findings">
        <FeedbackList feedback={submission.review_feedback} />
      </Panel>
      <Panel
        title="Trials"
        description="Each example prompt with this version, and with the public one. They cost you nothing, unless you withdraw the submission."
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
  );
}

const OUTCOMES = [
  ['approve', 'Approve'],
  ['changes', 'Request changes'],
  ['reject', 'Reject'],
] as const;

/** In test mode, the outcomes that the review can have: no operator decides there. */
function TestOutcomes({ path }: { path: string }) {
  const { mode } = useMe();
  const decide = useChange((outcome: string) => sendJson(`${path}/test_review`, { outcome }), {
    stale: [['publisher']],
    done: 'Decided.',
  });
  if (mode !== 'test') return null;
  return (
    <Panel title="Outcome" description="In test mode you are the reviewer: see how each outcome looks to a publisher.">
      <Group>
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
