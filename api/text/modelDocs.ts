import type { RouteDoc } from '../http/documentedRoute.ts';
import { ModelAnswer, ModelListAnswer } from './presentModel.ts';

/** Documentation of the routes of models. */
export const modelDocs = {
  listModels: {
    tag: 'Models',
    summary: 'List the models',
    answer: { id: 'ModelList', schema: ModelListAnswer },
  },
  retrieveModel: {
    tag: 'Models',
    summary: 'Read a model',
    description: 'Percent-encode a slash in an id, as the official clients do.',
    answer: { id: 'Model', schema: ModelAnswer },
  },
} satisfies Record<string, RouteDoc>;
