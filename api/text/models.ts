import { z } from 'zod';
import type { Model } from '../../db/catalog.ts';
import type { Handler, Context } from '../context.ts';
import { modelNotFound } from '../errors/requestErrors.ts';
import type { Services } from '../services.ts';

export const ModelAnswer = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().describe('Seconds since 1970.'),
  owned_by: z.string(),
});

export const ModelListAnswer = z.looseObject({ object: z.literal('list'), data: z.array(ModelAnswer) });

/** `GET /models`: all models of the service, one page. */
export function listModels({ catalog }: Services): Handler {
  return (ctx) => {
    ctx.body = { object: 'list', data: catalog.models.map(presentModel) } satisfies z.infer<typeof ModelListAnswer>;
  };
}

/** `GET /models/{id}`: one model, by id or alias. */
export function retrieveModel({ catalog }: Services): Handler {
  return (ctx) => {
    const name = ctx.state.params.id!;
    const model = catalog.find(name);
    if (!model) throw modelNotFound(name, catalog.nearest(name));
    ctx.body = presentModel(model);
  };
}

function presentModel({ id, created }: Model): z.infer<typeof ModelAnswer> {
  return { id, object: 'model', created, owned_by: 'ledgerline' };
}

/**
 * The catalogue's model of that name and kind; it is added to the log line. Throws 404 `model_not_found`, whose message names the closest
 * one.
 */
export function findModel(ctx: Context, { catalog }: Services, name: string, kind: Model['kind']): Model {
  const model = catalog.findOfKind(name, kind);
  if (!model) throw modelNotFound(name, catalog.nearest(name, kind));
  ctx.state.log.model = model.id;
  return model;
}
