const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

const MONTH_MS = 30 * 86_400_000;
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long ago, briefly: `3m ago`, or the day itself when that is a month away. */
export function agoText(at: Date, nowMs = Date.now()): string {
  const ms = at.getTime() - nowMs;
  if (Math.abs(ms) >= MONTH_MS) return day.format(at);
  const step = STEPS.find(([, size]) => Math.abs(ms) >= size);
  return step ? relative.format(Math.trunc(ms / step[1]), step[0]) : 'just now';
}
