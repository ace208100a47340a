import type { components } from '../api/openapi.d.ts';

type Queue = NonNullable<components['schemas']['Run']['queue']>;

const PERIODS: Record<number, string> = { 1: 'a second', 60: 'a minute', 3_600: 'an hour', 86_400: 'a day' };

/** A period in words. */
export const periodText = (seconds: number): string => PERIODS[seconds] ?? `${seconds} seconds`;

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** What a queued run waits for. */
export function queueText({ waits_for: cause, key, limit, period_seconds: seconds, starts_at: at }: Queue): string {
  const of = key === null ? '' : ` for ${key}`;
  switch (cause) {
    case 'session':
      return 'Waits for its session';
    case 'concurrency':
      return limit === null ? 'Waits for its turn' : `At most ${limit} at once${of}`;
    case 'rate':
      return limit === null ? 'Waits for its turn' : `At most ${limit} in ${periodText(seconds ?? 0)}${of}`;
    case 'debounce':
      return `Starts at ${timeOf(at)} unless a newer order comes`;
    case 'start_time':
      return `Starts at ${timeOf(at)}`;
    default:
      return cause satisfies never;
  }
}

const timeOf = (at: string | null): string => (at === null ? 'once' : time.format(new Date(at)));
