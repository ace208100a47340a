import type { Overview } from '../api/shapes.ts';
import type { Picture } from '../parts/chart/layout.ts';
import { sumOf } from '../parts/nanos.ts';
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
