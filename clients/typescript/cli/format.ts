/** US dollars with as many digits as a small amount needs: `$0.000123`, `$12.50`. */
export function usd(amount: number | string | null | undefined): string {
  if (amount === null || amount === undefined) return '-';
  const value = Number(amount);
  const digits = value === 0 || Math.abs(value) >= 1 ? 2 : 6;
  const text = Math.abs(value)
    .toFixed(digits)
    .replace(/(\.\d\d\d*?)0+$/, '$1');
  return `${value < 0 ? '-' : ''}$${text}`;
}

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
  const date = new Date(typeof value === 'number' ? value * 1000 : value);
  return date.toLocaleString('sv-SE');
}
