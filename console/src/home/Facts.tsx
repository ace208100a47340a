import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../api/me.ts';
import type { Overview } from '../api/shapes.ts';
import { countText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { monthBefore, monthText } from '../usage/period.ts';

/** The day, the month, the last hour: each leads to its report. */
export function Facts({ overview }: { overview: Overview | undefined }) {
  const { role } = useMe();
  const month = overview?.spend_days.at(-1)?.day.slice(0, 7);
  const lastMonth = month && monthText(monthBefore(month)).split(' ')[0];
  return (
    <ul className="cockpit-facts">
      <Fact
        to={pageAt('/usage', { days: '1', compare: '1' })}
        label="Today (UTC)"
        value={overview && <Money usd={overview.spend_today_usd} isRounded />}
        note={overview && <>Yesterday {<Money usd={overview.spend_yesterday_usd} isRounded />}</>}
      />
      <Fact
        to={pageAt('/usage', { month, compare: '1' })}
        label="This month"
        value={overview && <Money usd={overview.spend_month_usd} isRounded />}
        note={
          overview && (
            <>
              {lastMonth} <Money usd={overview.spend_last_month_usd} isRounded />
            </>
          )
        }
      />
      <Fact
        to={pageAt('/usage', { days: '3h', metric: 'requests' })}
        label="Requests, last hour"
        value={overview && countText(overview.requests_last_hour)}
        note={overview && failedText(overview.errors_last_hour)}
        isBad={(overview?.errors_last_hour ?? 0) > 0}
      />
      <Fact
        to={role === 'finance' ? undefined : pageAt('/runs')}
        label="Open runs"
        value={overview && countText(overview.runs_open)}
        note={overview && `${countText(overview.runs_last_hour)} finished in the last hour`}
      />
    </ul>
  );
}

const failedText = (count: number): string => (count === 0 ? 'None failed' : `${countText(count)} failed`);

function Fact({
  to,
  label,
  value,
  note,
  isBad = false,
}: {
  to: { to: string } | undefined;
  label: string;
  value: ReactNode;
  note: ReactNode;
  isBad?: boolean;
}) {
  const content = (
    <>
      <span className="fact-label">{label}</span>
      <span className="fact-value">{value ?? <Skeleton height={18} width={72} />}</span>
      <span className={isBad ? 'fact-note text-bad' : 'fact-note'}>{note}</span>
    </>
  );
  return (
    <li>
      {to ? (
        <Link {...to} className="fact">
          {content}
        </Link>
      ) : (
        <span className="fact">{content}</span>
      )}
    </li>
  );
}
