import { centsText } from './figures.tsx';

interface Limited {
  name: string;
  spend_limit: number | null;
  spend_limit_period: 'daily' | 'monthly' | null;
  spend_limit_remaining: number | null;
}

const PERIODS = { daily: 'day', monthly: 'month' };
const NEARLY = 90;
const HIGH = 75;

/** What is spent of the limit of a key or project: a thin bar, and the amounts unless they stand beside it. */
export function SpendLimit({ of, isBare = false }: { of: Limited; isBare?: boolean }) {
  const { spend_limit: limit, spend_limit_period: period, spend_limit_remaining: left, name } = of;
  if (limit === null) return <span className="spend-unlimited">No limit</span>;
  const spent = left === null ? null : limit - left;
  const share = limit === 0 ? 100 : Math.min(100, ((spent ?? 0) / limit) * 100);
  const tone = share >= NEARLY ? 'bad' : share >= HIGH ? 'held' : undefined;
  return (
    <span className="spend-limit">
      <span
        className="meter"
        role="progressbar"
        data-tone={tone}
        aria-label={`${name}: ${Math.round(share)}% of the limit is used`}
        aria-valuenow={Math.round(share)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${share}%` }} />
      </span>
      {!isBare && (
        <span className="number">
          {spent !== null && centsText(spent)} of {centsText(limit).replace(/\.00$/, '')}
          {period && ` / ${PERIODS[period]}`}
        </span>
      )}
    </span>
  );
}
