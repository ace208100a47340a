import '../parts/work.css';
import { Button, Text } from '@mantine/core';
import { answerOf, api } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange, usePages } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { RowLink } from '../parts/RowLink.tsx';
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
  return (
    <>
      <PageHeader
        title="Schedules"
        description="Runs that start by themselves: at times in a time zone, or in an interval."
        actions={<Button onClick={() => setSearch({ create: '1' })}>Create a schedule</Button>}
      />
      <DataTable
        label="Schedules"
        isStacked
        columns={COLUMNS}
        from={schedules}
        rowKey={({ id }) => id}
        empty={
          <>
            <Text fw={600}>No schedules yet</Text>
            <Text c="dimmed" size="sm">
              Create one to run an agent every morning, or every hour.
            </Text>
          </>
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
    <Dialog title="Create a schedule" isOpen={isOpen} onClose={onClose}>
      <ScheduleForm
        submitLabel="Create the schedule"
        isPending={create.isPending}
        error={create.error && sentenceOf(create.error)}
        onSubmit={(body) => create.mutate(body)}
      />
    </Dialog>
  );
}

const COLUMNS: Column<Schedule>[] = [
  {
    title: 'Schedule',
    cell: ({ id, name, run }) => (
      <div className="cell-wide">
        <RowLink to={`/schedules/${id}`}>{name ?? run.agent}</RowLink>
        {name !== null && <div className="cell-sub">{run.agent}</div>}
      </div>
    ),
  },
  { title: 'Fires', cell: (schedule) => ruleOf(schedule) },
  {
    title: 'State',
    cell: (schedule) => {
      const [words, look] = stateOf(schedule);
      return <span className={`status ${look}`}>{words}</span>;
    },
  },
  { title: 'Next', cell: ({ next_run_times: next }) => <DateTime at={next?.[0]} /> },
  {
    title: 'Last',
    cell: ({ recent: [last] }) => (last ? <FiringOutcome of={last} /> : '—'),
  },
];
