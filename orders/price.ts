import { readNetworkFee } from '../db/catalog/networkFee.ts';
import type { AgentModels } from '../db/agents/agentModels.ts';
import type { AgentConfiguration, PlatformCosts } from '../db/agents/configuration.ts';
import { pricingOf } from '../db/agents/pricing.ts';
import type { Pricing } from '../db/entities/agentJson.ts';
import type { Database } from '../db/database.ts';
import { nanosOfUsd } from '../db/money.ts';
import type { Sold } from './findAgent.ts';
import type { Order } from './order.ts';
import { OrderRefused } from './refused.ts';

/** The platform's terms beside a version's prices. */
export interface Terms {
  platformCosts: PlatformCosts;
  networkFeePercentage: number;
  /** Everything costs nothing. */
  isFree: boolean;
  /** The rules of the rehearsal replace its model. */
  isRehearsed: boolean;
}

export interface PriceServices {
  db: Pick<Database, 'pool'>;
  agentModels: Pick<AgentModels, 'costsOf' | 'isFree' | 'isRehearsed'>;
}

/** The terms of each version. */
export type TermsOf = (configuration: Pick<AgentConfiguration, 'model'>) => Terms;

/** Reads the platform's terms for the runs of a workspace. */
export async function readTerms({ db, agentModels }: PriceServices, workspaceId: string): Promise<TermsOf> {
  const networkFeePercentage = await readNetworkFee(db.pool);
  return (configuration) => ({
    platformCosts: agentModels.costsOf(configuration),
    networkFeePercentage,
    isFree: agentModels.isFree(configuration, workspaceId),
    isRehearsed: agentModels.isRehearsed(configuration),
  });
}

type Priced = Sold & { workspaceId: string; isOwn?: boolean; terms?: TermsOf };

/**
 * The price list of a run, and whether it is rehearsed. With prices other than the version's own, publishers earn nothing and get no
 * subsidy. `isOwn`: a run of the platform itself, without its fee. `terms`: those of the workspace, if the caller has read them.
 */
export async function priceOf(
  services: PriceServices,
  { workspaceId, agent, prices, quoted, isOwn = false, terms }: Priced,
): Promise<{ pricing: Pricing; isRehearsed: boolean }> {
  const termsOf = terms ?? (await readTerms(services, workspaceId));
  const { isRehearsed, ...own } = termsOf(agent.configuration);
  if (quoted) return { pricing: quoted, isRehearsed };
  const priced = prices ? { ...agent, configuration: { pricing: prices }, subsidised: false } : agent;
  return { pricing: pricingOf(priced, isOwn ? { ...own, networkFeePercentage: 0 } : own), isRehearsed };
}

/** The cost limit of an ordered run. Refuses with `cost_out_of_range`. */
export function maxCostOf({ max_cost_usd }: Pick<Order, 'max_cost_usd'>, pricing: Pricing): bigint {
  const { minimum_cost_usd: minimumUsd, maximum_cost_usd: maximumUsd } = pricing;
  if (max_cost_usd === undefined) return nanosOfUsd(maximumUsd);
  if (max_cost_usd < minimumUsd || max_cost_usd > maximumUsd)
    throw new OrderRefused({ reason: 'cost_out_of_range', minimumUsd, maximumUsd });
  return nanosOfUsd(max_cost_usd);
}

/** The same for an order without known prices: at most the version's maximum. */
export function cappedCostOf({ max_cost_usd }: Pick<Order, 'max_cost_usd'>, pricing: Pricing): bigint {
  const mostUsd = Math.min(max_cost_usd ?? Infinity, pricing.maximum_cost_usd);
  return nanosOfUsd(Number(mostUsd.toFixed(9)));
}
