import type { Keyed } from '../guard/key.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { listModels, retrieveModel } from './models.ts';
import { ModelAnswer, ModelListAnswer } from './presentModel.ts';

/** Documentation of the routes of models. */
export const modelDocs = {
  listModels: {
    tag: 'Models',
    summary: 'List the models',
    description: 'Public agents come after the models, as the `kind` `agent`, for keys that may run agents.',
    answer: { id: 'ModelList', schema: ModelListAnswer },
  },
  retrieveModel: {
    tag: 'Models',
    summary: 'Read a model',
    description: 'Also an agent: `<namespace>/<slug>`.',
    answer: { id: 'Model', schema: ModelAnswer },
  },
  retrieveVendorModel: {
    tag: 'Models',
    summary: 'Read a model whose id has a slash',
    description: 'The same as with a percent-encoded slash, as the official clients send it.',
    answer: { id: 'Model', schema: ModelAnswer },
  },
} satisfies Record<string, RouteDoc>;

/** The models, at one of the two addresses of OpenAI's routes. */
export function modelRoutes(prefix: string, services: Services, keyed: Keyed): Route[] {
  const free = keyed();
  return [
    get(`${prefix}/models`, free, listModels(services), modelDocs.listModels),
    get(`${prefix}/models/:id`, free, retrieveModel(services), modelDocs.retrieveModel),
    get(`${prefix}/models/:namespace/:slug`, free, retrieveModel(services), modelDocs.retrieveVendorModel),
  ];
}
