import '../agents/agents.css';
import { Button } from '@mantine/core';
import { AgentIcon } from '../agents/AgentIcon.tsx';
import { answerOf, api } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange, usePages } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, countText } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Status } from '../parts/Status.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { FiringOutcome } from './FiringOutcome.tsx';
import { ScheduleForm } from './ScheduleForm.tsx';
import { ruleOf, stateOf, type NewSchedule, type Schedule } from './schedules.ts';

const LIVE_MS = 5_000;

export default function SchedulesPage() {
  const [{ create }, setSearch] = useSearchState();
  const schedules = usePages<Schedule>(
    ['schedules', 'list'],
    (cursor, signal) => api.GET('/v1/schedules', { params: { query: { cursor } }, signal }),
    { liveMs: LIVE_MS },
  );
  const button = <Button onClick={() => setSearch({ create: '1' })}>Create schedule</Button>;
  return (
    <>
      <PageHeader
        title="Schedules"
        description="Runs that start by themselves: at times in a time zone, or in an interval."
        actions={schedules.rows?.length !== 0 && button}
      />
      <DataTable
        label="Schedules"
        columns={columnsOf(schedules.rows, schedules.hasMore)}
        from={schedules}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/schedules/${id}`}
        empty={
          <EmptyState drawing="signal" title="No schedules yet" action={button}>
            Run an agent every morning, or every hour, and find its runs here.
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
    done: 'The schedule is created',
    onSuccess: onClose,
    onError: () => {},
  });
  return (
    <Dialog title="Create schedule" isOpen={isOpen} onClose={onClose}>
      <ScheduleForm
        submitLabel="Create"
        isPending={create.isPending}
        error={create.error && sentenceOf(create.error)}
        onSubmit={(body) => create.mutate(body)}
      />
    </Dialog>
  );
}

const columnsOf = (rows: Schedule[] | undefined, hasMore: boolean | undefined): Column<Schedule>[] => [
  {
    title: 'Schedule',
    cell: ({ name, run }) => (
      <span className="agent-cell">
        <AgentIcon id={run.agent} size={24} />
        <span>
          {name ?? run.agent}
          {name !== null && <span className="cell-sub agent-cell-id">{run.agent}</span>}
        </span>
      </span>
    ),
    foot: rows && `${countText(rows.length)}${hasMore ? '+' : ''} ${rows.length === 1 ? 'schedule' : 'schedules'}`,
  },
  { title: 'Status', cell: (schedule) => <Status {...stateOf(schedule)} /> },
  { title: 'Fires', visibleFrom: 'md', cell: (schedule) => ruleOf(schedule) },
  { title: 'Next', cell: ({ next_run_times: next }) => <Ago at={next?.[0]} never="—" /> },
  {
    title: 'Last',
    visibleFrom: 'sm',
    cell: ({ recent: [last] }) => (last ? <FiringOutcome of={last} /> : '—'),
  },
];
