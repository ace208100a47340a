import type { Model } from './models.ts';
import { UNSET, type Parameters } from './parameters.ts';

/** The API's names of the parameters that a model may not support. */
const NAMES = {
  temperature: ['temperature'],
  topP: ['top_p'],
  maxTokens: ['max_completion_tokens', 'max_tokens'],
  frequencyPenalty: ['frequency_penalty'],
  presencePenalty: ['presence_penalty'],
  seed: ['seed'],
  stop: ['stop'],
  format: ['response_format'],
  tools: ['tools'],
} satisfies Partial<Record<keyof Parameters, string[]>>;

type Name = keyof typeof NAMES;

/** Which of the chosen models do not support a parameter, and whether none does. */
export interface Limit {
  reason: string;
  isDisabled: boolean;
}

export type Limits = Partial<Record<Name, Limit>>;

/** The limits of the chosen models, according to the catalogue. */
export function limitsOf(models: (Model | undefined)[]): Limits {
  const known = models.filter((model) => model !== undefined);
  const limits: Limits = {};
  for (const name of Object.keys(NAMES) as Name[]) {
    const without = known.filter((model) => !supports(model, name));
    if (without.length === 0) continue;
    const ids = [...new Set(without.map(({ id }) => id))].join(' and ');
    limits[name] = { reason: `Not supported by ${ids}`, isDisabled: without.length === known.length };
  }
  return limits;
}

/** The parameters that a model supports; the others are left to it. */
export function supportedOf(parameters: Parameters, model: Model | undefined): Parameters {
  if (!model) return parameters;
  const without = (Object.keys(NAMES) as Name[]).filter((name) => !supports(model, name));
  return { ...parameters, ...Object.fromEntries(without.map((name) => [name, UNSET[name]])) };
}

const supports = ({ supported_parameters: supported }: Model, name: Name): boolean =>
  NAMES[name].some((one) => supported.includes(one));
