import type { components } from '../api/openapi.d.ts';

type Agent = components['schemas']['Agent'];

/** What the form of a run needs of an agent; a draft has no more. */
export type Tried = Pick<Agent, 'id' | 'input'> &
  Partial<Pick<Agent, 'input_schema' | 'example_prompts'>> & {
    pricing: Pick<Agent['pricing'], 'minimum_cost_usd' | 'maximum_cost_usd'>;
  };
