import { Anchor, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CopiedId } from '../parts/CopiedId.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { CompareMenu } from './CompareMenu.tsx';
import { Rerun } from './Rerun.tsx';
import { ShareRun } from './ShareRun.tsx';
import { RunFeedback } from './RunFeedback.tsx';
import { isOver } from './RunStatus.tsx';
import { CancelRun, RunView } from './RunView.tsx';
import type { Run } from './runEvents.ts';

export default function RunPage() {
  const id = usePathParam('id');
  const run = useAnswer(['runs', id], (signal) =>
    api.GET('/v1/runs/{run_id}', { params: { path: { run_id: id } }, signal }),
  );
  if (run.error && !run.data) {
    const list = { path: '/runs', name: 'All runs' };
    return <PageFailure title="Run" id={id} error={run.error} retry={() => void run.refetch()} list={list} />;
  }
  return (
    <>
      <PageHeader
        title={run.data ? `Run of ${run.data.agent}` : 'Run'}
        description={<CopiedId id={id} name="Copy the run ID" />}
        actions={run.data && <Actions run={run.data} />}
      />
      <Stack gap="sm">
        <RunView key={id} id={id} />
        {run.data && isOver(run.data.status) && <RunFeedback runId={id} />}
      </Stack>
    </>
  );
}

function Actions({ run }: { run: Run }) {
  const me = useMe();
  const temporalUrl = me.is_operator ? me.features.temporal_ui_url : null;
  return (
    <Group gap="xs">
      {isOver(run.status) && run.input !== null && <Rerun run={run} step={null} />}
      {isOver(run.status) && <ShareRun run={run} />}
      {run.parent_run_id && (
        <Anchor component={Link} size="sm" {...{ to: `/runs/${run.parent_run_id}` }}>
          Parent run
        </Anchor>
      )}
      {temporalUrl && (
        <Anchor size="sm" href={`${temporalUrl}/workflows/${run.id}`} target="_blank" rel="noreferrer">
          Open in Temporal
        </Anchor>
      )}
      <CompareMenu run={run} />
      <CancelRun run={run} />
    </Group>
  );
}
