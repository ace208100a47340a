import './cost.css';
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, type Result } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { RequestRow } from '../api/shapes.ts';
import { ContentPanel } from '../contents/ContentPanel.tsx';
import { OpenInPlayground } from '../contents/OpenInPlayground.tsx';
import { CopiedId } from '../parts/CopiedId.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Ago, countText, DateTime, durationText, unitName } from '../parts/figures.tsx';
import { HeadlineMoney, Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { isPlayable } from '../parts/playable.ts';
import { usePathParam } from '../parts/usePathParam.ts';
import { PagePending } from '../shell/PageStates.tsx';
import { ExplainedCost } from './ExplainedCost.tsx';
import { nextStepFor, noReasonText } from './nextSteps.ts';
import { StatusBadge } from './StatusBadge.tsx';
import { unitsText } from './units.ts';
import { rateText, Waterfall } from './Waterfall.tsx';

export default function RequestPage() {
  const id = usePathParam('id');
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
  const { role } = useMe();
  const { model, product, error, attempts, hold_usd: held, cost_usd: cost, status } = request;
  // A call refused before anything ran has no times, cost or receipt.
  const ran = error === null || attempts !== null || held > 0;
  const isFree = status >= FAILED && cost === 0;
  return (
    <>
      <PageHeader
        title="Request"
        description={<CopiedId id={request.id} name="Copy the request ID" />}
        actions={
          ran && model !== null && isPlayable(product) && role !== 'finance' && <OpenInPlayground request={request} />
        }
      />
      <Stack gap="lg">
        <Reason of={request} />
        <Facts of={request} />
        {ran && <Top of={request} />}
        <ContentPanel request={request} />
        {ran && !isFree ? (
          <div className="request-body">
            <ExplainedCost id={request.id} />
            <Details request={request} />
          </div>
        ) : (
          <Details request={request} />
        )}
      </Stack>
    </>
  );
}

const FAILED = 400;

/** Why it was refused or failed, and what to do about it. */
function Reason({ of: request }: { of: RequestRow }) {
  const { error, status, cancelled, calls, cost_usd: cost } = request;
  if (!error && (status < FAILED || cancelled)) return null;
  const next = nextStepFor(error?.code ?? '', status);
  return (
    <Alert color="red" title={error ? `${status} ${error.code}` : `Failed with ${status}`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error?.message ?? noReasonText(request, Date.now())}</Text>
        {next && (
          <Text size="sm">
            <strong>What to do:</strong> {next.text} {next.link && <NextLink {...next.link} />}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {cost === 0 && !error?.message.includes('Nothing was charged') && 'Nothing was charged. '}
          {calls > 1 && `Stands for ${countText(calls)} calls of that minute with this code.`}
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
      <Figure
        label="Status"
        value={
          <span className="figure-text">
            <StatusBadge of={request} />
          </span>
        }
      >
        {reason && `Finish reason: ${reason}`}
      </Figure>
      <Figure label="Model" value={<span className="figure-text">{model ?? '—'}</span>}>
        {upstream ? `Upstream: ${upstream}` : 'No upstream'}
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
          {request.hold_usd > 0 && (
            <p className="headline-note">
              Up to <Money usd={request.hold_usd} /> was held
              {request.cost_usd > 0 ? '; the rest was released.' : ', and released.'}
            </p>
          )}
        </div>
        <div>
          <p className="headline-label">Latency</p>
          <p className="headline-second number">
            {durationText(request.duration_ms)} <span className="headline-note">{rateText(request)}</span>
          </p>
          <Waterfall of={request} />
        </div>
      </div>
    </section>
  );
}

function Details({ request }: { request: RequestRow }) {
  const rows: [string, ReactNode][] = [
    ['Response ID', request.response_id ? <CopiedId id={request.response_id} name="Copy the response ID" /> : '—'],
    ['Route', <span className="id">{request.route}</span>],
    ['Key', <KeyOf request={request} />],
    ['Upstream attempts', request.attempts === null ? '—' : countText(request.attempts)],
    ...(request.routing ? [['Why this upstream', request.routing.reason] satisfies [string, ReactNode]] : []),
    ['Idempotent replays, free', countText(request.retries)],
    ...request.usage.map(({ unit, quantity }): [string, ReactNode] => [unitName(unit), countText(quantity)]),
    [request.cost_usd > 0 ? 'Billed' : 'Ended', <DateTime at={request.settled_at} />],
  ];
  return (
    <Panel title="Details">
      <dl className="request-facts">
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
    <Anchor component={Link} {...pageAt('/requests', { key: id })} inherit>
      {name ?? prefix}
    </Anchor>
  );
}
