import { usdText } from './usdText.ts';

const MILLION = 1_000_000;

/** A price with its unit. Prices of tokens are known by the million: `$0.15 / 1M tokens`. */
export function priceText(usd: number, per: string | null): string {
  if (per !== 'token') return per === null ? usdText(usd) : `${usdText(usd)} / ${per}`;
  return `${usdText(Number((usd * MILLION).toPrecision(12)))} / 1M tokens`;
}
