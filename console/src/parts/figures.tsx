import type { Overview } from '../api/shapes.ts';
import { agoText } from './agoText.ts';
import { durationText } from './durationText.ts';
import { decimalOf, type Usd } from './nanos.ts';

export { durationText } from './durationText.ts';
export { unitName } from './unitName.ts';
export { usdText } from './usdText.ts';

/** Formats amounts, counts and times consistently. */

const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const MINUS = '−';
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** US dollars to the cent; smaller amounts are shown as less than a cent. */
export function centsText(usd: Usd): string {
  const amount = Number(usd);
  if (amount !== 0 && Math.abs(amount) < 0.01) return amount > 0 ? '< $0.01' : `> ${MINUS}$0.01`;
  return cents.format(decimalOf(usd)).replace('-', MINUS);
}

/** An amount as an input of US dollars begins with it: whole cents have both digits. */
export const usdInput = (usd: number): string =>
  Number.isInteger(Number((usd * 100).toFixed(7))) ? usd.toFixed(2) : String(usd);

export const countText = (count: number): string => whole.format(count);

/** A number, or a dash in its place. */
export function Count({ value }: { value: number | null | undefined }) {
  return <span className="number">{value === null || value === undefined ? '—' : countText(value)}</span>;
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const timeOfDay = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** A time for a sentence, in the reader's own zone. */
export const timeText = (at: string): string => momentText(new Date(at), false);

/** The year is shown only when it is not the current one. */
function momentText(at: Date, isDay: boolean): string {
  if (isDay) return day.format(at);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  return isThisYear ? `${dayOfYear.format(at)}, ${timeOfDay.format(at)}` : moment.format(at);
}

/** A time in the reader's own zone; UTC on hover. */
export function DateTime({ at, isDay = false }: { at: string | null | undefined; isDay?: boolean }) {
  if (!at) return <span className="number">—</span>;
  return (
    <time className="number moment" dateTime={at} title={new Date(at).toISOString()}>
      {momentText(new Date(at), isDay)}
    </time>
  );
}

const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of UTC, as bills and prices have theirs, wherever the reader is. */
export function UtcDay({ at }: { at: string | null }) {
  if (at === null) return <span className="number">—</span>;
  return (
    <time className="number moment" dateTime={at} title={new Date(at).toISOString()}>
      {utcDay.format(new Date(at))}
    </time>
  );
}

/** How long ago, briefly: `3m ago`, or the day when that is a month away; the exact time on hover. */
export function Ago({ at, never = 'never' }: { at: string | null | undefined; never?: string }) {
  if (!at) return <span className="nowrap">{never}</span>;
  return (
    <time className="number" dateTime={at} title={moment.format(new Date(at))}>
      {agoText(new Date(at))}
    </time>
  );
}

export const secondsText = (seconds: number | null | undefined): string =>
  durationText(seconds === null || seconds === undefined ? null : seconds * 1_000);

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
