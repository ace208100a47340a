import type { Unhonoured } from '../../../providers/honours.ts';
import { InvalidRequest } from '../schema/refusal.ts';

// Parameters that OpenAI's callers know by another name. A translation is a route, so what the caller can change is its model.
const NAMES: Record<string, string> = {
  translate: 'model',
  times: 'response_format',
  logprobs: 'include[]',
  chunking: 'chunking_strategy',
};

/** Throws the 400 that names a parameter which no upstream of the model supports. */
export function refuseUnhonoured(unhonoured: Unhonoured<Record<string, unknown>> | undefined): void {
  if (!unhonoured) return;
  const { name, member } = unhonoured;
  const param = member ?? NAMES[name] ?? name;
  const message = `Unsupported parameter: '${param.slice(0, 100)}', or its value, is not supported with this model. Leave it out.`;
  throw new InvalidRequest('unsupported_parameter', param.slice(0, 100), message);
}
