import { type AgentConfiguration, type MeterId, type Pricing, RUN_METERS } from '../entities/agentJson.ts';
import type { PlatformCosts } from './configuration.ts';

/** A price list as created today. */
interface CurrentPricing extends Pricing {
  subsidised: boolean;
  meters: (Required<Pricing['meters'][number]> & { id: MeterId })[];
}

/** The platform's additions to a publisher's prices: its own costs, and its fee on the total. */
interface PlatformTerms {
  platformCosts: PlatformCosts;
  networkFeePercentage: number;
  /** Everything is free. */
  isFree?: boolean;
}

/**
 * The price list of a version. A meter that the publisher prices below the platform's cost, or not at all, is sold at that cost, unless
 * an operator has granted the agent a subsidy.
 */
export function pricingOf(
  {
    versionId,
    configuration: { pricing },
    subsidised,
  }: { versionId: string; configuration: Pick<AgentConfiguration, 'pricing'>; subsidised: boolean },
  { platformCosts, networkFeePercentage, isFree = false }: PlatformTerms,
): CurrentPricing {
  return {
    // A version's prices are fixed; the platform's costs are the current ones.
    id: versionId.replace(/^aver_/, 'rate_'),
    currency: 'USD',
    minimum_cost_usd: isFree ? 0 : pricing.minimum_cost_usd,
    maximum_cost_usd: pricing.maximum_cost_usd,
    network_fee_percentage: networkFeePercentage,
    subsidised,
    meters: withMissing(pricing.rates, platformCosts).map(({ meter, price_usd }) => {
      const { unit, description } = RUN_METERS[meter];
      const costUsd = platformCosts[meter] ?? 0;
      const priceUsd = subsidised ? price_usd : Math.max(price_usd, costUsd);
      return { id: meter, unit, price_usd: isFree ? 0 : priceUsd, platform_cost_usd: costUsd, description };
    }),
  };
}

function withMissing(rates: { meter: MeterId; price_usd: number }[], platformCosts: PlatformCosts) {
  const priced = new Set(rates.map(({ meter }) => meter));
  const costly = Object.entries(platformCosts) as [MeterId, number][];
  const missing = costly.filter(([meter, usd]) => usd > 0 && !priced.has(meter));
  return [...rates, ...missing.map(([meter]) => ({ meter, price_usd: 0 }))];
}
