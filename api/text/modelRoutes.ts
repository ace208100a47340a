import type { Keyed } from '../guard/key.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { listModels, retrieveModel } from './models.ts';
import { modelDocs } from './modelDocs.ts';

/** The models, at one of the two addresses of OpenAI's routes. */
export function modelRoutes(prefix: string, services: Services, keyed: Keyed): Route[] {
  const free = keyed();
  return [
    get(`${prefix}/models`, free, listModels(services), modelDocs.listModels),
    get(`${prefix}/models/:id`, free, retrieveModel(services), modelDocs.retrieveModel),
  ];
}
