import { readFileSync } from 'node:fs';
import { closest } from 'fastest-levenshtein';
import { picosPerUnitOf, type Rates } from './money.ts';

/** A model that the service sells. */
export interface Model {
  id: string;
  kind: 'text' | 'embedding';
  aliases: string[];
  /** Unix seconds. */
  created: number;
  contextTokens: number;
  outputTokensMax: number;
  /** Images and sounds that it takes beside text; none when left out. */
  inputMediaTypes?: string[];
  /** Where it runs, in order of preference. */
  upstreams: { upstream: string; model: string }[];
  rates: Rates;
}

// What OpenAI's chat messages have parts for: images by their address, and two formats of sound.
const SENDABLE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'audio/wav', 'audio/mpeg'];

/** An address that models run at. `setup` tells an operator what to do when the address is not set. */
export interface UpstreamEntry {
  baseUrl: string;
  apiKey?: string;
  setup?: string;
}

export type Catalog = ReturnType<typeof createCatalog> & {
  /** The model that thinks for agents unless another one is set, by its id. */
  agentModel?: string;
};

interface CatalogFile {
  agentModel?: string;
  upstreams: Record<string, UpstreamEntry>;
  models: (Omit<Model, 'rates'> & { usdPerMillion: Record<string, number> })[];
}

/** Reads the catalogue file. `${NAME}` in an address or a key stands for the environment's variable, empty when it is not set. */
export function readCatalog(file: string, variable: (name: string) => string): Catalog {
  const { upstreams, models, agentModel } = JSON.parse(readFileSync(file, 'utf8')) as CatalogFile;
  return { ...createCatalog(models.map(modelOf), resolveVariables(upstreams, variable)), agentModel };
}

function resolveVariables(upstreams: Record<string, UpstreamEntry>, variable: (name: string) => string) {
  const resolve = (text: string) => text.replace(/\$\{(\w+)\}/g, (_, name: string) => variable(name));
  const resolved = Object.entries(upstreams).map(([name, { baseUrl, apiKey, setup }]): [string, UpstreamEntry] => [
    name,
    { baseUrl: resolve(baseUrl), apiKey: apiKey && resolve(apiKey), setup },
  ]);
  return new Map(resolved);
}

function modelOf({ usdPerMillion, ...entry }: CatalogFile['models'][number]): Model {
  const rates = Object.entries(usdPerMillion).map(([unit, usd]) => [unit, picosPerUnitOf(usd)]);
  return { ...entry, rates: Object.fromEntries(rates) };
}

function createCatalog(models: Model[], upstreams: Map<string, UpstreamEntry>) {
  const byName = new Map(models.flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model])));
  const ids = models.map((model) => model.id);
  for (const { id, inputMediaTypes = [] } of models) {
    const unknown = inputMediaTypes.find((type) => !SENDABLE_TYPES.includes(type));
    if (unknown) throw new Error(`the catalogue's model ${id} can't be sent ${unknown}: ${SENDABLE_TYPES.join(', ')}`);
  }
  for (const { upstream } of models.flatMap((model) => model.upstreams)) {
    if (!upstreams.has(upstream))
      throw new Error(`the catalogue names an upstream that it does not describe: ${upstream}`);
  }
  return {
    models,
    upstreams,
    /** The model with this id or alias. */
    find: (name: string): Model | undefined => byName.get(name),
    /** The id of the service's model that is most like an unknown one, for the message of a 404. */
    nearest: (name: string): string => closest(name, ids),
  };
}
