const DAYS_MAX = 365;

/** How long the balance lasts at the pace of the last week, in words. Null: nothing was spent. */
export function runwayText(days: number | null | undefined): string {
  if (days === null || days === undefined) return 'Nothing was spent in the last 7 days.';
  if (days < 1) return 'Lasts less than a day at the pace of the last 7 days.';
  if (days > DAYS_MAX) return 'Lasts more than a year at the pace of the last 7 days.';
  const whole = Math.floor(days);
  return `Lasts about ${whole} ${whole === 1 ? 'day' : 'days'} at the pace of the last 7 days.`;
}
