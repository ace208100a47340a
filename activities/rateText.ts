import { RUN_METERS, type MeterId } from '../db/entities/agentJson.ts';
import { dollarText, picosOfUsd, usdTextOfPicos } from '../db/money.ts';

/** What a unit of a meter costs in runs of an agent. */
export interface Rate {
  meter: MeterId;
  price_usd: number;
}

// A million of what costs one pico-USD costs a thousand nano-USD.
const NANOS_OF_MILLION_PER_PICO = 1_000n;

/** A rate as mails have it. Prices of tokens are known by the million: `model output $2.60 for 1M tokens`. */
export function rateText({ meter, price_usd: usd }: Rate): string {
  const { label, unit } = RUN_METERS[meter];
  const price =
    unit === 'token'
      ? `${dollarText(picosOfUsd(usd) * NANOS_OF_MILLION_PER_PICO)} for 1M tokens`
      : `$${usdTextOfPicos(picosOfUsd(usd))} for each ${unit}`;
  return `${label.toLowerCase()} ${price}`;
}
