import './catalog.css';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { rowsFrom, useAnswer, useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { cut } from '../parts/TableBody.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { countText, durationText } from '../parts/figures.tsx';
import { Status } from '../parts/Status.tsx';
import { countOf } from '../parts/totals.tsx';
import type { CatalogUpstream } from './shapes.ts';
import { Source, SourceCell } from './Source.tsx';
import { UpstreamDialog } from './UpstreamDialog.tsx';

type Probe = components['schemas']['UpstreamProbe'];

const LIVE_MS = 5_000;

/** Every upstream: how it served the last hour, a probe of it now, and what is changed of it. */
export default function CatalogUpstreams() {
  const [open, setOpen] = useState<CatalogUpstream | 'new'>();
  const [probes, setProbes] = useState<Record<string, Probe>>({});
  const upstreams = useAnswer(
    ['catalog', 'upstreams'],
    (signal) => api.GET('/console/v1/catalog/upstreams', { signal }),
    { refetchInterval: LIVE_MS },
  );
  const probe = useChange(
    (upstream: string) =>
      answerOf(api.POST('/console/v1/catalog/upstreams/{upstream}/probe', { params: { path: { upstream } } })),
    { onSuccess: (answer) => setProbes((before) => ({ ...before, [answer.upstream]: answer })) },
  );
  const actions: Column<CatalogUpstream> = {
    title: 'Actions',
    isTitleHidden: true,
    cell: (row) => (
      <Group gap={6} wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          loading={probe.isPending && probe.variables === row.id}
          onClick={() => probe.mutate(row.id)}
        >
          Probe<span className="for-readers"> {row.id}</span>
        </Button>
        <Button size="xs" variant="default" onClick={() => setOpen(row)}>
          Change<span className="for-readers"> {row.id}</span>
        </Button>
      </Group>
    ),
  };
  return (
    <>
      <div className="catalog-tools">
        <Button onClick={() => setOpen('new')}>Add upstream</Button>
      </div>
      <DataTable
        label="Upstreams"
        isStacked
        columns={[...columnsOf(probes), actions]}
        from={rowsFrom(upstreams, upstreams.data?.data)}
        rowKey={({ id }) => id}
        noun="upstream"
        empty="The catalogue has no upstream."
      />
      <UpstreamDialog of={open} canSeal={upstreams.data?.can_seal ?? false} onClose={() => setOpen(undefined)} />
    </>
  );
}

const keyText = ({ key }: CatalogUpstream): string => {
  if (!key) return 'None';
  return key.source === 'file' ? 'From the file' : `…${key.last4}`;
};

const columnsOf = (probes: Record<string, Probe>): Column<CatalogUpstream>[] => [
  {
    title: 'Upstream',
    cell: (row) => (
      <span className="catalog-cell">
        <b className="nowrap">{row.id}</b>
        {cut(row.base_url ?? (row.protocol === 'embedded' ? 'Runs here' : 'No address'), 'catalog-muted')}
        {row.source !== 'file' && (
          <span className="catalog-muted mantine-hidden-from-xl">
            <Source of={row} />
          </span>
        )}
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ is_disabled: isDisabled, is_healthy: isHealthy, problem }) => {
      if (problem) return <Status tone="bad" word="Change not applied" title={problem} />;
      if (isDisabled) return <Status tone="quiet" word="Disabled" />;
      return <Status tone={isHealthy ? 'good' : 'bad'} word={isHealthy ? 'Healthy' : 'Down'} />;
    },
  },
  { title: 'Probe', cell: ({ id }) => <Probed of={probes[id]} /> },
  { title: 'Requests, 1 h', isNumber: true, visibleFrom: 'sm', cell: (row) => countText(row.requests_last_hour) },
  { title: 'Errors', isNumber: true, visibleFrom: 'md', cell: (row) => countText(row.errors_last_hour) },
  {
    title: 'First byte, p50',
    isNumber: true,
    visibleFrom: 'lg',
    cell: (row) => durationText(row.first_byte_p50_ms),
  },
  {
    title: 'Lost',
    isNumber: true,
    visibleFrom: 'lg',
    cell: ({ lost_last_hour: lost }) => countText(lost.attempts),
  },
  { title: 'Key', visibleFrom: 'lg', cell: (row) => <span className="nowrap">{keyText(row)}</span> },
  { title: 'Models', isNumber: true, visibleFrom: 'lg', cell: ({ models }) => countText(models.length) },
  { title: 'Source', visibleFrom: 'xl', cell: (row) => SourceCell({ of: row }) },
];

function Probed({ of }: { of: Probe | undefined }) {
  if (!of) return <>—</>;
  if (!of.ok) return <Status tone="bad" word={of.error ?? 'Failed'} />;
  const lacks = of.missing_models.length > 0 ? `, lacks ${of.missing_models.join(', ')}` : '';
  const lists = of.models === null ? '' : `, ${countOf(of.models, 'model')}`;
  return <Status tone={lacks ? 'held' : 'good'} word={`${durationText(of.latency_ms)}${lists}${lacks}`} />;
}
