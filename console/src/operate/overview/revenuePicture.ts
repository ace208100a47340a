import type { components } from '../../api/openapi.d.ts';
import type { Picture } from '../../parts/chart/layout.ts';
import { sumOf } from '../../parts/nanos.ts';
import { stepTexts } from '../../usage/steps.ts';

/** Revenue by day as a picture, with the days before. */
export function pictureOf({ days, days_before: before }: components['schemas']['Revenue']): Picture {
  const values = days.map(({ charged_usd: usd }) => usd);
  const openAt = days.length - 1;
  return {
    steps: stepTexts(
      days.map(({ day }) => day),
      'day',
      openAt,
    ),
    series: [{ id: 'revenue', name: 'Revenue', color: 'var(--money)', values, sum: sumOf(values) }],
    ghost: before.map(({ charged_usd: usd }) => usd),
    openAt,
  };
}
