const trimmed = (text: string): string => text.replace(/(\.\d\d\d*?)0+$/, '$1');

function dollars(amount: number, digits: number): string {
  const text = trimmed(Math.abs(amount).toFixed(digits));
  return `${amount < 0 ? '-' : ''}$${text}`;
}

/** US dollars with as many digits as a small amount needs: `$0.000123`, `$12.50`. */
export function usd(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '-';
  const size = Math.abs(amount);
  return dollars(amount, size >= 1 ? 2 : size >= 0.0001 ? 6 : 9);
}

/** US dollars with every digit: prices go down to the pico-dollar. */
export const exactUsd = (amount: number): string => dollars(amount, 12);

/** A quantity with its thousands apart: `12,345`. */
export const number = (quantity: number): string => quantity.toLocaleString('en-US', { maximumFractionDigits: 3 });

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes in the unit that a person reads: `1.2 MB`. */
export function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, count > 0 ? Math.floor(Math.log10(count) / 3) : 0);
  const value = count / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

/** A time as `2026-11-26 21:40:05` of this machine's zone. Takes ISO texts, and seconds since 1970. */
export function time(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '-';
  return new Date(typeof value === 'number' ? value * 1000 : value).toLocaleString('sv-SE');
}

/** The same without year and seconds, for narrow tables: `11-26 21:40`. */
export const briefTime = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '-' : time(value).slice('2026-'.length, -':05'.length);

/** A span of time: `0.4 s`, `12 s`, `3 min 5 s`. */
export function span(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
