import type { Model } from '../db/catalog/catalog.ts';
import type { Caller } from './caller.ts';
import { modelNotFound, modelOfAnotherKind } from './errors/modelErrors.ts';
import type { CallServices } from './services.ts';

/**
 * The catalogue's model of that name and kind; it is added to the log line. Throws 404 `model_not_found`, whose message names the closest
 * one, or the route that takes a model of another kind.
 */
export function findModel(
  { log }: Pick<Caller, 'log'>,
  { catalog }: Pick<CallServices, 'catalog'>,
  name: string,
  kind: Model['kind'],
  param = 'model',
): Model {
  const model = catalog.findOfKind(name, kind);
  if (!model) {
    const other = catalog.find(name);
    const nearest = catalog.nearest(name, kind);
    throw other ? modelOfAnotherKind({ name, kind: other.kind, nearest, param }) : modelNotFound(name, nearest, param);
  }
  log.model = model.id;
  return model;
}
