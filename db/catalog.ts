import { closest, distance } from 'fastest-levenshtein';
import { readCatalogFile, type CatalogFile, parameterRulesOf, type ParameterRules } from './catalogFile.ts';
import { picosPerUnitOf, type Rates } from './money.ts';

/** A model that the service sells. */
export interface Model {
  id: string;
  kind: 'text' | 'embedding' | 'speech' | 'transcription' | 'conversion';
  aliases: string[];
  /** Beginnings of names that mean this model too: every id of a vendor's models. */
  prefixes?: string[];
  /** Of a speech model: whose voices it speaks with. The two kinds of voices share their names of models. */
  voices?: 'preset' | 'cloned';
  /** Unix seconds. */
  created: number;
  /** Both are 0 for models that do not count in tokens. */
  contextTokens: number;
  outputTokensMax: number;
  /** Images and sounds that it takes beside text; none when left out. */
  inputMediaTypes?: string[];
  /** What it counts for an image, a square of 512 pixels of one in high detail, and a second of sound; OpenAI's rule when left out. */
  mediaTokens?: { imageBase: number; imageTile: number; audioSecond: number };
  /** Where it runs, in order of preference. */
  upstreams: { upstream: string; model: string }[];
  rates: Rates;
  /** Parameters that may change the price or the model; the default ones when left out. */
  parameterRules?: ParameterRules;
}

/** An address of models. `setup` tells an operator what to do when the address is not set. */
interface UpstreamEntry {
  /** What is spoken there; `openai` unless something else is said. `embedded` is in this process and has no address. */
  protocol?: 'openai' | 'elevenlabs' | 'embedded';
  baseUrl: string;
  apiKey?: string;
  setup?: string;
  /** Time limits of calls there; the environment's where left out. */
  timeoutsMs?: { connect?: number; firstByte?: number; idle?: number; answer?: number };
}

export type Catalog = ReturnType<typeof createCatalog> & {
  /** The model that thinks for agents unless another one is set, by its id. */
  agentModel?: string;
  /** What agents' programs cost in the sandbox. */
  sandboxUsdPerSecond: number;
};

/**
 * Reads the catalogue file. `${NAME}` in an address or a key stands for the environment's variable, empty when it is not set. Throws a
 * sentence that names the file when it can't be used.
 */
export function readCatalog(file: string, variable: (name: string) => string): Catalog {
  const { upstreams, models, ...others } = readCatalogFile(file);
  return {
    ...createCatalog(
      models.map((entry) => modelOf(entry, upstreams)),
      resolveVariables(upstreams, variable),
    ),
    ...others,
  };
}

function resolveVariables(upstreams: CatalogFile['upstreams'], variable: (name: string) => string) {
  const resolve = (text: string) => text.replace(/\$\{(\w+)\}/g, (_, name: string) => variable(name));
  const resolved = Object.entries(upstreams).map(([name, entry]): [string, UpstreamEntry] => [
    name,
    { ...entry, baseUrl: resolve(entry.baseUrl ?? ''), apiKey: entry.apiKey && resolve(entry.apiKey) },
  ]);
  return new Map(resolved);
}

function modelOf(
  { usdPerMillion, ...entry }: CatalogFile['models'][number],
  upstreams: CatalogFile['upstreams'],
): Model {
  const rates = Object.entries(usdPerMillion).map(([unit, usd]) => [unit, picosPerUnitOf(usd)]);
  const parameterRules = parameterRulesOf(entry.upstreams.map(({ upstream }) => upstreams[upstream]?.parameters));
  return { contextTokens: 0, outputTokensMax: 0, ...entry, rates: Object.fromEntries(rates), parameterRules };
}

function createCatalog(models: Model[], upstreams: Map<string, UpstreamEntry>) {
  const byName = new Map(models.flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model])));
  const beginningWith = (name: string, among: Model[]) =>
    among.find(({ prefixes = [] }) => prefixes.some((prefix) => name.startsWith(prefix)));
  return {
    models,
    upstreams,
    /** The model with this id or alias, or whose vendor's prefix it has. */
    find: (name: string): Model | undefined => byName.get(name) ?? beginningWith(name, models),
    /** The same among the models of one kind: a vendor's prefix may mean several. */
    findOfKind: (name: string, kind: Model['kind']): Model | undefined => {
      const named = byName.get(name);
      return named?.kind === kind ? named : beginningWith(name, ofKind(models, kind));
    },
    /** The id of the service's model whose name is most like an unknown one, for the message of a 404. */
    nearest: (name: string, kind?: Model['kind']): string =>
      nearestOf(name, kind ? ofKind(models, kind) : alikeOrText(name, models)),
  };
}

const ofKind = (models: Model[], kind: Model['kind']) => models.filter((model) => model.kind === kind);

// Of a short name that is like none, the shortest would be nearest, whatever it does. Most names that are sent mean a text model.
function alikeOrText(name: string, models: Model[]): Model[] {
  const isAlike = (alias: string) => distance(name, alias) <= alias.length / 2;
  const alike = models.filter(({ id, aliases }) => [id, ...aliases].some(isAlike));
  return alike.length > 0 ? alike : ofKind(models, 'text');
}

function nearestOf(name: string, models: Model[]): string {
  const idByName = new Map(models.flatMap(({ id, aliases }) => [id, ...aliases].map((alias) => [alias, id])));
  return idByName.get(closest(name, [...idByName.keys()])) ?? 'none';
}
