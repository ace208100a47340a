import type { Overview } from '../api/shapes.ts';

const LONG_DAYS = 365;

/** How long what is available lasts at the pace of the last week. */
export function lastingText({
  available_usd: usd,
  runway_days: days,
}: Pick<Overview, 'available_usd' | 'runway_days'>): string {
  if (usd <= 0) return 'No credit left';
  if (days === null) return 'No spend in the last 7 days';
  if (days < 1) return 'Less than a day left at the current pace';
  if (days > LONG_DAYS) return 'More than a year left at the current pace';
  const whole = Math.floor(days);
  return `About ${whole} ${whole === 1 ? 'day' : 'days'} left at the current pace`;
}
