import { timesRates } from '../money.ts';
import type { Model } from '../catalog/catalog.ts';
import type { HeldPrice } from './catalogRows.ts';

const PERCENT = 100;

/** The model at a price of its history. */
export function pricedModel(
  model: Model,
  price: Pick<HeldPrice, 'priceId' | 'rates' | 'batchPercentage' | 'followsFile'>,
): Model {
  // The file may have changed since the price was recorded: then the file's holds until the record is made.
  if (price.followsFile) return model;
  const { priceId, rates, batchPercentage } = price;
  const batchRates = batchPercentage === null ? undefined : timesRates(rates, batchPercentage / PERCENT);
  return { ...model, rates, batchRates, batchPercentage: batchPercentage ?? undefined, priceId, ownPriceId: priceId };
}
