import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Ago, countText } from '../parts/figures.tsx';
import { pageAt } from '../parts/pageAt.ts';

const LIVE_MS = 10_000;
const SHOWN_MAX = 100;

/** What waits for an operator, and what does not work: each figure leads to its list. */
export function Waiting() {
  const options = { refetchInterval: LIVE_MS };
  const reviews = useAnswer(
    ['reviews', 'waiting'],
    (signal) =>
      api.GET('/console/v1/reviews', { params: { query: { status: 'in_review', limit: SHOWN_MAX } }, signal }),
    options,
  );
  const adjustments = useAnswer(
    ['adjustments', 'waiting'],
    (signal) => api.GET('/console/v1/adjustments', { params: { query: { limit: SHOWN_MAX } }, signal }),
    options,
  );
  const payouts = useAnswer(
    ['payouts', 'waiting'],
    (signal) => api.GET('/console/v1/payouts', { params: { query: { limit: SHOWN_MAX } }, signal }),
    options,
  );
  const prices = useAnswer(
    ['catalog', 'waiting'],
    (signal) =>
      api.GET('/console/v1/catalog/prices', { params: { query: { status: 'pending', limit: SHOWN_MAX } }, signal }),
    options,
  );
  const upstreams = useAnswer(['upstreams'], (signal) => api.GET('/console/v1/upstreams', { signal }), options);
  const pending = adjustments.data?.data.filter(({ status }) => status === 'pending');
  const requested = payouts.data?.data.filter(({ status }) => status === 'requested');
  const down = upstreams.data?.data.filter(({ is_healthy: isHealthy }) => !isHealthy);
  return (
    <Figures label="What waits">
      <Waits label="Reviews waiting" tab="reviews" from={reviews} of={reviews.data?.data}>
        {oldest(reviews.data?.data)}
      </Waits>
      <Waits label="Adjustments to approve" tab="adjustments" from={adjustments} of={pending}>
        {oldest(pending)}
      </Waits>
      <Waits label="Payouts to confirm" tab="payouts" from={payouts} of={requested}>
        {oldest(requested)}
      </Waits>
      <Waits label="Prices to approve" tab="prices" from={prices} of={prices.data?.data}>
        {oldest(prices.data?.data)}
      </Waits>
      <Waits label="Upstreams down" tab="upstreams" from={upstreams} of={down} isBad isWide>
        {down?.map(({ id }) => id).join(', ')}
      </Waits>
    </Figures>
  );
}

function Waits({
  label,
  tab,
  from: { data, error },
  of: rows,
  isBad = false,
  isWide = false,
  children,
}: {
  label: string;
  tab: string;
  from: { data: { data: unknown[]; has_more?: boolean } | undefined; error: Error | null };
  of: unknown[] | undefined;
  isBad?: boolean;
  isWide?: boolean;
  children: ReactNode;
}) {
  const count = rows?.length ?? 0;
  const isFailed = error !== null && rows === undefined;
  return (
    <Figure
      label={label}
      isWide={isWide}
      isLoading={rows === undefined && !isFailed}
      value={
        <Link
          {...pageAt('/operate', { tab })}
          className={`figure-link ${isBad && count > 0 ? 'text-bad' : ''}`}
          aria-label={isFailed ? label : `${label}: ${countText(count)}`}
        >
          {isFailed ? '—' : countText(count)}
          {data?.has_more && count > 0 && '+'}
        </Link>
      }
    >
      {isFailed ? 'Could not be read' : count === 0 ? 'None' : children}
    </Figure>
  );
}

/** The age of the one that has waited longest. */
function oldest(rows: { created_at: string }[] | undefined): ReactNode {
  const times = rows?.map(({ created_at: at }) => at).toSorted();
  return times?.[0] ? (
    <>
      Oldest <Ago at={times[0]} />
    </>
  ) : null;
}
