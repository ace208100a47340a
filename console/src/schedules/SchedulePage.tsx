import '../parts/work.css';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DateTime } from '../parts/figures.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { FiringOutcome } from './FiringOutcome.tsx';
import { OVERLAPS, ruleOf, stateOf, type Schedule } from './schedules.ts';

const LIVE_MS = 3_000;

export default function SchedulePage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const params = { path: { schedule_id: id } };
  const schedule = useAnswer<Schedule>(
    ['schedules', id],
    (signal) => api.GET('/v1/schedules/{schedule_id}', { params, signal }),
    { refetchInterval: LIVE_MS },
  );
  if (schedule.error && !schedule.data) {
    const list = { path: '/schedules', name: 'All schedules' };
    const retry = () => void schedule.refetch();
    return <PageFailure title="Schedule" id={id} error={schedule.error} retry={retry} list={list} />;
  }
  if (!schedule.data) return <Skeleton height={320} />;
  return (
    <>
      <PageHeader
        title={schedule.data.name ?? 'Schedule'}
        description={<span className="id">{schedule.data.run.agent}</span>}
        actions={<Actions of={schedule.data} />}
      />
      <Stack gap="lg">
        <Facts of={schedule.data} />
        <NextTimes of={schedule.data} />
        <LastFirings of={schedule.data} />
      </Stack>
    </>
  );
}

function Facts({ of: schedule }: { of: Schedule }) {
  const [words, look] = stateOf(schedule);
  const facts: [name: string, value: React.ReactNode][] = [
    ['State', <span className={`status ${look}`}>{words}</span>],
    ...(schedule.pause_note ? [['Note', schedule.pause_note] as [string, string]] : []),
    ['Fires', ruleOf(schedule)],
    ['While an earlier run is open', OVERLAPS[schedule.overlap]],
    ['Firings left', schedule.remaining_runs ?? 'No limit'],
    ['Created', <DateTime at={schedule.created_at} />],
  ];
  return (
    <Panel title="Settings">
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function NextTimes({ of: { next_run_times: next } }: { of: Schedule }) {
  return (
    <Panel title="Next firings" description="In your time zone.">
      {next && next.length > 0 ? (
        <ol>
          {next.map((time) => (
            <li key={time}>
              <DateTime at={time} />
            </li>
          ))}
        </ol>
      ) : (
        <Text size="sm">{next ? 'None.' : 'Not known yet.'}</Text>
      )}
    </Panel>
  );
}

function LastFirings({ of: { recent } }: { of: Schedule }) {
  return (
    <Panel title="Last firings">
      {recent.length === 0 && <Text size="sm">None yet.</Text>}
      <dl className="facts">
        {recent.map((firing, at) => (
          <div key={`${firing.scheduled_at} ${at}`}>
            <dt>
              <DateTime at={firing.scheduled_at} />
            </dt>
            <dd>
              <FiringOutcome of={firing} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Actions({ of: schedule }: { of: Schedule }) {
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const params = { path: { schedule_id: schedule.id } };
  const stale = [['schedules']];
  const trigger = useChange(() => answerOf(api.POST('/v1/schedules/{schedule_id}/trigger', { params })), {
    stale,
    done: 'The run begins',
  });
  const pause = useChange(() => answerOf(api.POST('/v1/schedules/{schedule_id}/pause', { params, body: {} })), {
    stale,
  });
  const resume = useChange(
    (catchUp: boolean) =>
      answerOf(api.POST('/v1/schedules/{schedule_id}/resume', { params, body: { catch_up: catchUp } })),
    { stale },
  );
  const remove = useChange(() => answerOf(api.DELETE('/v1/schedules/{schedule_id}', { params })), {
    stale: [['schedules', 'list']],
    done: 'The schedule is deleted',
    onSuccess: () => void navigate({ to: '/schedules' }),
  });
  return (
    <Group gap="xs">
      <Button
        onClick={() => trigger.mutate(undefined)}
        loading={trigger.isPending}
        disabled={schedule.status === 'ended'}
      >
        Run now
      </Button>
      {schedule.status === 'active' && (
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate(undefined)}>
          Pause
        </Button>
      )}
      {schedule.status === 'paused' && (
        <>
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate(false)}>
            Resume
          </Button>
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate(true)}>
            Resume and catch up
          </Button>
        </>
      )}
      <Button color="red.8" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title="Delete this schedule?"
        confirmLabel="Delete the schedule"
        isOpen={isDeleting}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setDeleting(false)}
      >
        <Text size="sm">It fires no more. Runs that have begun go on.</Text>
      </ConfirmDialog>
    </Group>
  );
}
