import { countText, durationText } from '../parts/figures.tsx';
import { columnText } from '../parts/Money.tsx';
import { digitsOfStep, usdTick } from '../parts/chart/scale.ts';
import type { Shape } from '../parts/chart/layout.ts';
import { ERROR_PARTS } from './errors.ts';

export type MetricId = 'cost' | 'requests' | 'tokens' | 'errors' | 'latency';

export interface Metric {
  id: MetricId;
  name: string;
  shape: Shape;
  isWhole: boolean;
  /** What it can be grouped by; the first one unless another is chosen. */
  groups: Group[];
  /** Which part of it: of tokens a kind, of latency a percentile. */
  parts?: { value: string; label: string }[];
  /** How values that stand together are written: amounts with one precision. */
  textOf: (values: (number | undefined)[]) => (value: number) => string;
  tickText: (value: number, step: number) => string;
}

export interface Group {
  value: string;
  label: string;
}

const MODEL = { value: 'model', label: 'Model' };
const KEY = { value: 'key', label: 'Key' };
const PRODUCT = { value: 'product', label: 'Product' };
const PROJECT = { value: 'project', label: 'Project' };
const MEMBER = { value: 'member', label: 'Member' };
const AGENT = { value: 'agent', label: 'Agent' };
const METER = { value: 'meter', label: 'Meter' };
const ROUTE = { value: 'route', label: 'Route' };

/** The groups by which the list of requests can be filtered. */
export const REQUEST_FILTERS = ['model', 'key', 'route', 'product', 'project', 'member', 'code'];

/** The kinds of a metric's own: no group of the API. */
export const KIND = 'kind';
/** All calls in one. */
export const ALL = 'all';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
const countTick = (count: number): string => (count < 10_000 ? countText(count) : compact.format(count));

const msTick = (ms: number, step: number): string => {
  if (ms === 0) return '0';
  if (ms >= 60_000) return durationText(ms);
  return ms < 1_000 && step < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(digitsOfStep(step / 1_000))} s`;
};

export const METRICS: Metric[] = [
  {
    id: 'cost',
    name: 'Cost',
    shape: 'bars',
    isWhole: false,
    groups: [MODEL, KEY, PROJECT, PRODUCT, MEMBER, AGENT, METER, ROUTE],
    textOf: columnText,
    tickText: usdTick,
  },
  {
    id: 'requests',
    name: 'Requests',
    shape: 'bars',
    isWhole: true,
    groups: [MODEL, KEY, PROJECT, PRODUCT, MEMBER, AGENT, ROUTE],
    textOf: () => countText,
    tickText: countTick,
  },
  {
    id: 'tokens',
    name: 'Tokens',
    shape: 'bars',
    isWhole: true,
    groups: [{ value: KIND, label: 'Kind' }, MODEL, KEY, PROJECT, PRODUCT, MEMBER],
    parts: [
      { value: ALL, label: 'All tokens' },
      { value: 'input_tokens', label: 'Input' },
      { value: 'cached_input_tokens', label: 'Cached input' },
      { value: 'output_tokens', label: 'Output' },
    ],
    textOf: () => countText,
    tickText: countTick,
  },
  {
    id: 'errors',
    name: 'Errors',
    shape: 'bars',
    isWhole: true,
    groups: [{ value: 'code', label: 'Code' }, MODEL, KEY, PROJECT, PRODUCT, MEMBER],
    parts: ERROR_PARTS,
    textOf: () => countText,
    tickText: countTick,
  },
  {
    id: 'latency',
    name: 'Latency',
    shape: 'lines',
    isWhole: true,
    groups: [{ value: ALL, label: 'All requests' }, MODEL, KEY, PROJECT, PRODUCT, MEMBER],
    parts: [
      { value: 'p50', label: 'p50' },
      { value: 'p95', label: 'p95' },
      { value: 'first_p50', label: 'First token p50' },
      { value: 'first_p95', label: 'First token p95' },
    ],
    textOf: () => durationText,
    tickText: msTick,
  },
];

export const metricOf = (id: string | undefined): Metric => METRICS.find((metric) => metric.id === id) ?? METRICS[0]!;

export const groupOf = (metric: Metric, by: string | undefined): string =>
  metric.groups.find(({ value }) => value === by)?.value ?? metric.groups[0]!.value;
