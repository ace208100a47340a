import './schedules.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Ago, DateTime } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { InputItems } from '../runs/RunInput.tsx';
import { FiringOutcome } from './FiringOutcome.tsx';
import { Rule } from './Rule.tsx';
import { OVERLAPS, stateOf, type Schedule } from './schedules.ts';

const LIVE_MS = 3_000;
const SHOWN = 6;

export default function SchedulePage() {
  const id = usePathParam('id');
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
  if (!schedule.data) return <PageStart />;
  return (
    <>
      <PageHeader
        title={schedule.data.name ?? 'Schedule'}
        description={
          <Link className="id text-good" {...{ to: `/agents/${schedule.data.run.agent}` }}>
            {schedule.data.run.agent}
          </Link>
        }
        actions={<Actions of={schedule.data} />}
      />
      <Stack gap="sm">
        <State of={schedule.data} />
        <div className="schedule-lists">
          <NextTimes of={schedule.data} />
          <LastFirings of={schedule.data} />
        </div>
        <Order of={schedule.data} />
      </Stack>
    </>
  );
}

function State({ of: schedule }: { of: Schedule }) {
  const { next_run_times: next, recent, remaining_runs: left, run } = schedule;
  return (
    <Figures label="State of the schedule">
      <Figure label="Status" value={<span className="figure-text">{<Status {...stateOf(schedule)} />}</span>}>
        {schedule.pause_note}
      </Figure>
      <Figure label="Next run" value={<span className="figure-text">{<Ago at={next?.[0]} never="None" />}</span>}>
        <Rule of={schedule} />
      </Figure>
      <Figure
        label="Last run"
        value={<span className="figure-text">{recent[0] ? <FiringOutcome of={recent[0]} /> : '—'}</span>}
      >
        {recent[0] && <Ago at={recent[0].scheduled_at} />}
      </Figure>
      <Figure label="Runs left" value={<span className="figure-text">{left ?? 'No limit'}</span>}>
        If one is still running: {OVERLAPS[schedule.overlap].toLowerCase()}
      </Figure>
      <Figure
        label="Spend limit per run"
        isWide
        value={
          <span className="figure-text">
            {typeof run.max_cost_usd !== 'number' ? 'The agent’s' : <Money usd={run.max_cost_usd} />}
          </span>
        }
      >
        {typeof run.max_cost_usd === 'number' ? 'Runs stop at this amount' : 'The limit of the agent'}
      </Figure>
    </Figures>
  );
}

function NextTimes({ of: { next_run_times: next } }: { of: Schedule }) {
  return (
    <Panel title="Upcoming runs" description="In your time zone">
      {next && next.length > 0 ? (
        <ol className="firings">
          {next.slice(0, SHOWN).map((time) => (
            <li key={time}>
              <DateTime at={time} />
              <span className="firing-rest">
                <Ago at={time} />
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <Text size="sm" c="dimmed">
          {next ? 'None.' : 'Not known yet.'}
        </Text>
      )}
    </Panel>
  );
}

function LastFirings({ of: { recent } }: { of: Schedule }) {
  return (
    <Panel title="Recent runs">
      {recent.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      )}
      <ol className="firings">
        {recent.map((firing, at) => (
          <li key={`${firing.scheduled_at} ${at}`}>
            <DateTime at={firing.scheduled_at} />
            <span className="firing-rest">
              {firing.run_id ? (
                <Link {...{ to: `/runs/${firing.run_id}` }}>
                  <FiringOutcome of={firing} />
                </Link>
              ) : (
                <FiringOutcome of={firing} />
              )}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const Order = ({ of: { run } }: { of: Schedule }) => (
  <Panel title="Input">
    <Stack gap="sm">
      <InputItems input={run.input} />
    </Stack>
  </Panel>
);

function Actions({ of: schedule }: { of: Schedule }) {
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const params = { path: { schedule_id: schedule.id } };
  const stale = [['schedules']];
  const trigger = useChange(() => answerOf(api.POST('/v1/schedules/{schedule_id}/trigger', { params })), {
    stale,
    done: 'Run started',
  });
  const pause = useChange(() => answerOf(api.POST('/v1/schedules/{schedule_id}/pause', { params, body: {} })), {
    stale,
    done: 'Schedule paused',
  });
  const resume = useChange(
    (catchUp: boolean) =>
      answerOf(api.POST('/v1/schedules/{schedule_id}/resume', { params, body: { catch_up: catchUp } })),
    { stale, done: 'Schedule resumed' },
  );
  const remove = useChange(() => answerOf(api.DELETE('/v1/schedules/{schedule_id}', { params })), {
    stale: [['schedules', 'list']],
    done: 'Schedule deleted',
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
      <Button variant="default" className="text-bad" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title="Delete this schedule?"
        confirmLabel="Delete schedule"
        isOpen={isDeleting}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setDeleting(false)}
      >
        <Text size="sm">No more runs start. Open runs go on.</Text>
      </ConfirmDialog>
    </Group>
  );
}
