import '../parts/work.css';
import { Anchor, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { components } from '../api/openapi.d.ts';
import { DateTime } from '../parts/figures.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
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
  const { id } = useParams({ strict: false }) as { id: string };
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
  if (!review.data) return <Skeleton height={360} />;
  const { data } = review;
  const temporalUrl = me.features.temporal_ui_url;
  return (
    <>
      <PageHeader
        title={data.name || data.agent}
        description={
          <>
            <span className="id">{data.agent}</span>, version {data.version_number}, by {data.publisher}
          </>
        }
        actions={
          <Group>
            <Button variant="default" size="xs" loading={review.isFetching} onClick={() => void review.refetch()}>
              Read again
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
            <DeploymentStatus {...data} />
          </Group>
        }
      />
      <Stack gap="lg">
        <Decision review={data} />
        <Rollout review={data} />
        <Panel title="Evidence" description="What the automatic checks and the trials found.">
          <FeedbackList feedback={data.review_feedback} />
        </Panel>
        <ReviewTrials id={id} readAt={review.dataUpdatedAt} />
        <Panel title="Difference to what is public">
          <Changes
            changes={changesBetween(data.live_configuration, data.configuration)}
            empty="It is the same as the public version."
          />
        </Panel>
        <Panel title="Comments">
          <Stack>
            <CommentList comments={data.comments} />
            <CommentForm path={`/console/v1/deployments/${id}/comments`} stale={[['reviews', id]]} />
          </Stack>
        </Panel>
        <Trail audit={data.audit} />
      </Stack>
    </>
  );
}

function Rollout({ review: { id, rollout } }: { review: Review }) {
  return (
    <>
      <RolloutState rollout={rollout} />
      <RolloutButtons rollout={rollout} path={`/console/v1/deployments/${id}`} stale={[['reviews'], ['audit']]} />
    </>
  );
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

function Trail({ audit }: { audit: Review['audit'] }) {
  return (
    <Panel title="Audit">
      {audit.length === 0 && <Text c="dimmed">Nothing was decided yet.</Text>}
      {audit.length > 0 && (
        <div className="table-region" role="region" aria-label="Audit of this submission" tabIndex={0}>
          <Table verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Time</Table.Th>
                <Table.Th scope="col">Action</Table.Th>
                <Table.Th scope="col">By</Table.Th>
                <Table.Th scope="col">Request</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {audit.map((row) => (
                <Table.Tr key={`${row.created_at} ${row.action} ${row.request_id}`}>
                  <Table.Td>
                    <DateTime at={row.created_at} />
                  </Table.Td>
                  <Table.Td>{row.action}</Table.Td>
                  <Table.Td className="file-name">{row.by ?? row.key_id ?? '—'}</Table.Td>
                  <Table.Td className="id">{row.request_id}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Panel>
  );
}
