import { Button, Select, Skeleton } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { useMemo, useState, type ReactNode } from 'react';
import { api, linkPath } from '../api/client.ts';
import { useNowMs } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import { Chart } from '../parts/chart/Chart.tsx';
import { Legend } from '../parts/chart/Legend.tsx';
import { usdTick } from '../parts/chart/scale.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { countText } from '../parts/figures.tsx';
import { Headline } from '../parts/Headline.tsx';
import { columnText, digitsOf, HeadlineMoney, Money } from '../parts/Money.tsx';
import { countOf } from '../parts/totals.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Change } from '../usage/Change.tsx';
import { Segments } from '../usage/Segments.tsx';
import { dayText, isMonth, lastMonths, monthBefore, monthText } from '../usage/period.ts';
import { earnedOf, partOf, type EarnedBy, type EarningsStatement } from './earned.ts';
import { EarningsByDay } from './EarningsByDay.tsx';
import { PayOut, Payouts } from './Payouts.tsx';

const MONTHS_BACK = 24;
const HEIGHT = 220;

/** What the workspace's agents earned in a month: a picture by day and agent, where the money went, and what can be paid out. */
export function Earnings() {
  const nowMs = useNowMs();
  const [{ month: chosen }, set] = useSearchState();
  const months = lastMonths(MONTHS_BACK, nowMs ?? 0);
  const month = isMonth(chosen) ? chosen : months[0]!;
  const isKnown = nowMs !== undefined;
  const statement = useStatement(month, isKnown);
  const before = useStatement(monthBefore(month), isKnown);
  const error = statement.error ?? before.error;
  if (error && !statement.data)
    return <TableFailure error={error} retry={() => void Promise.all([statement.refetch(), before.refetch()])} />;
  const today = isKnown ? new Date(nowMs).toISOString().slice(0, 10) : '';
  return (
    <>
      <section className="panel" aria-label="Earnings">
        <div className="earnings-head">
          <h2>Earnings</h2>
          <Select
            aria-label="Month"
            data={months.map((value) => ({ value, label: monthText(value) }))}
            value={month}
            onChange={(value) => value && set({ month: value })}
            allowDeselect={false}
            className="earnings-choice"
          />
          <Button
            component="a"
            href={linkPath(`/v1/publisher/statement?month=${month}&format=csv`)}
            download
            variant="default"
            leftSection={<DownloadIcon />}
          >
            CSV
          </Button>
        </div>
        <div className="earnings">
          <Earned statement={statement.data} before={before.data} month={month} today={today} />
          <Payable statement={statement.data} />
          <Shares statement={statement.data} />
        </div>
      </section>
      <Payouts />
      <EarningsByDay statement={statement.data} error={statement.error} isLoading={statement.isLoading} />
    </>
  );
}

const useStatement = (month: string, isKnown: boolean) =>
  useAnswer(
    ['publisher', 'statement', month],
    (signal) => api.GET('/v1/publisher/statement', { params: { query: { month } }, signal }),
    { enabled: isKnown },
  );

/** The month as a picture. The month before is its ghost, and is compared over as many days. */
function Earned({
  statement,
  before,
  month,
  today,
}: {
  statement: EarningsStatement | undefined;
  before: EarningsStatement | undefined;
  month: string;
  today: string;
}) {
  const [chosen, setOnly] = useState<string>();
  const [{ parts }, set] = useSearchState();
  const by: EarnedBy = parts === 'version' ? 'version' : 'agent';
  const only = statement?.data.some((line) => partOf(line, by) === chosen) ? chosen : undefined;
  const earned = useMemo(
    () => statement && before && earnedOf(statement, before, { today, by, ...(only !== undefined && { only }) }),
    [statement, before, today, by, only],
  );
  const than = `${monthText(monthBefore(month))}${earned?.isOpen ? ' by this day' : ''}`;
  return (
    <div className="earnings-month">
      <Headline
        label={`Earned in ${monthText(month)}`}
        value={earned && <HeadlineMoney usd={earned.sum} />}
        note={
          earned &&
          earned.sumBefore > 0 && (
            <>
              <Change now={earned.sum} before={earned.sumBefore} /> against {than}
            </>
          )
        }
      />
      <Segments
        label="Parts"
        options={PARTS}
        value={by}
        onChange={(value) => set({ parts: value === 'agent' ? undefined : value })}
      />
      <Chart
        label={`Earnings by day, ${monthText(month)}`}
        picture={earned?.picture}
        shape="bars"
        height={HEIGHT}
        textOf={columnText}
        tickText={usdTick}
        totalName="Earned"
        empty="Nothing was earned in this month."
      />
      {earned && earned.series.length > 1 && (
        <Legend series={earned.series} only={only} onOnly={setOnly} textOf={columnText} />
      )}
    </div>
  );
}

const PARTS = [
  { value: 'agent', label: 'Agents' },
  { value: 'version', label: 'Versions' },
];

/** What can be paid out now, what matures first, and all that was earned. */
function Payable({ statement }: { statement: EarningsStatement | undefined }) {
  const { available_usd: available = 0, maturing_usd: maturing = 0, balance_usd: earned = 0 } = statement ?? {};
  const of = (usd: number) => (statement ? <Money usd={usd} digits={digitsOf([maturing, earned])} /> : <Waiting />);
  const days = statement?.mature_days ?? 0;
  const next = statement?.maturing_on[0];
  return (
    <div className="earnings-payable">
      <Headline
        label="Available to pay out"
        value={statement && <HeadlineMoney usd={available} />}
        note={days > 0 && `Earnings mature for ${countOf(days, 'day')}`}
        isTight
      />
      <dl className="side-facts">
        <div>
          <dt className="earnings-maturing">Maturing</dt>
          <dd>{of(maturing)}</dd>
        </div>
        {next && (
          <div>
            <dt>Next, on {dayText(next.date)}</dt>
            <dd>{of(next.amount_usd)}</dd>
          </div>
        )}
        <div>
          <dt>Held for transfers</dt>
          <dd>{of(statement?.requested_usd ?? 0)}</dd>
        </div>
        <div>
          <dt>Earned so far</dt>
          <dd>{of(earned)}</dd>
        </div>
      </dl>
      <PayOut availableUsd={available} transferableUsd={statement?.transferable_usd ?? 0} />
    </div>
  );
}

/** Where the money of the month's runs went. */
function Shares({ statement }: { statement: EarningsStatement | undefined }) {
  const { totals, own } = statement ?? {};
  const digits = digitsOf([
    totals?.gross_usd,
    totals?.subsidy_usd,
    totals?.platform_cost_usd,
    totals?.network_fee_usd,
    totals?.earned_usd,
  ]);
  const of = (usd: number | undefined) => usd !== undefined && <Money usd={usd} digits={digits} />;
  const shares: [label: string, value: ReactNode][] = [
    ['Runs', totals && <span className="number">{countText(totals.runs)}</span>],
    ...(own?.runs
      ? [['Of these, own', <span className="number">{countText(own.runs)}</span>] as [string, ReactNode]]
      : []),
    ['Paid by callers', of(totals?.gross_usd)],
    ['Model and sandbox', of(totals && -totals.platform_cost_usd)],
    ['Network fee', of(totals && -totals.network_fee_usd)],
    ...(totals?.subsidy_usd ? [['Paid by the platform', of(totals.subsidy_usd)] as [string, ReactNode]] : []),
    ['Earned', of(totals?.earned_usd)],
  ];
  return (
    <dl className="earnings-shares">
      {shares.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value || <Waiting />}</dd>
        </div>
      ))}
    </dl>
  );
}

const Waiting = () => <Skeleton height={12} width={64} my={4} />;
