import { Title } from '@mantine/core';
import { Fragment } from 'react';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { AbsentNote } from '../parts/AbsentNote.tsx';
import { cut } from '../parts/TableBody.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, countText } from '../parts/figures.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { DeliveryView } from './DeliveryView.tsx';
import type { Delivery } from './endpoints.ts';
import { Sheet } from '../parts/Sheet.tsx';

const LIVE_MS = 2_000;

const STATES: Record<Delivery['status'], [word: string, tone: Tone]> = {
  pending: ['Pending', 'busy'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
  cancelled: ['Cancelled', 'quiet'],
};

const FILTERS: Filter[] = [
  {
    label: 'Status',
    names: ['status'],
    options: Object.entries(STATES).map(([value, [label]]) => ({ value, label })),
  },
];

/** The requests to an endpoint, newest first; one of them opens at the side. */
export function Deliveries({ endpointId, mayRedeliver }: { endpointId: string; mayRedeliver: boolean }) {
  const [{ status, delivery: openId }, setSearch] = useSearchState();
  const query = { ...(status && status in STATES && { status: status as Delivery['status'] }) };
  const deliveries = usePages<Delivery>(
    ['webhooks', endpointId, 'deliveries', query],
    (cursor, signal) =>
      api.GET('/platform/v1/webhook_endpoints/{endpoint_id}/deliveries', {
        params: { path: { endpoint_id: endpointId }, query: { ...query, limit: 50, cursor } },
        signal,
      }),
    { liveMs: LIVE_MS },
  );
  const shown = deliveries.rows?.find(({ id }) => id === openId);
  const close = () => setSearch({ delivery: undefined });
  return (
    <section aria-label="Deliveries">
      <Title order={2} mb="xs">
        Deliveries
      </Title>
      <FilterBar filters={FILTERS} />
      {openId !== undefined && deliveries.rows && !shown && (
        <AbsentNote title="This delivery is not shown" onClose={close}>
          {status || deliveries.hasMore
            ? 'It is not among these rows. Clear the filter, or scroll down to older ones.'
            : 'This endpoint has no delivery with the ID of this address.'}
        </AbsentNote>
      )}
      <DataTable
        label="Deliveries"
        columns={COLUMNS}
        from={deliveries}
        rowKey={({ id }) => id}
        noun="delivery"
        rowTo={({ id }) =>
          `/webhooks/${endpointId}?${new URLSearchParams({ ...(status && { status }), delivery: id })}`
        }
        empty={
          <EmptyState drawing="signal" title={status ? 'No matching deliveries' : 'No deliveries yet'}>
            {status
              ? 'No delivery has this status.'
              : 'Each event sent appears here with its body and the responses. Send a test event to see one.'}
          </EmptyState>
        }
      />
      <Sheet isOpen={shown !== undefined} onClose={close} size="lg" title={shown?.event_type}>
        {shown && <DeliveryView delivery={shown} mayRedeliver={mayRedeliver} />}
      </Sheet>
    </section>
  );
}

/** On a narrow screen a type goes on in the next line after a dot or an underscore, not within a word. */
const breakable = (type: string) =>
  type.split(/(?<=[._])/).map((part, at) => (
    <Fragment key={part}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const COLUMNS: Column<Delivery>[] = [
  { title: 'Event', cell: ({ event_type: type }) => <span className="cell-short">{breakable(type)}</span> },
  {
    title: 'Status',
    cell: ({ status }) => {
      const [word, tone] = STATES[status];
      return <Status tone={tone} word={word} />;
    },
  },
  {
    title: 'Response',
    visibleFrom: 'sm',
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return cut(String(last?.response_status ?? last?.error ?? '—'));
    },
  },
  { title: 'Attempts', isNumber: true, visibleFrom: 'sm', cell: ({ attempts }) => countText(attempts.length) },
  { title: 'Time', isNumber: true, cell: ({ created_at: at }) => <Ago at={at} /> },
];
