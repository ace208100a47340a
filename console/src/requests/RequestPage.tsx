import './cost.css';
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, consolePath, type Result } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { RequestRow } from '../api/shapes.ts';
import { CopiedId } from '../parts/CopiedId.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Ago, countText, DateTime, durationText, unitName } from '../parts/figures.tsx';
import { HeadlineMoney, Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { PagePending } from '../shell/PageStates.tsx';
import { ExplainedCost } from './ExplainedCost.tsx';
import { nextStepFor } from './nextSteps.ts';
import { StatusBadge } from './StatusBadge.tsx';
import { unitsText } from './units.ts';
import { Waterfall } from './Waterfall.tsx';

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
        description={<CopiedId id={request.id} name="Copy the request ID" />}
        actions={ran && <Actions id={request.id} />}
      />
      <Stack gap="lg">
        <Reason of={request} />
        <Facts of={request} />
        {ran && <Top of={request} />}
        {ran && <ExplainedCost id={request.id} />}
        <Details request={request} />
      </Stack>
    </>
  );
}

function Actions({ id }: { id: string }) {
  return (
    <>
      <Button component={Link} {...pageAt('/explain', { id })} variant="default">
        Explain the cost
      </Button>
      <Button
        component="a"
        variant="default"
        href={consolePath(`/platform/v1/receipts/${encodeURIComponent(id)}`)}
        download={`${id}.receipt.json`}
      >
        Receipt
      </Button>
    </>
  );
}

const FAILED = 400;

/** Why it was refused or failed, and what to do about it. */
function Reason({ of: { error, status, cancelled, calls, cost_usd: cost } }: { of: RequestRow }) {
  if (!error && (status < FAILED || cancelled)) return null;
  const next = nextStepFor(error?.code ?? '', status);
  return (
    <Alert color="red" title={error ? `${status} ${error.code}` : `Failed with ${status}`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error?.message ?? 'Its reason is no longer kept: reasons are kept for 7 days.'}</Text>
        {next && (
          <Text size="sm">
            <strong>What to do:</strong> {next.text} {next.link && <NextLink {...next.link} />}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {cost === 0 && 'Nothing was charged.'}
          {calls > 1 && ` It stands for ${countText(calls)} calls of its minute with this code.`}
        </Text>
      </Stack>
    </Alert>
  );
}

function NextLink({ to, label }: { to: string; label: string }) {
  if (to.startsWith('/docs')) return <Anchor href={to}>{label}</Anchor>;
  return (
    <Anchor component={Link} to={to}>
      {label}
    </Anchor>
  );
}

function Facts({ of: request }: { of: RequestRow }) {
  const { model, upstream, finish_reason: reason, started_at: at, usage } = request;
  return (
    <Figures label="Summary">
      <Figure label="Status" value={<StatusBadge of={request} />}>
        {reason && `Finish reason: ${reason}`}
      </Figure>
      <Figure label="Model" value={<span className="figure-text">{model ?? '—'}</span>}>
        {upstream ? `Answered by ${upstream}` : 'No upstream answered'}
      </Figure>
      <Figure label="Units" value={<span className="figure-text number">{unitsText(usage)}</span>}>
        {cachedText(request)}
      </Figure>
      <Figure
        label="Time"
        value={
          <span className="figure-text">
            <Ago at={at} />
          </span>
        }
      >
        <DateTime at={at} />
      </Figure>
    </Figures>
  );
}

function cachedText({ cached_tokens: cached, reasoning_tokens: reasoning }: RequestRow): string {
  const parts = [
    cached !== null && cached > 0 && `${countText(cached)} cached`,
    reasoning !== null && reasoning > 0 && `${countText(reasoning)} reasoning`,
  ].filter(Boolean);
  return parts.join(', ');
}

/** The cost as the headline, and where the time went. */
function Top({ of: request }: { of: RequestRow }) {
  return (
    <section className="panel panel-padded" aria-label="Cost and latency">
      <div className="request-top">
        <div>
          <p className="headline-label">Cost</p>
          <p className="headline">
            <HeadlineMoney usd={request.cost_usd} />
          </p>
          <p className="headline-note">
            At most <Money usd={request.hold_usd} /> was held; the rest came back.
          </p>
        </div>
        <div>
          <p className="headline-label">Latency</p>
          <p className="headline-second number">{durationText(request.duration_ms)}</p>
          <Waterfall of={request} />
        </div>
      </div>
    </section>
  );
}

function Details({ request }: { request: RequestRow }) {
  const rows: [string, ReactNode][] = [
    ['Request ID', <CopiedId id={request.id} name="Copy the ID of the request" />],
    ['Response ID', request.response_id ? <CopiedId id={request.response_id} name="Copy the ID of the answer" /> : '—'],
    ['Route', <span className="id">{request.route}</span>],
    ['Key', <KeyOf request={request} />],
    ['Upstreams tried', request.attempts === null ? '—' : countText(request.attempts)],
    ['Retries answered again, free', countText(request.retries)],
    ...request.usage.map(({ unit, quantity }): [string, ReactNode] => [unitName(unit), countText(quantity)]),
    [request.cost_usd > 0 ? 'Billed' : 'Ended', <DateTime at={request.settled_at} />],
  ];
  return (
    <Panel title="Details">
      <dl className="facts">
        {rows.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
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
