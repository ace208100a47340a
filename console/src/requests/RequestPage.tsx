import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, type Result } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { RequestRow } from '../api/shapes.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { countText, DateTime, durationText, unitName } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { PagePending } from '../shell/PageStates.tsx';
import { ExplainedCost } from './ExplainedCost.tsx';
import { Receipt } from './Receipt.tsx';
import { StatusBadge } from './StatusBadge.tsx';

export default function RequestPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const request = useAnswer(['requests', id], (signal) => readRequest(id, signal));
  if (request.isLoading) return <PagePending />;
  if (!request.data) {
    const list = { path: '/requests', name: 'All requests' };
    const retry = () => void request.refetch();
    return <PageFailure title="Request" id={id} error={request.error!} retry={retry} list={list} />;
  }
  return <Shown request={request.data} />;
}

const readRequest = (id: string, signal: AbortSignal) =>
  api.GET('/platform/v1/requests/{request_id}', { params: { path: { request_id: id } }, signal }) as Promise<
    Result<RequestRow>
  >;

function Shown({ request }: { request: RequestRow }) {
  // A call refused before anything ran has no times, cost or receipt.
  const ran = request.error === null || request.attempts !== null || request.hold_usd > 0;
  return (
    <>
      <PageHeader
        title="Request"
        description={
          <span className="id">
            {request.id} <CopyButton value={request.id} name="Copy the id" />
          </span>
        }
      />
      <Stack gap="lg">
        <Reason of={request} />
        <Figures>
          <Figure label="Cost" value={<Money usd={request.cost_usd} />}>
            Held at most <Money usd={request.hold_usd} />
          </Figure>
          <Figure label="Ended with" value={<StatusBadge of={request} />}>
            {request.finish_reason ? `Finish reason: ${request.finish_reason}` : 'No finish reason'}
          </Figure>
          <Figure label="Took" value={durationText(request.duration_ms)}>
            First byte after {durationText(request.first_byte_ms)}
          </Figure>
          <Figure label="Model" value={<span className="figure-text">{request.model ?? '—'}</span>}>
            {request.upstream ? `Answered by ${request.upstream}` : 'No upstream answered'}
          </Figure>
        </Figures>
        {ran && <Timeline request={request} />}
        {ran && <ExplainedCost id={request.id} />}
        <Details request={request} />
        {ran && <Receipt id={request.id} />}
      </Stack>
    </>
  );
}

/** Why it was refused or failed. */
function Reason({ of: { error, status, calls } }: { of: RequestRow }) {
  if (!error) return null;
  return (
    <Alert color="red" title={`${status} ${error.code}`}>
      <Stack gap={4}>
        <Text size="sm">{error.message}</Text>
        <Text size="sm" c="dimmed">
          Nothing was charged.
          {calls > 1 && ` It stands for ${countText(calls)} calls of its minute with this code.`}
        </Text>
      </Stack>
    </Alert>
  );
}

/** The times of the first byte and of the end, on one line. */
function Timeline({ request }: { request: RequestRow }) {
  const { duration_ms: total, first_byte_ms: first } = request;
  const wait = first ?? total;
  const parts = [
    { name: 'Waiting for the first byte', ms: wait, className: 'timeline-wait' },
    { name: 'Answering', ms: total - wait, className: 'timeline-answer' },
  ];
  return (
    <Panel title="Timeline" description={<DateTime at={request.started_at} />}>
      <svg className="timeline" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden>
        <rect width={total === 0 ? 1000 : (wait / total) * 1000} height={12} className="timeline-wait" />
        <rect
          x={total === 0 ? 1000 : (wait / total) * 1000}
          width={total === 0 ? 0 : ((total - wait) / total) * 1000}
          height={12}
          className="timeline-answer"
        />
      </svg>
      <ul className="timeline-key">
        {parts.map(({ name, ms, className }) => (
          <li key={name}>
            <svg width={10} height={10} aria-hidden>
              <rect width={10} height={10} rx={2} className={className} />
            </svg>
            {name}: <span className="number">{durationText(ms)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Details({ request }: { request: RequestRow }) {
  const rows: [string, ReactNode][] = [
    ['Route', <span className="id">{request.route}</span>],
    ['Key', <KeyOf request={request} />],
    ['Id of the answer', request.response_id ? <span className="id">{request.response_id}</span> : '—'],
    ['Attempts', request.attempts === null ? '—' : countText(request.attempts)],
    ['Retries answered again, free', countText(request.retries)],
    ...request.usage.map(({ unit, quantity }): [string, ReactNode] => [unitName(unit), countText(quantity)]),
    ['Cached tokens', request.cached_tokens === null ? '—' : countText(request.cached_tokens)],
    ['Reasoning tokens', request.reasoning_tokens === null ? '—' : countText(request.reasoning_tokens)],
    ['Bytes of the stream', countText(request.stream_bytes)],
  ];
  return (
    <Panel title="Details">
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function KeyOf({ request: { key_id: id, key_name: name, key_prefix: prefix } }: { request: RequestRow }) {
  if (id === null) return <>—</>;
  return (
    <Anchor component={Link} {...pageAt('/requests', { key: id })}>
      {name ?? prefix}
    </Anchor>
  );
}
