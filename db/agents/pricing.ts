import { meters, type AgentConfiguration } from './configuration.ts';

/** A price list as callers see it, and as each run keeps it from its beginning. */
export interface Pricing {
  id: string;
  currency: 'USD';
  minimum_cost_usd: number;
  maximum_cost_usd: number;
  network_fee_percentage: number;
  meters: { id: string; unit: string; price_usd: number; description: string }[];
}

/** The price list of a version. `networkFeePercentage` is what the platform takes on top of the publisher's prices. */
export function pricingOf({
  versionId,
  configuration: { pricing },
  networkFeePercentage,
}: {
  versionId: string;
  configuration: Pick<AgentConfiguration, 'pricing'>;
  networkFeePercentage: number;
}): Pricing {
  return {
    // A version has one price list for ever, so they share their id.
    id: versionId.replace(/^aver_/, 'rate_'),
    currency: 'USD',
    minimum_cost_usd: pricing.minimum_cost_usd,
    maximum_cost_usd: pricing.maximum_cost_usd,
    network_fee_percentage: networkFeePercentage,
    meters: pricing.rates.map(({ meter, price_usd }) => {
      const { unit, description } = meters[meter];
      return { id: meter, unit, price_usd, description };
    }),
  };
}
