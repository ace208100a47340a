import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/hooks.ts';
import type { components } from '../../api/openapi.d.ts';
import { DataTable, TableFailure, type Column } from '../../parts/DataTable.tsx';
import { Ago, Count, unitName } from '../../parts/figures.tsx';
import { Money } from '../../parts/Money.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Status, type Tone } from '../../parts/Status.tsx';
import { countOf } from '../../parts/totals.tsx';
import { ageText } from './checkedText.ts';

type Answer = components['schemas']['Work'];
type Queue = Answer['queues'][number];
type Process = Answer['processes'][number];

const LIVE_MS = 5_000;

const NAMES: Record<string, string> = {
  settlements: 'Settlements to post',
  refused_settlements: 'Refused settlements',
  webhooks: 'Webhooks due',
  mails: 'Mails to send',
  lost_mails: 'Mails given up, in a week',
  batches: 'Open batches',
  schedules: 'Schedules to bring up to date',
  reviews: 'Agents in review',
  overdue_runs: 'Runs past their time limit',
  dead_processes: 'Dead processes',
};

/** What waits, with the age of the oldest, and the processes that live. */
export function Work() {
  const work = useAnswer(['work'], (signal) => api.GET('/console/v1/platform/work', { signal }), {
    refetchInterval: LIVE_MS,
  });
  const { data, error } = work;
  if (error && !data) return <TableFailure error={error} retry={() => void work.refetch()} />;
  const isLoading = data === undefined;
  const runs = data?.runs.map((row) => ({ ...row, kind: `Runs: ${row.kind.replaceAll('_', ' ')}` }));
  return (
    <div className="overview-pair">
      <Panel title="Queues" description="Each with the age of its oldest entry.">
        <DataTable<Queue>
          label="Queues"
          columns={QUEUES}
          from={{ rows: data && [...data.queues, ...runs!], error: null, isLoading }}
          rowKey={({ kind }) => kind}
          empty="There is no queue."
        />
      </Panel>
      <div className="overview-column">
        <Panel title="Processes" description={data && livesText(data.processes)}>
          <DataTable<Process>
            label="Processes"
            columns={PROCESSES}
            from={{ rows: data?.processes, error: null, isLoading }}
            rowKey={({ id }) => id}
            empty="No process lives."
          />
        </Panel>
        <Panel title="Held money" description="By what runs now.">
          <DataTable
            label="Held money"
            columns={HELD}
            from={{ rows: data?.held, error: null, isLoading }}
            rowKey={({ kind }) => kind}
            empty="Nothing is held."
          />
        </Panel>
      </div>
    </div>
  );
}

/** `2 API processes and 1 worker live.` */
function livesText(processes: Process[]): string {
  const of = (role: Process['role']) => processes.filter((process) => process.role === role).length;
  const unknown = of(null);
  const known = `${countOf(of('api'), 'API process')} and ${countOf(of('worker'), 'worker')}`;
  return `${known}${unknown > 0 ? `, and ${unknown} of an earlier release` : ''}`;
}

const HEALTH: Record<Queue['health'], { tone: Tone; word: string }> = {
  good: { tone: 'good', word: 'Healthy' },
  slow: { tone: 'held', word: 'Slow' },
  stuck: { tone: 'bad', word: 'Stuck' },
};

const QUEUES: Column<Queue>[] = [
  { title: 'Queue', cell: ({ kind }) => NAMES[kind] ?? kind },
  { title: 'Waiting', isNumber: true, cell: ({ count }) => <Count value={count} /> },
  {
    title: 'Oldest',
    isNumber: true,
    cell: ({ oldest_seconds: seconds }) => <span className="number">{seconds === null ? '—' : ageText(seconds)}</span>,
  },
  { title: 'Health', cell: ({ health }) => <Status {...HEALTH[health]} /> },
];

const PROCESSES: Column<Process>[] = [
  { title: 'Process', cell: ({ role }) => <b>{role === 'api' ? 'API' : role ? unitName(role) : 'Earlier release'}</b> },
  { title: 'Started', cell: ({ started_at: at }) => <Ago at={at} /> },
  { title: 'Seen', cell: ({ renewed_at: at }) => <Ago at={at} /> },
];

const HELD: Column<Answer['held'][number]>[] = [
  { title: 'By', cell: ({ kind }) => HOLDS[kind] ?? kind },
  { title: 'Holds', isNumber: true, cell: ({ count }) => <Count value={count} /> },
  { title: 'Held', isNumber: true, cell: ({ held_usd: usd }) => <Money usd={usd} isRounded /> },
];

const HOLDS: Record<string, string> = { request: 'Single calls', run: 'Runs', slice: 'Reserves of processes' };
