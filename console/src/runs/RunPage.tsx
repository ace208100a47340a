import { Anchor, Group, Skeleton, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { RunFeedback } from './RunFeedback.tsx';
import { isOver } from './RunStatus.tsx';
import { RunView } from './RunView.tsx';
import type { Run } from './runEvents.ts';

export default function RunPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const me = useMe();
  const run = useAnswer(['runs', id], (signal) =>
    api.GET('/v1/runs/{run_id}', { params: { path: { run_id: id } }, signal }),
  );
  if (run.error && !run.data) {
    const list = { path: '/runs', name: 'All runs' };
    return <PageFailure title="Run" id={id} error={run.error} retry={() => void run.refetch()} list={list} />;
  }
  const temporalUrl = me.is_operator ? me.features.temporal_ui_url : null;
  return (
    <>
      <PageHeader
        title="Run"
        description={<span className="id">{id}</span>}
        actions={
          <Group gap="md">
            {run.data && (
              <>
                <Anchor component={Link} {...{ to: `/agents/${run.data.agent}` }}>
                  {run.data.agent}
                </Anchor>
                <Anchor component={Link} {...{ to: `/sessions/${run.data.session_id}` }}>
                  Files of its session
                </Anchor>
              </>
            )}
            {run.data?.rerun_of && (
              <Anchor component={Link} {...{ to: `/runs/${run.data.rerun_of.run_id}/compare/${id}` }}>
                Compare with the run that it repeats
              </Anchor>
            )}
            {run.data?.parent_run_id && (
              <Anchor component={Link} {...{ to: `/runs/${run.data.parent_run_id}` }}>
                The run that started it
              </Anchor>
            )}
            {temporalUrl && run.data && (
              <Anchor href={`${temporalUrl}/workflows/${id}`} target="_blank" rel="noreferrer">
                Workflow in Temporal
              </Anchor>
            )}
          </Group>
        }
      />
      <Stack gap="lg">
        {run.data && <Asked run={run.data} />}
        {run.isLoading && <Skeleton height={100} />}
        <RunView id={id} />
        {run.data && isOver(run.data.status) && <RunFeedback runId={id} />}
      </Stack>
    </>
  );
}

/** The run's input, as it was sent. */
function Asked({ run }: { run: Run }) {
  const items = Array.isArray(run.input) ? (run.input as Record<string, string>[]) : [{ text: run.input as string }];
  if (run.input === null) return <Panel title="Input">It was deleted.</Panel>;
  const pairs = Object.entries(run.metadata);
  return (
    <Panel title="Input">
      <Stack gap="xs">
        {items.map((item, at) =>
          item.file_id ? (
            <span key={at} className="id">
              {item.file_id}
            </span>
          ) : (
            <pre key={at} className="written">
              {item.text}
            </pre>
          ),
        )}
        {pairs.length > 0 && (
          <dl className="facts">
            {pairs.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Stack>
    </Panel>
  );
}
