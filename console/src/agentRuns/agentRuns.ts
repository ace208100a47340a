import type { components } from '../api/openapi.d.ts';
import type { Picture } from '../parts/chart/layout.ts';
import { stepTexts } from '../usage/steps.ts';

type Schemas = components['schemas'];

/** A run as the publisher of its agent sees it. */
export type AgentRun = Schemas['PublishedRunPage']['data'][number];
export type AgentRunStep = Schemas['PublishedStepPage']['data'][number];
export type AgentMetrics = Schemas['AgentMetrics'];
export type AgentAlert = Schemas['PublisherAlert'];
export type NewAgentAlert = Schemas['NewPublisherAlert'];
export type Fault = NonNullable<AgentRun['fault']>;

export const FAULTS: Record<Fault, string> = {
  agent: 'Agent',
  caller: 'Caller',
  platform: 'Platform',
  provider: 'Model’s provider',
};

export const FAULT_OPTIONS = Object.entries(FAULTS).map(([value, label]) => ({ value, label }));

/** Whose runs are shown. */
export const WHOSE = [
  { value: 'callers', label: 'Callers' },
  { value: 'own', label: 'Own' },
  { value: 'all', label: 'All' },
];

export const PERIODS = [
  { value: '1', label: '24 hours' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The beginning of a period that ends now, at a full hour. */
export const sinceOf = (days: number, nowMs: number): string =>
  new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS - days * DAY_MS).toISOString();

const ENDS = [
  ['completed', 'Completed', 'var(--series-1)'],
  ['limit_reached', 'Limit reached', 'var(--held)'],
  ['failed', 'Failed', 'var(--bad)'],
  ['cancelled', 'Cancelled', 'var(--series-others)'],
] as const;

const DURATIONS = [
  ['p50_seconds', 'p50', 'var(--series-1)'],
  ['p95_seconds', 'p95', 'var(--series-2)'],
] as const;

/** How runs ended over time, or how long the completed ones took. */
export function pictureOf({ data, totals, from, to, interval }: AgentMetrics, shown: 'ends' | 'durations'): Picture {
  const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const first = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const count = Math.ceil((Date.parse(to) - first) / stepMs);
  const steps = Array.from({ length: count }, (_, at) => new Date(first + at * stepMs).toISOString());
  const byStart = new Map(data.map((slot) => [Date.parse(slot.start), slot]));
  const slots = steps.map((step) => byStart.get(Date.parse(step)));
  const texts = stepTexts(interval === 'day' ? steps.map((step) => step.slice(0, 10)) : steps, interval, count - 1);
  const seriesOf = (id: Member, name: string, color: string) => {
    const values = slots.map((slot) => slot?.[id] ?? (shown === 'ends' ? 0 : undefined));
    return { id, name, color, values, sum: totals[id] ?? 0 };
  };
  const all = (shown === 'ends' ? ENDS : DURATIONS).map(([id, name, color]) => seriesOf(id, name, color));
  return { steps: texts, series: all.filter(({ sum }) => sum > 0), openAt: count - 1 };
}

type Member = (typeof ENDS | typeof DURATIONS)[number][0];

/** The last characters of a caller's name, enough to tell callers apart. */
export const callerText = ({ caller_id: id, is_own: isOwn }: AgentRun): string =>
  isOwn ? 'Own workspace' : `…${id.slice(-6)}`;
