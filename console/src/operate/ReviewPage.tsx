import '../publish/publish.css';
import { Anchor, Button, Group, Stack } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { Panel } from '../parts/Panel.tsx';
import { EvaluationEvidence } from '../evaluations/EvaluationEvidence.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { CommentForm } from '../publish/CommentForm.tsx';
import { Trials } from '../publish/Trials.tsx';
import { changesBetween } from '../publish/configuration.ts';
import {
  Changes,
  CommentList,
  DeploymentStatus,
  FeedbackList,
  RolloutButtons,
  RolloutState,
} from '../publish/reviewParts.tsx';
import { Decision } from './Decision.tsx';

type Review = components['schemas']['ReviewDetail'];

export default function ReviewPage() {
  const id = usePathParam('id');
  const me = useMe();
  const review = useAnswer(
    ['reviews', id],
    (signal) => api.GET('/console/v1/deployments/{deployment_id}', { params: { path: { deployment_id: id } }, signal }),
    // The audit trail records each reading of a submission, so it is read only on request.
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );
  if (review.error && !review.data) {
    const list = { path: '/operate', name: 'The review queue' };
    const retry = () => void review.refetch();
    return <PageFailure title="Submission" id={id} error={review.error} retry={retry} list={list} />;
  }
  if (!review.data) return <PageStart />;
  const { data } = review;
  const temporalUrl = me.features.temporal_ui_url;
  return (
    <>
      <PageHeader
        title={data.name || data.agent}
        description={
          <>
            <span className="id">{data.agent}</span>, version {data.version}, by {data.publisher}
          </>
        }
        actions={
          <Group>
            <DeploymentStatus {...data} />
            <Button variant="default" loading={review.isFetching} onClick={() => void review.refetch()}>
              Refresh
            </Button>
            {temporalUrl && (
              <Anchor
                href={`${temporalUrl}/workflows/${encodeURIComponent(`review/${id}`)}`}
                target="_blank"
                rel="noreferrer"
              >
                Workflow in Temporal
              </Anchor>
            )}
          </Group>
        }
      />
      <div className="draft">
        <Stack gap="sm">
          <Panel title="Evidence" description="What the automatic checks and the trials found.">
            <FeedbackList feedback={data.review_feedback} />
          </Panel>
          <ReviewEvaluation id={id} readAt={review.dataUpdatedAt} />
          <ReviewTrials id={id} readAt={review.dataUpdatedAt} />
          <Panel title="Changes from the public version">
            <Changes
              changes={changesBetween(data.live_configuration, data.configuration)}
              empty="Same as the public version."
            />
          </Panel>
          <Comments id={id} comments={data.comments} />
          <Trail audit={data.audit} />
        </Stack>
        <aside className="draft-side" aria-label="Decision">
          <Decision review={data} />
          <Rollout review={data} />
        </aside>
      </div>
    </>
  );
}

function Comments({ id, comments }: { id: string; comments: Review['comments'] }) {
  return (
    <Panel title="Comments">
      <Stack>
        <CommentList comments={comments} />
        <CommentForm path={`/console/v1/deployments/${id}/comments`} stale={[['reviews', id]]} />
      </Stack>
    </Panel>
  );
}

function Rollout({ review: { id, rollout } }: { review: Review }) {
  if (!rollout || (rollout.state === 'complete' && rollout.steps.length === 0)) return null;
  return (
    <Panel title="Rollout">
      <Stack gap="sm">
        <RolloutState rollout={rollout} />
        <RolloutButtons rollout={rollout} path={`/console/v1/deployments/${id}`} stale={[['reviews'], ['audit']]} />
      </Stack>
    </Panel>
  );
}

/** The results of the publisher's own cases, reloaded with the submission. */
function ReviewEvaluation({ id, readAt }: { id: string; readAt: number }) {
  const evaluation = useAnswer(
    ['reviews', id, 'evaluation', readAt],
    (signal) =>
      api.GET('/console/v1/deployments/{deployment_id}/evaluation', {
        params: { path: { deployment_id: id } },
        signal,
      }),
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );
  return <EvaluationEvidence of={evaluation.data} />;
}

/** The trials, reloaded with the submission. */
function ReviewTrials({ id, readAt }: { id: string; readAt: number }) {
  const trials = useAnswer(
    ['reviews', id, 'trials', readAt],
    (signal) =>
      api.GET('/console/v1/deployments/{deployment_id}/trials', { params: { path: { deployment_id: id } }, signal }),
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );
  return (
    <Panel title="Trials" description="Each prompt with this version and, for examples, with the public one.">
      <Trials trials={trials.data?.data ?? []} path={`/console/v1/deployments/${id}/trials`} />
    </Panel>
  );
}

type Audited = Review['audit'][number];

function Trail({ audit }: { audit: Audited[] }) {
  return (
    <Panel title="Audit trail">
      <DataTable<Audited>
        label="Audit of this submission"
        columns={TRAIL}
        from={{ rows: audit, error: null, isLoading: false }}
        rowKey={(row) => `${row.created_at} ${row.action} ${row.request_id}`}
        empty="Nothing was decided yet."
      />
    </Panel>
  );
}

const TRAIL: Column<Audited>[] = [
  { title: 'Time', cell: ({ created_at: at }) => <DateTime at={at} /> },
  { title: 'Action', cell: ({ action }) => action },
  { title: 'By', cell: (row) => <span className="cell-short">{row.by ?? row.key_id ?? '—'}</span> },
  { title: 'Request', visibleFrom: 'sm', cell: (row) => <span className="id">{row.request_id}</span> },
];
