import type { Overview } from '../api/shapes.ts';
import type { Picture } from '../parts/chart/layout.ts';
import { sumOf } from '../parts/totals.tsx';
import { stepTexts } from '../usage/steps.ts';

/** The spend of the last days as a picture, with the days before, and their sums. */
export function spendOf({ spend_days: days, spend_days_before: before }: Overview) {
  const values = days.map(({ cost_usd: usd }) => usd);
  const sum = sumOf(values);
  const ghost = before.map(({ cost_usd: usd }) => usd);
  const openAt = days.length - 1;
  const steps = days.map(({ day }) => day);
  const picture: Picture = {
    steps: stepTexts(steps, 'day', openAt),
    series: [{ id: 'spend', name: 'Spend', color: 'var(--money)', values, sum }],
    ghost,
    openAt,
  };
  return { picture, steps, sum, sumBefore: sumOf(ghost) };
}

const LONG_DAYS = 365;

/** How long the balance lasts. */
export function lastingText({
  available_usd: usd,
  runway_days: days,
}: Pick<Overview, 'available_usd' | 'runway_days'>): string {
  if (usd <= 0) return 'Nothing left to spend';
  if (days === null) return 'Nothing was spent in the last days';
  if (days < 1) return 'Lasts less than a day';
  if (days > LONG_DAYS) return 'Lasts more than a year';
  const whole = Math.floor(days);
  return `Lasts about ${whole} ${whole === 1 ? 'day' : 'days'} at this pace`;
}
