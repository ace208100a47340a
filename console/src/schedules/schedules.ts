import type { components } from '../api/openapi.d.ts';
import type { Tone } from '../parts/Status.tsx';

type Schemas = components['schemas'];

export type Schedule = Schemas['Schedule'];
export type NewSchedule = Schemas['NewSchedule'];
export type Firing = Schedule['recent'][number];

const REASONS = {
  requested: 'Paused',
  balance: 'Paused: no balance left, or the key’s limit is reached',
  key: 'Paused: its key is revoked',
  agent: 'Paused: its agent is not available',
  order: 'Paused: its run is refused',
};

/** The state of a schedule: its word and its tone. */
export function stateOf({ status, pause_reason: reason }: Schedule): { word: string; tone: Tone } {
  if (status === 'ended') return { word: 'Ended', tone: 'quiet' };
  if (status === 'active') return { word: 'Active', tone: 'good' };
  return { word: REASONS[reason ?? 'requested'], tone: (reason ?? 'requested') === 'requested' ? 'held' : 'bad' };
}

/** When it runs, as ordered. */
export function ruleOf({ cron, every_seconds: everySeconds, timezone }: Schedule): string {
  return cron === null ? `Every ${spanText(everySeconds ?? 0)}` : `${cron} (${timezone})`;
}

const SPANS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

function spanText(seconds: number): string {
  const [size, name] = SPANS.find(([span]) => seconds % span === 0) ?? [1, 'second'];
  const count = seconds / size;
  return count === 1 ? name : `${count} ${name}s`;
}

export const OVERLAPS: Record<Schedule['overlap'], string> = {
  skip: 'Skip the new run',
  buffer_one: 'Queue one run',
  cancel_other: 'Cancel the earlier run',
  allow: 'Run both',
};
