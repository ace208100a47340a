import { UNSTORABLE, unstorableIn } from '../../../base/json.ts';
import { OTHER_LANGUAGE, UNSPEAKABLE, type Unspeakable } from '../../../providers/speech.ts';
import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import type { UnsupportedParameter } from '../../../providers/supportedParameters.ts';
import { paramOf } from './explainIssue.ts';

// Parameters that OpenAI's callers know by another name. A translation is a route, so what the caller can change is its model.
const NAMES: Record<string, string> = {
  translate: 'model',
  times: 'response_format',
  logprobs: 'include[]',
  chunking: 'chunking_strategy',
};

/** Throws the 400 that names a parameter, or the text, which no upstream of the model supports. `place` precedes a parameter's name. */
export function refuseUnsupportedParameter(
  unsupported: UnsupportedParameter<Record<string, unknown>> | undefined,
  place = '',
): void {
  if (!unsupported) return;
  const { name, member } = unsupported;
  if (name === 'text') throw new InvalidRequest(member!, 'input', UNSPEAKABLE[member as Unspeakable]);
  const param = place + (member ?? NAMES[name] ?? name);
  const message =
    name === 'language'
      ? `Unsupported parameter: this model does not take this '${param}'. ${OTHER_LANGUAGE}`
      : `Unsupported parameter: '${param.slice(0, 100)}', or its value, is not supported with this model. Leave it out.`;
  throw new InvalidRequest('unsupported_parameter', param.slice(0, 100), message);
}

/**
 * Throws the 400 that names the first text of a value that the database cannot store. `nameOf` gives its name by its path, in OpenAI's form
 * where it is left out.
 */
export function refuseUnstorable(value: unknown, nameOf: (path: string[]) => string = inOpenAiForm): void {
  const path = unstorableIn(value);
  if (!path) return;
  const param = nameOf(path);
  throw invalidValue(param, `Invalid '${param}': ${UNSTORABLE}`);
}

const inOpenAiForm = (path: string[]): string =>
  paramOf(path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
