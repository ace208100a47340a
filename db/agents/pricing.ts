import type { Model, Catalog } from '../catalog.ts';
import { METERS, type AgentConfiguration, type MeterId, type PlatformCosts } from './configuration.ts';

/** A price list as callers see it, and as each run keeps it from its beginning. */
export interface Pricing {
  id: string;
  currency: 'USD';
  minimum_cost_usd: number;
  maximum_cost_usd: number;
  network_fee_percentage: number;
  /** The platform bears what its own costs are above the prices. */
  subsidised?: boolean;
  /** `platform_cost_usd` is the part of a price that passes through to the platform. Older runs have none. */
  meters: { id: string; unit: string; price_usd: number; platform_cost_usd?: number; description: string }[];
}

/** A price list of today. */
interface CurrentPricing extends Pricing {
  subsidised: boolean;
  meters: (Required<Pricing['meters'][number]> & { id: MeterId })[];
}

/** What the platform adds to a publisher's prices: its own costs, and what it takes on top of the whole. */
interface PlatformTerms {
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
): CurrentPricing {
  return {
    // A version's prices stay; what the platform charges is that of the day.
    id: versionId.replace(/^aver_/, 'rate_'),
    currency: 'USD',
    minimum_cost_usd: pricing.minimum_cost_usd,
    maximum_cost_usd: pricing.maximum_cost_usd,
    network_fee_percentage: networkFeePercentage,
    subsidised,
    meters: withMissing(pricing.rates, platformCosts).map(({ meter, price_usd }) => {
      const { unit, description } = METERS[meter];
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

/**
 * The catalogue's model that thinks for agents: the one that is named, else the catalogue's choice, else its first text model. Throws a
 * sentence that says which models there are when it is none of them.
 */
export function agentModelOf(catalog: Catalog, name: string | undefined): Model {
  const texts = catalog.models.filter(({ kind }) => kind === 'text');
  const wanted = name ?? catalog.agentModel;
  const model = wanted === undefined ? texts[0] : catalog.find(wanted);
  if (model?.kind === 'text') return model;
  const ids = texts.map(({ id }) => id).join(', ');
  throw new Error(`AGENT_MODEL must be a text model of the catalogue (${ids}), not "${wanted ?? ''}"`);
}
