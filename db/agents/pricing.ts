import { meters, type AgentConfiguration, type MeterId } from './configuration.ts';
import type { PlatformCosts } from './platformCosts.ts';

/** A price list as callers see it, and as each run keeps it from its beginning. */
export interface Pricing {
  id: string;
  currency: 'USD';
  minimum_cost_usd: number;
  maximum_cost_usd: number;
  network_fee_percentage: number;
  /** The platform bears what its own costs are above the prices. */
  subsidised?: boolean;
  /** `platform_cost_usd` is the part of a price that passes through to the platform. Runs made before it was told have none. */
  meters: { id: string; unit: string; price_usd: number; platform_cost_usd?: number; description: string }[];
}

/** What the platform adds to a publisher's prices: its own costs, and what it takes on top of the whole. */
export interface PlatformTerms {
  platformCosts: PlatformCosts;
  networkFeePercentage: number;
}

/**
 * The price list of a version. A meter that its publisher prices below the platform's cost, or not at all, is sold at that cost, unless an
 * operator has granted the agent a subsidy.
 */
export function pricingOf(
  {
    versionId,
    configuration: { pricing },
    subsidised,
  }: { versionId: string; configuration: Pick<AgentConfiguration, 'pricing'>; subsidised: boolean },
  { platformCosts, networkFeePercentage }: PlatformTerms,
): Pricing {
  return {
    // A version's prices stay; what the platform charges is that of the day.
    id: versionId.replace(/^aver_/, 'rate_'),
    currency: 'USD',
    minimum_cost_usd: pricing.minimum_cost_usd,
    maximum_cost_usd: pricing.maximum_cost_usd,
    network_fee_percentage: networkFeePercentage,
    subsidised,
    meters: withMissing(pricing.rates, platformCosts).map(({ meter, price_usd }) => {
      const { unit, description } = meters[meter];
      const costUsd = platformCosts[meter] ?? 0;
      const priceUsd = subsidised ? price_usd : Math.max(price_usd, costUsd);
      return { id: meter, unit, price_usd: priceUsd, platform_cost_usd: costUsd, description };
    }),
  };
}

function withMissing(rates: { meter: MeterId; price_usd: number }[], platformCosts: PlatformCosts) {
  const priced = new Set(rates.map(({ meter }) => meter));
  const costly = Object.entries(platformCosts) as [MeterId, number][];
  const missing = costly.filter(([meter, usd]) => usd > 0 && !priced.has(meter));
  return [...rates, ...missing.map(([meter]) => ({ meter, price_usd: 0 }))];
}
