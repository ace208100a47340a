/** Milliseconds until the time in `Retry-After`: a number of seconds, or a date of HTTP. Undefined where it says neither. */
export function retryAfterMsOf(header: string | string[] | undefined): number | undefined {
  const seconds = positiveIn(header);
  if (seconds !== undefined) return seconds * 1_000;
  const dateMs = Date.parse(String(header));
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - Date.now());
}

/** The number in a header, from 0 on; undefined where it is none. */
export function positiveIn(header: string | string[] | undefined): number | undefined {
  const value = typeof header === 'string' && header.trim() !== '' ? Number(header) : Number.NaN;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
