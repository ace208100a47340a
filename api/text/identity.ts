import { newId } from '../../db/ids.ts';
import type { Model } from '../../db/catalog.ts';

/** The identity of an answer, which all its parts carry: the platform's own, never the upstream's. */
export interface AnswerIdentity {
  /** The answer's id, with its route's prefix (`chatcmpl-…`, `cmpl-…`, `resp_…`). */
  id: string;
  /** When the answer began, in whole seconds since 1970. */
  created: number;
  /** The service's id of the model. */
  modelId: string;
}

/** Id, time and model of a new answer. */
export function identify(prefix: string, model: Model): AnswerIdentity {
  return { id: newId(prefix).replace('_', '-'), created: Math.floor(Date.now() / 1000), modelId: model.id };
}
