import type { Tone } from '../parts/Status.tsx';
import type { Performance } from './useModelRows.ts';

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
