import type { Model } from '../../db/catalog.ts';
import type { Context } from '../context.ts';
import { modelNotFound } from '../errors/requestErrors.ts';
import type { Services } from '../services.ts';

/** The catalogue's model of that name and kind, noted for the log. Throws 404 `model_not_found`, whose message names the nearest one. */
export function findModel(ctx: Context, { catalog }: Services, name: string, kind: Model['kind']): Model {
  const model = catalog.findOfKind(name, kind);
  if (!model) throw modelNotFound(name, catalog.nearest(name, kind));
  ctx.state.log.model = model.id;
  return model;
}
