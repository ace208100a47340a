import type { Catalog, Model } from '../catalog/catalog.ts';
import type { PlatformCosts } from './configuration.ts';
import { isTestWorkspace } from '../workspaces/mode.ts';
import type { ModelSettings } from '../entities/agentJson.ts';

type Choice = Pick<ModelSettings, 'model'>;

/** The models that agents run with. */
export interface AgentModels {
  /** The model of agents that name none. */
  readonly standard: Model;
  /** All models that an agent may name. */
  readonly choices: Model[];
  /** The model of a configuration; undefined when the catalogue no longer has it. */
  modelOf(configuration: Choice): Model | undefined;
  /** The same for a run that has begun: also where the model was disabled since then. */
  runningModelOf(configuration: Choice): Model | undefined;
  /** The platform's costs of a configuration, by the meters of runs. */
  costsOf: (configuration: Choice) => PlatformCosts;
  /** Whether rules replace its model. */
  isRehearsed(configuration: Choice): boolean;
  /**
   * Whether its runs are free for this workspace. A rehearsal is free, except in a test workspace, which pays its price in test money.
   */
  isFree(configuration: Choice, workspaceId: string): boolean;
}

/**
 * The text models of the catalogue, with the agents' standard model: the catalogue's choice, otherwise its first text model. Throws an
 * error that lists the available models when there is none.
 */
export function createAgentModels(
  catalog: Pick<Catalog, 'models' | 'agentModel' | 'sandboxUsdPerSecond' | 'find' | 'known'>,
): AgentModels {
  const choices = () => catalog.models.filter(({ kind }) => kind === 'text');
  let last = standardOf(catalog, choices());
  // A running process keeps the last one where the catalogue has come to have none.
  const standard = () => (last = standardNow(catalog, choices()) ?? last);
  const modelOf = ({ model }: Choice) => (model ? choices().find(({ id }) => id === model) : standard());
  const isRehearsed = (choice: Choice) => modelOf(choice)?.rehearsal === true;
  return {
    get standard() {
      return standard();
    },
    get choices() {
      return choices();
    },
    modelOf,
    runningModelOf: (choice) => modelOf(choice) ?? (choice.model ? textModel(catalog.known(choice.model)) : undefined),
    costsOf: (choice) =>
      isRehearsed(choice) ? {} : platformCostsOf(modelOf(choice) ?? standard(), catalog.sandboxUsdPerSecond),
    isRehearsed,
    isFree: (choice, workspaceId) => isRehearsed(choice) && !isTestWorkspace(workspaceId),
  };
}

const textModel = (model: Model | undefined): Model | undefined => (model?.kind === 'text' ? model : undefined);

function standardNow(catalog: Pick<Catalog, 'agentModel' | 'find' | 'known'>, choices: Model[]): Model | undefined {
  const { agentModel: wanted } = catalog;
  return wanted === undefined ? choices[0] : textModel(catalog.find(wanted) ?? catalog.known(wanted));
}

function standardOf(catalog: Pick<Catalog, 'agentModel' | 'find' | 'known'>, choices: Model[]): Model {
  const model = standardNow(catalog, choices);
  if (model) return model;
  const ids = choices.map(({ id }) => id).join(', ');
  throw new Error(`AGENT_MODEL must be a text model of the catalogue (${ids}), not "${catalog.agentModel ?? ''}"`);
}

/** The catalogue's prices of a model and of the sandbox, by the meters of runs. */
function platformCostsOf(model: Pick<Model, 'rates'>, sandboxUsdPerSecond: number): PlatformCosts {
  const usdOf = (unit: string) => Number(model.rates[unit] ?? 0n) / PICOS_PER_USD;
  return {
    model_input_tokens: usdOf('input_tokens'),
    model_output_tokens: usdOf('output_tokens'),
    sandbox_seconds: sandboxUsdPerSecond,
  };
}

const PICOS_PER_USD = 1e12;
