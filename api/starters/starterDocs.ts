import type { RouteDoc } from '../http/documentedRoute.ts';
import { AgentModelAnswer, EngineAnswer, StarterAnswer, StarterList, StarterProbeAnswer } from './starterAnswers.ts';
import { AgentModelBody, EngineFetchBody, StarterBody, StarterProbeBody } from './starterSchema.ts';

const TAG = 'Catalogue';
const ENGINE = { id: 'CatalogEngine', schema: EngineAnswer };
const AGENT_MODEL = { id: 'CatalogAgentModel', schema: AgentModelAnswer };

/** Documentation of the routes by which an installation gets its first real model. */
export const starterDocs = {
  list: {
    tag: TAG,
    summary: 'List models to start with',
    description:
      'What can be had in one step: models of vendors at their list prices, and models that run here, with the disk, the ' +
      'memory and the time that they need. Also which model agents use now.',
    answer: { id: 'CatalogStarters', schema: StarterList },
  },
  probe: {
    tag: TAG,
    summary: 'Probe a vendor’s model',
    description:
      'Asks it one question in the form in which agents call it, for at most a minute, with the sent key or the one that ' +
      'the catalogue has for this address. Nothing is kept. The platform pays for the call at the vendor.',
    input: {
      id: 'StarterProbeOrder',
      schema: StarterProbeBody,
      example: { vendor: 'openai', api_key: 'sk-…', model: 'gpt-4.1-mini' },
    },
    answer: { id: 'StarterProbe', schema: StarterProbeAnswer },
  },
  add: {
    tag: TAG,
    summary: 'Add a vendor’s model',
    description:
      'Probes it first: 422 with the parameter that is at fault, and nothing is kept. Then its key is sealed, the model is ' +
      'sold at once and, if asked for, agents use it, in every process within a second. One person sets the first price of ' +
      'a model that was never sold; two decide on each later one. A model that is sold already keeps its price. ' +
      '409 `model_exists` where the name means another model, `no_sealing_key` without the key that seals.',
    input: {
      id: 'NewStarter',
      schema: StarterBody,
      example: { vendor: 'openai', api_key: 'sk-…', model: 'gpt-4.1-mini', margin_percentage: 20 },
    },
    answer: { id: 'CatalogStarter', schema: StarterAnswer },
    statuses: [201],
    errors: [409],
  },
  agentModel: { tag: TAG, summary: 'Read the model of agents', answer: AGENT_MODEL },
  choose: {
    tag: TAG,
    summary: 'Choose the model of agents',
    description:
      'Agents that name no model use it, in every process within a second; the choice counts before the file and the ' +
      'environment. Runs that were ordered keep their price list.',
    input: { id: 'AgentModelChoice', schema: AgentModelBody, example: { model: 'gpt-4.1-mini' } },
    answer: AGENT_MODEL,
  },
  giveBack: {
    tag: TAG,
    summary: 'Return the model of agents to the file',
    description: 'Agents use the model of the catalogue file or of the environment again.',
    answer: AGENT_MODEL,
  },
  engine: { tag: TAG, summary: 'Read the fetch of a local model', answer: ENGINE },
  fetch: {
    tag: TAG,
    summary: 'Fetch a local model',
    description:
      'In the process of the embedded models, with a pinned checksum; agents keep their present model until it answers. ' +
      '409 `disk_full`; 503 `model_unavailable` where that process does not run.',
    input: { id: 'EngineFetchOrder', schema: EngineFetchBody, example: { use_for_agents: true } },
    answer: ENGINE,
    statuses: [202],
    errors: [409, 503],
  },
  cancel: {
    tag: TAG,
    summary: 'Cancel the fetch of a local model',
    description: 'Partial files are removed, and agents wait for it no more. A model that is there stays.',
    answer: ENGINE,
  },
} satisfies Record<string, RouteDoc>;
