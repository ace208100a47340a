/** Whose answer it is: what every part of one answer carries, the platform's own and never the upstream's. */
export interface AnswerIdentity {
  /** The answer's id, with its route's prefix (`chatcmpl-…`, `cmpl-…`, `resp_…`). */
  id: string;
  /** When the answer began, in whole seconds since 1970. */
  created: number;
  /** The service's id of the model. */
  modelId: string;
}
