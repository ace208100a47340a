import { z } from 'zod';

/**
 * What happens to a parameter that may change what a call costs, or which model answers: it is refused, goes upstream at the same price, or
 * is taken with the values that are listed, each of which multiplies the price.
 */
export type ParameterRule = 'refuse' | 'forward' | Record<string, number>;

/** The rules of parameters, by name. Any other parameter goes upstream unchanged. */
export type ParameterRules = ReadonlyMap<string, ParameterRule>;

/** The rules of one upstream, in the catalogue. */
export const ParameterRulesEntry = z.record(
  z.string().min(1),
  z.union([z.enum(['refuse', 'forward']), z.record(z.string(), z.number().min(0.01).max(1_000).multipleOf(0.01))]),
);

/** What holds where an upstream says nothing else: what would change the price or the model is refused. */
const DEFAULT_RULES: Record<string, ParameterRule> = {
  service_tier: { auto: 1, default: 1 },
  // Other models, or other suppliers of the model, at their own prices.
  models: 'refuse',
  route: 'refuse',
  provider: 'refuse',
  preset: 'refuse',
  fallbacks: 'refuse',
  model_list: 'refuse',
  custom_llm_provider: 'refuse',
  // Where the call goes, and on whose account.
  api_base: 'refuse',
  base_url: 'refuse',
  api_key: 'refuse',
  // Searches and tools of the upstream's own, which it charges for.
  plugins: 'refuse',
  mcp_servers: 'refuse',
  web_search_options: 'refuse',
  search_parameters: 'refuse',
  enable_search: 'refuse',
  // The same tokens for more money, or more tokens than are returned.
  speed: 'refuse',
  inference_geo: 'refuse',
  best_of: 'refuse',
  use_beam_search: 'refuse',
};

/** The rules of a model that several upstreams may serve: the strictest of each. */
export function parameterRulesOf(upstreams: (Record<string, ParameterRule> | undefined)[]): ParameterRules {
  const merged = new Map<string, ParameterRule>();
  const own = upstreams.map((rules) => ({ ...DEFAULT_RULES, ...rules }));
  for (const name of new Set(own.flatMap((rules) => Object.keys(rules)))) {
    const rule = own.map((rules) => rules[name] ?? 'forward').reduce(stricterOf);
    if (rule !== 'forward') merged.set(name, rule);
  }
  return merged;
}

/** Of two lists, only values that both take, at the higher price. */
function stricterOf(one: ParameterRule, other: ParameterRule): ParameterRule {
  if (one === 'refuse' || other === 'refuse') return 'refuse';
  if (one === 'forward') return other;
  if (other === 'forward') return one;
  const shared = Object.keys(one).filter((value) => Object.hasOwn(other, value));
  return Object.fromEntries(shared.map((value) => [value, Math.max(one[value]!, other[value]!)]));
}
