import { picosPerUnitOf, type Rates } from '../money.ts';
import type { ModelPlace } from './modelPlace.ts';

/** A usual text call has three times as many tokens of input as of output. */
const SHARES: Record<string, number> = { input_tokens: 3 };
/** Parts of a prompt are counted with the rest. */
const PARTS = new Set(['cached_input_tokens', 'cache_write_tokens']);

/** What an operator stated that an upstream charges for the units of a model; undefined: nothing. */
export type CostOf = (model: string, upstream: string) => Rates | undefined;

/**
 * The model with what each upstream charges, as one figure to compare: what was stated last, else the file's. The same model where nothing
 * is known. An upstream without a known cost has no figure.
 */
export function withCostRanks<M extends { id: string; upstreams: readonly ModelPlace[] }>(
  model: M,
  statedOf: CostOf = () => undefined,
): M {
  const ranked = (places: readonly ModelPlace[]) => {
    const made = places.map((place) => withRank(place, statedOf(model.id, place.upstream)));
    return made.every((place, at) => place === places[at]) ? places : made;
  };
  const upstreams = ranked(model.upstreams);
  return upstreams === model.upstreams ? model : { ...model, upstreams };
}

function withRank(place: ModelPlace, stated: Rates | undefined): ModelPlace {
  const rates = stated ?? ratesIn(place);
  return rates ? { ...place, costRank: rankOf(rates) } : place;
}

const ratesIn = ({ costUsdPerMillion: usd }: ModelPlace): Rates | undefined =>
  usd && Object.fromEntries(Object.entries(usd).map(([unit, amount]) => [unit, picosPerUnitOf(amount)]));

const rankOf = (rates: Rates): number =>
  Object.entries(rates)
    .filter(([unit]) => !PARTS.has(unit))
    .reduce((sum, [unit, picos]) => sum + Number(picos) * (SHARES[unit] ?? 1), 0);
