import type { Model } from '../db/catalog/catalog.ts';
import type { Caller } from './caller.ts';
import { modelNotFound, modelOfAnotherKind } from './errors/modelErrors.ts';
import type { CallServices } from './services.ts';

/**
 * The catalogue's model of that name and kind, at the price of the call's start; it is added to the log line. Throws 404 `model_not_found`, whose message names the closest
 * one, or the route that takes a model of another kind.
 */
export function findModel(
  { log, startedAtMs }: Pick<Caller, 'log' | 'startedAtMs'>,
  { catalog: now }: Pick<CallServices, 'catalog'>,
  name: string,
  kind: Model['kind'],
  param = 'model',
): Model {
  const catalog = now.at(startedAtMs);
  const model = catalog.findOfKind(name, kind);
  if (!model) {
    const other = catalog.find(name);
    const nearest = catalog.nearest(name, kind);
    throw other ? modelOfAnotherKind({ name, kind: other.kind, nearest, param }) : modelNotFound(name, nearest, param);
  }
  log.model = model.id;
  return model;
}

/** The model of a session at the price of an instant: each call of a session has the price of its own start. */
export function pricedAt({ catalog }: Pick<CallServices, 'catalog'>, model: Model, atMs: number): Model {
  const now = catalog.at(atMs).known(model.id);
  if (!now || now.priceId === model.priceId) return model;
  const { rates, batchRates, priceId, ownPriceId, ofPriceId } = now;
  return { ...model, rates, batchRates, priceId, ownPriceId, ofPriceId };
}
