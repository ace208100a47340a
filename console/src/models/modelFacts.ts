import type { Tone } from '../parts/Status.tsx';
import type { Model } from '../playground/models.ts';
import type { Performance } from './useModelRows.ts';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** `128K`; a dash for models that count no tokens. */
export const contextOf = ({ context_length: tokens }: Pick<Model, 'context_length'>): string =>
  tokens ? compact.format(tokens) : '—';

type Measured = Pick<Performance, 'success_rate' | 'output_tokens_per_second'> | undefined;

/** `93 tokens/s`. */
export function speedText(measured: Measured): string {
  const speed = measured?.output_tokens_per_second;
  return typeof speed === 'number' ? `${Math.round(speed)} tokens/s` : '—';
}

const GOOD_FROM = 0.99;
const HELD_FROM = 0.9;

/** The share of calls that did not fail, as a state; undefined while there were too few. */
export function uptimeOf(measured: Measured): { tone: Tone; word: string } | undefined {
  const rate = measured?.success_rate;
  if (typeof rate !== 'number') return undefined;
  // Never rounded up to a hundred.
  const word = rate === 1 ? '100%' : `${(Math.floor(rate * 1000) / 10).toFixed(1)}%`;
  if (rate >= GOOD_FROM) return { tone: 'good', word };
  return { tone: rate >= HELD_FROM ? 'held' : 'bad', word };
}

/** The kinds that the playground has a tool for. */
const TRIED: Model['kind'][] = ['text', 'speech', 'transcription', 'realtime'];

export const mayTry = ({ kind }: Pick<Model, 'kind'>): boolean => TRIED.includes(kind);
