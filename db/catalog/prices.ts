import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Rates } from '../money.ts';

/** A model at a price. Without an id the price is not recorded. */
interface PricedModel {
  id: string;
  rates: Rates;
  priceId?: string;
  /** The operators' price that these rates were derived from. */
  ofPriceId?: string | undefined;
}

export type Prices = ReturnType<typeof createPrices>;

/** The id of a price row, derived from model and rates, so that every process computes the same id. */
export function priceIdOf(model: string, rates: Rates): string {
  const listed = Object.entries(rates)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([unit, picos]) => `${unit}=${picos}`);
  return `price_${createHash('sha256')
    .update([model, ...listed].join('\n'))
    .digest('hex')
    .slice(0, 16)}`;
}

/** Rates as they are stored: pico-USD as text, by the name of the unit. */
export const storedRates = (rates: Rates): Record<string, string> =>
  Object.fromEntries(Object.entries(rates).map(([unit, picos]) => [unit, `${picos}`]));

/** The rates of a stored row. */
export const ratesIn = (stored: Record<string, string>): Rates =>
  Object.fromEntries(Object.entries(stored).map(([unit, picos]) => [unit, BigInt(picos)]));

/** Other rates of a model at its price, such as those of a batch: their id names the operators' price that they come from. */
export function derivedPrice(model: { id: string; ownPriceId?: string | undefined }, rates: Rates) {
  const { id, ownPriceId } = model;
  return { rates, priceId: priceIdOf(ownPriceId ? `${id} ${ownPriceId}` : id, rates), ofPriceId: ownPriceId };
}

/** Records prices, so that a call can be explained by its own price after the catalogue has changed. */
export function createPrices({ pool, onError }: { pool: Pool; onError: (error: unknown) => void }) {
  const recorded = new Set<string>();

  /** Records the price of a model, once in each process. Calls do not wait for it; the next call retries a failure. */
  function record({ id, rates, priceId, ofPriceId }: PricedModel): void {
    if (priceId === undefined || recorded.has(priceId)) return;
    recorded.add(priceId);
    pool
      .query({
        name: 'model_prices_record',
        text: RECORD,
        values: [priceId, id, JSON.stringify(storedRates(rates)), ofPriceId],
      })
      .catch((error: unknown) => {
        recorded.delete(priceId);
        onError(error);
      });
  }

  return { record };
}

// Raw: a prepared statement beside the answers of calls.
const RECORD =
  'insert into model_prices (id, model, rates, of_price_id) values ($1, $2, $3, $4) on conflict (id) do nothing';
