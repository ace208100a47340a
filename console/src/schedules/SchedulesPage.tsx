import '../agents/agents.css';
import './schedules.css';
import { Button } from '@mantine/core';
import { AgentIcon } from '../agents/AgentIcon.tsx';
import { iconsOf, useAgents } from '../agents/useAgents.ts';
import { answerOf, api } from '../api/client.ts';
import { useChange, usePages } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Status } from '../parts/Status.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { FiringOutcome } from './FiringOutcome.tsx';
import { ScheduleForm } from './ScheduleForm.tsx';
import { Rule } from './Rule.tsx';
import { stateOf, type NewSchedule, type Schedule } from './schedules.ts';

const LIVE_MS = 5_000;

export default function SchedulesPage() {
  const [{ create }, setSearch] = useSearchState();
  const schedules = usePages<Schedule>(
    ['schedules', 'list'],
    (cursor, signal) => api.GET('/v1/schedules', { params: { query: { cursor } }, signal }),
    { liveMs: LIVE_MS },
  );
  const icons = iconsOf(useAgents());
  const button = <Button onClick={() => setSearch({ create: '1' })}>Create schedule</Button>;
  return (
    <>
      <PageHeader
        title="Schedules"
        description="Runs that start on their own: at set times, or at an interval."
        actions={schedules.rows?.length !== 0 && button}
      />
      <DataTable
        label="Schedules"
        columns={columnsOf(icons)}
        noun="schedule"
        from={schedules}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/schedules/${id}`}
        empty={
          <EmptyState drawing="signal" title="No schedules yet" action={button}>
            Run an agent every morning or every hour, and find its runs here.
          </EmptyState>
        }
      />
      <CreateSchedule isOpen={create !== undefined} onClose={() => setSearch({ create: undefined })} />
    </>
  );
}

function CreateSchedule({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const create = useChange((body: NewSchedule) => answerOf(api.POST('/v1/schedules', { body })), {
    stale: [['schedules']],
    done: 'Schedule created',
    onSuccess: onClose,
    onError: () => {},
  });
  return (
    <Dialog title="Create schedule" isOpen={isOpen} onClose={onClose}>
      <ScheduleForm
        submitLabel="Create"
        isPending={create.isPending}
        error={create.error}
        onSubmit={(body) => create.mutate(body)}
      />
    </Dialog>
  );
}

const columnsOf = (icons: ReadonlyMap<string, string | null>): Column<Schedule>[] => [
  {
    title: 'Name',
    cell: (schedule) => (
      <span className="agent-cell">
        <AgentIcon id={schedule.run.agent} size={24} url={icons.get(schedule.run.agent) ?? null} />
        <span className="agent-cell-words" title={schedule.name ?? schedule.run.agent}>
          {schedule.name ?? schedule.run.agent}
          <span className="cell-sub agent-cell-id">
            {schedule.name !== null && schedule.run.agent}
            <span className="schedule-state mantine-hidden-from-sm">
              <Status {...stateOf(schedule)} />
            </span>
          </span>
        </span>
      </span>
    ),
  },
  { title: 'Status', visibleFrom: 'sm', cell: (schedule) => <Status {...stateOf(schedule)} /> },
  { title: 'Schedule', visibleFrom: 'md', cell: (schedule) => <Rule of={schedule} /> },
  { title: 'Next run', cell: ({ next_run_times: next }) => <Ago at={next?.[0]} never="—" /> },
  {
    title: 'Last run',
    visibleFrom: 'sm',
    cell: ({ recent: [last] }) => (last ? <FiringOutcome of={last} /> : '—'),
  },
];
