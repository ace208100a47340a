const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** The day of a moment (UTC) as mails and invoices have it: `7 December 2026`. */
export const dayText = (at: string | Date): string => DAY.format(new Date(at));

/** `2026-10` as mails have it: `October 2026`. */
export const monthText = (month: string): string => MONTH.format(new Date(`${month}-01`));

/** A moment as mails have it: `7 December 2026, 10:00 UTC`. */
export const momentText = (at: string | Date): string => `${dayText(at)}, ${TIME.format(new Date(at))} UTC`;

/** The month after one such as `2026-10`. */
export function monthAfter(month: string): string {
  const [year, nth] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, nth, 1)).toISOString().slice(0, 7);
}

/** The last day of a month such as `2026-10`, at its start (UTC). */
export const lastDayOf = (month: string): Date =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0));
