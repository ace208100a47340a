import type { Model } from '../catalog.ts';
import type { MeterId } from './configuration.ts';

/** What the platform charges for a unit of what runs use, in US dollars. No agent costs its caller less, unless it is subsidised. */
export type PlatformCosts = Partial<Record<MeterId, number>>;

/** The catalogue's prices of the model that thinks for agents and of the sandbox, by the meters of runs. */
export function platformCostsOf(model: Pick<Model, 'rates'>, sandboxUsdPerSecond: number): PlatformCosts {
  const usdOf = (unit: string) => Number(model.rates[unit] ?? 0n) / PICOS_PER_USD;
  return {
    model_input_tokens: usdOf('input_tokens'),
    model_output_tokens: usdOf('output_tokens'),
    sandbox_seconds: sandboxUsdPerSecond,
  };
}

const PICOS_PER_USD = 1e12;
