import { DataTable, type Column } from '../parts/DataTable.tsx';
import { durationText } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { speedText } from './modelFacts.ts';
import { Uptime } from './Uptime.tsx';
import type { Performance } from './useModelRows.ts';

type Upstream = Performance['upstreams'][number];

/** Where the model is served, in the order in which the upstreams are tried. A voice session is made of other models and has none. */
export function ModelUpstreams({ measured }: { measured: Performance | undefined }) {
  if (measured?.upstreams.length === 0) return null;
  return (
    <Panel title="Upstreams" description="A call goes to the first one that answers.">
      <DataTable
        label="Upstreams"
        columns={COLUMNS}
        from={{ rows: measured?.upstreams, error: null, isLoading: measured === undefined }}
        rowKey={({ upstream }) => upstream}
        empty="It has no upstream."
      />
    </Panel>
  );
}

const COLUMNS: Column<Upstream>[] = [
  { title: 'Upstream', cell: ({ upstream }) => <span className="nowrap">{upstream}</span> },
  {
    title: 'State',
    cell: ({ is_available: isAvailable }) => (
      <Status tone={isAvailable ? 'good' : 'bad'} word={isAvailable ? 'Available' : 'Down'} />
    ),
  },
  { title: 'Uptime', cell: (row) => Uptime({ of: row }) },
  {
    title: 'First token',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ first_byte_ms: firstByte }) => durationText(firstByte?.p50),
  },
  {
    title: 'Latency',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ duration_ms: duration }) => durationText(duration?.p50),
  },
  { title: 'Throughput', isNumber: true, visibleFrom: 'sm', cell: speedText },
];
