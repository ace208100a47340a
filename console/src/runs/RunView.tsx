import '../parts/work.css';
import './runs.css';
import { Anchor, Button, Group, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { RunActions } from './RunAction.tsx';
import { RunInput } from './RunInput.tsx';
import { RunMeters } from './RunMeters.tsx';
import { RunOutput } from './RunOutput.tsx';
import { RunSteps } from './RunSteps.tsx';
import { RunSummary } from './RunSummary.tsx';
import { isOver } from './RunStatus.tsx';
import type { Run } from './runEvents.ts';
import { useRun } from './useRun.ts';

/** A run as it happens: state, what it asks, output and timeline; in full also input and bill. */
export function RunView({ id, isBrief = false }: { id: string; isBrief?: boolean }) {
  const { run, progress, stream } = useRun(id);
  if (run.error && !run.data) return <TableFailure error={run.error} retry={() => void run.refetch()} />;
  if (!run.data) return <RunPending />;
  const { data } = run;
  return (
    <Stack gap="sm">
      <RunSummary run={data} progress={progress} stream={stream} />
      {data.required_action && !isOver(data.status) && <RunActions run={data} />}
      <RunOutput run={data} progress={progress} />
      <RunSteps run={data} progress={progress} isLive={stream !== 'retrying'} isBrief={isBrief} />
      {!isBrief && <RunInput run={data} />}
      {!isBrief && <RunMeters run={data} />}
      {isBrief && (
        <Group gap="md">
          <Anchor component={Link} size="sm" {...({ to: '/runs/$id', params: { id } } as { to: string })}>
            Open the run
          </Anchor>
          <CancelRun run={data} />
        </Group>
      )}
    </Stack>
  );
}

/** Ends an open run, after saying what that costs; nothing once it is over. */
export function CancelRun({ run }: { run: Run }) {
  const cancel = useChange(() => sendJson<Run>(`/v1/runs/${run.id}/cancel`, {}), { stale: [['runs']] });
  if (isOver(run.status)) return null;
  return (
    <Confirmed
      title="Cancel this run?"
      confirmLabel="Cancel run"
      change={cancel}
      trigger={(ask) => (
        <Button variant="default" loading={cancel.isPending} disabled={run.status === 'cancelling'} onClick={ask}>
          Cancel run
        </Button>
      )}
    >
      {run.status === 'queued'
        ? 'It has not begun, and costs nothing.'
        : 'It stops within a second and does not go on later. What it has used so far is billed.'}
    </Confirmed>
  );
}

/** Skeletons of the height of the content. */
const RunPending = () => (
  <Stack gap="sm">
    <Skeleton height={106} radius="md" />
    <Skeleton height={200} radius="md" />
    <Skeleton height={280} radius="md" />
  </Stack>
);
