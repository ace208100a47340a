import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/hooks.ts';
import type { components } from '../../api/openapi.d.ts';
import { Chart } from '../../parts/chart/Chart.tsx';
import { usdTick } from '../../parts/chart/scale.ts';
import { TableFailure } from '../../parts/DataTable.tsx';
import { Figure, Figures } from '../../parts/Figure.tsx';
import { centsText } from '../../parts/figures.tsx';
import { Headline } from '../../parts/Headline.tsx';
import { columnText, HeadlineMoney, Money } from '../../parts/Money.tsx';
import { useSearchState } from '../../parts/useSearchState.ts';
import { Change } from '../../usage/Change.tsx';
import { Segments } from '../../usage/Segments.tsx';
import { RevenueTable } from './RevenueTable.tsx';
import { pictureOf } from './revenuePicture.ts';

type RevenueAnswer = components['schemas']['Revenue'];

const LIVE_MS = 60_000;
const HEIGHT = 220;
const RANGES = ['7', '30', '90'];
const DEFAULT = '30';

/** What the platform earns: by day, by product and by model, beside the days before. */
export function Revenue() {
  const [{ days: chosen = DEFAULT }, setSearch] = useSearchState();
  const days = RANGES.includes(chosen) ? chosen : DEFAULT;
  const revenue = useAnswer(
    ['revenue', days],
    (signal) => api.GET('/console/v1/platform/revenue', { params: { query: { days: Number(days) } }, signal }),
    { refetchInterval: LIVE_MS, placeholderData: keepPreviousData },
  );
  if (revenue.error && !revenue.data)
    return <TableFailure error={revenue.error} retry={() => void revenue.refetch()} />;
  return (
    <>
      <section className="panel panel-padded" aria-label="Revenue" aria-busy={revenue.isPlaceholderData}>
        <div className="revenue-head">
          <Sum revenue={revenue.data} />
          <Segments
            label="Period"
            value={days}
            options={RANGES.map((value) => ({ value, label: `${value} days` }))}
            onChange={(value) => setSearch({ days: value === DEFAULT ? undefined : value })}
          />
        </div>
        <Days revenue={revenue.data} />
      </section>
      <Moves revenue={revenue.data} />
      <RevenueTable revenue={revenue.data} />
    </>
  );
}

function Sum({ revenue }: { revenue: RevenueAnswer | undefined }) {
  const [now, before] = [revenue?.total.charged_usd, revenue?.total_before.charged_usd];
  return (
    <Headline
      label="Revenue: calls and runs as they were charged"
      value={revenue && <HeadlineMoney usd={now} />}
      note={
        before !== undefined &&
        before > 0 && (
          <>
            <Change now={now} before={before} /> vs. {centsText(before)} in the {revenue!.days.length} days before
          </>
        )
      }
    />
  );
}

function Days({ revenue }: { revenue: RevenueAnswer | undefined }) {
  const picture = useMemo(() => revenue && pictureOf(revenue), [revenue]);
  return (
    <Chart
      label="Revenue by day (UTC)"
      picture={picture}
      shape="area"
      height={HEIGHT}
      textOf={columnText}
      tickText={usdTick}
      totalName="Revenue"
      empty="Nothing was charged in this period."
    />
  );
}

/** Money that came in, was lost, and went out. */
function Moves({ revenue }: { revenue: RevenueAnswer | undefined }) {
  const { total, total_before: before } = revenue ?? {};
  const isLoading = revenue === undefined;
  const than = (name: 'topups_usd' | 'written_off_usd' | 'payouts_usd') =>
    before && <>{centsText(before[name])} in the days before</>;
  return (
    <Figures label="Money of the period">
      <Figure label="Top-ups" value={<Money usd={total?.topups_usd} isRounded />} isLoading={isLoading}>
        {total && total.taken_back_usd > 0 ? `${centsText(total.taken_back_usd)} of it taken back` : than('topups_usd')}
      </Figure>
      <Figure label="Margin" value={<Money usd={total?.margin_usd} isRounded />} isLoading={isLoading}>
        {total && <MarginNote total={total} />}
      </Figure>
      <Figure label="Write-offs" value={<Money usd={total?.written_off_usd} isRounded />} isLoading={isLoading}>
        {than('written_off_usd')}
      </Figure>
      <Figure label="Payouts" value={<Money usd={total?.payouts_usd} isRounded />} isLoading={isLoading}>
        {than('payouts_usd')}
      </Figure>
    </Figures>
  );
}

function MarginNote({ total: { cost_usd: cost, uncosted_usd: uncosted } }: { total: RevenueAnswer['total'] }) {
  if (cost === null) return 'No cost stated';
  return uncosted > 0
    ? `Cost ${centsText(cost)}; none stated for ${centsText(uncosted)}`
    : `Upstreams cost ${centsText(cost)}`;
}
