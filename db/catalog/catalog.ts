import { type CatalogFile, type ModelKind, parameterRulesOf, type ParameterRules } from './catalogFile.ts';
import { picosPerUnitOf, timesRates, type Rates } from '../money.ts';
import { closest, editDistance } from './closest.ts';
import type { ModelPlace, Routing } from './modelPlace.ts';
import { derivedPrice, priceIdOf } from './prices.ts';

/** A model sold by the service. */
export interface Model {
  id: string;
  kind: ModelKind;
  aliases: string[];
  /** Its public description; derived from id and kind when omitted. */
  name?: string;
  description?: string;
  tokenizer?: string;
  /** Parameters accepted on its route; all when omitted. */
  supportedParameters?: string[];
  /** Name prefixes that also mean this model: every id of a vendor's models. */
  prefixes?: string[];
  /** For a speech model: the kind of voices it speaks with. Both kinds share their model names. */
  voices?: 'preset' | 'cloned';
  /** Rules replace the model: agents' runs with it are free. */
  rehearsal?: true;
  /** Unix seconds. */
  created: number;
  /** Both are 0 for models that are not billed by tokens. */
  contextTokens: number;
  outputTokensMax: number;
  /** Images and audio that it accepts beside text; none when omitted. */
  inputMediaTypes?: string[];
  /**
   * The tokens it counts for an image, for a 512-pixel square of a high-detail image, and for a second of audio; OpenAI's rule when
   * omitted.
   */
  mediaTokens?: { imageBase: number; imageTile: number; audioSecond: number };
  /** Its upstreams, in order of preference. */
  upstreams: readonly ModelPlace[];
  /** The same with disabled ones, where there are any. */
  places?: readonly ModelPlace[];
  /** How they are chosen; in their order where omitted. */
  routing?: Routing | undefined;
  /** The models of a voice session: for its words, its voices, and its hearing. Absent: its upstreams speak the realtime protocol. */
  pipeline?: { text: string; speech: string; transcription: string };
  rates: Rates;
  /** Its rates as a line of a batch; the same when omitted. */
  batchRates?: Rates | undefined;
  /** What that is of its rates, in per cent. */
  batchPercentage?: number | undefined;
  /** The price row of these rates; undefined until recorded. */
  priceId?: string;
  /** The operators' price that its rates are or come from; absent: the file's. */
  ownPriceId?: string;
  ofPriceId?: string | undefined;
  /** Rules for parameters that may change the price or the model; the default rules when omitted. */
  parameterRules?: ParameterRules;
}

/** An upstream of models. `setup` tells an operator how to set a missing address. */
export interface UpstreamEntry {
  /** `openai` by default. */
  protocol?: NonNullable<CatalogFile['upstreams'][string]['protocol']>;
  baseUrl: string;
  apiKey?: string;
  setup?: string;
  /** Its name of the limit of an answer's tokens, where it refuses OpenAI's `max_completion_tokens`. */
  outputLimit?: 'max_tokens';
  retention?: 'none' | 'kept' | undefined;
  region?: string | undefined;
  /** Batch lines are sent to its own batches, in OpenAI's form. */
  batches?: boolean;
  /** Time limits of its calls; the environment's when omitted. */
  timeoutsMs?: { connect?: number; firstByte?: number; idle?: number; answer?: number };
}

/** The catalogue at one instant. */
export type CatalogSnapshot = ReturnType<typeof createSnapshot> & {
  /** Id of the agents' default model. */
  agentModel?: string;
  /** Prices of agents' programs in the sandbox. */
  sandboxUsdPerSecond: number;
};

/** The catalogue as it is now, however often it changes. A call takes its models from the instant of its start. */
export interface Catalog extends CatalogSnapshot {
  /** The catalogue at the prices of an instant. */
  at(atMs: number): CatalogSnapshot;
}

/** The catalogue of a function that has it at any instant. */
export function catalogOf(at: (atMs: number) => CatalogSnapshot): Catalog {
  const now = (): CatalogSnapshot => at(Date.now());
  return {
    at,
    get models() {
      return now().models;
    },
    get disabled() {
      return now().disabled;
    },
    get upstreams() {
      return now().upstreams;
    },
    get agentModel() {
      return now().agentModel;
    },
    get sandboxUsdPerSecond() {
      return now().sandboxUsdPerSecond;
    },
    find: (name) => now().find(name),
    findOfKind: (name, kind) => now().findOfKind(name, kind),
    nearest: (name, kind) => now().nearest(name, kind),
    known: (id) => now().known(id),
  };
}

/** The addresses and keys of the file's upstreams, with the values of their variables. */
export function resolveVariables(upstreams: CatalogFile['upstreams'], variable: (name: string) => string) {
  const resolve = (text: string) => text.replace(/\$\{(\w+)\}/g, (_, name: string) => variable(name));
  const resolved = Object.entries(upstreams).map(([name, entry]): [string, UpstreamEntry] => [
    name,
    { ...entry, baseUrl: resolve(entry.baseUrl ?? ''), apiKey: entry.apiKey && resolve(entry.apiKey) },
  ]);
  return new Map(resolved);
}

/** A model of the file at the file's price. */
export function modelOf(
  { usdPerMillion, batchFactor, ...entry }: CatalogFile['models'][number],
  upstreams: CatalogFile['upstreams'],
): Model {
  const rates = Object.fromEntries(Object.entries(usdPerMillion).map(([unit, usd]) => [unit, picosPerUnitOf(usd)]));
  const priceId = priceIdOf(entry.id, rates);
  const parameterRules = parameterRulesOf(entry.upstreams.map(({ upstream }) => upstreams[upstream]?.parameters));
  const batchRates = batchFactor === undefined ? undefined : timesRates(rates, batchFactor);
  const batchPercentage = batchFactor === undefined ? undefined : Math.round(batchFactor * 100);
  return {
    contextTokens: 0,
    outputTokensMax: 0,
    ...entry,
    rates,
    batchRates,
    batchPercentage,
    priceId,
    parameterRules,
  };
}

/** The catalogue with the prices of lines of batches. */
export function atBatchPrices(catalog: Catalog): Catalog {
  const bySnapshot = new WeakMap<CatalogSnapshot, CatalogSnapshot>();
  const atBatchPrice = (model: Model): Model =>
    model.batchRates ? { ...model, batchRates: undefined, ...derivedPrice(model, model.batchRates) } : model;
  return catalogOf((atMs) => {
    const live = catalog.at(atMs);
    const known = bySnapshot.get(live);
    if (known) return known;
    const [models, disabled] = [live.models.map(atBatchPrice), live.disabled.map(atBatchPrice)];
    const made = { ...live, ...createSnapshot(models, live.upstreams, disabled) };
    bySnapshot.set(live, made);
    return made;
  });
}

const begunBySnapshot = new WeakMap<CatalogSnapshot, CatalogSnapshot>();

/** The catalogue for calls that began at an instant: at its prices, and with what was disabled since. */
export function catalogSince(catalog: Catalog, atMs: number): Catalog {
  const then = catalog.at(atMs);
  const asBegun = (model: Model): Model => (model.places ? { ...model, upstreams: model.places } : model);
  const make = () => ({ ...then, ...createSnapshot([...then.models, ...then.disabled].map(asBegun), then.upstreams) });
  const snapshot = begunBySnapshot.get(then) ?? make();
  begunBySnapshot.set(then, snapshot);
  return catalogOf(() => snapshot);
}

const DATED = /-\d{4}-\d{2}-\d{2}$/;
const DATELESS_KINDS: ReadonlySet<Model['kind']> = new Set(['speech', 'transcription', 'realtime']);
// A caller's name may be as long as a body, and is compared with every name of the catalogue.
const COMPARED_CHARS_MAX = 100;

/** The lookups of one state. `disabled`: models that are not sold, of which calls may still run. */
export function createSnapshot(
  models: Model[],
  upstreams: ReadonlyMap<string, UpstreamEntry>,
  disabled: readonly Model[] = [],
) {
  const byName = new Map(models.flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model])));
  const beginningWith = (name: string, among: Model[]) =>
    among.find(({ prefixes = [] }) => prefixes.some((prefix) => name.startsWith(prefix)));
  /** The model of a voice's dated name, such as `gpt-realtime-2025-08-28`. The date of a text model is another model with another price. */
  const datedIn = (name: string): Model | undefined => {
    const model = DATED.test(name) ? byName.get(name.replace(DATED, '')) : undefined;
    return model && DATELESS_KINDS.has(model.kind) ? model : undefined;
  };
  return {
    models,
    disabled,
    upstreams,
    /** The model with this id, alias or vendor prefix. */
    find: (name: string): Model | undefined => byName.get(name) ?? beginningWith(name, models) ?? datedIn(name),
    /** The same among the models of one kind: a vendor's prefix may mean several. */
    findOfKind: (name: string, kind: Model['kind']): Model | undefined => {
      const named = byName.get(name) ?? datedIn(name);
      return named?.kind === kind ? named : beginningWith(name, ofKind(models, kind));
    },
    /** The model with this id, also where it is disabled: for runs that began before that. */
    known: (id: string): Model | undefined => byName.get(id) ?? disabled.find((model) => model.id === id),
    /** The id of the model with the name closest to an unknown one, for the message of a 404; undefined where none is of the kind. */
    nearest: (name: string, kind?: Model['kind']): string | undefined => {
      const begin = name.slice(0, COMPARED_CHARS_MAX);
      return nearestOf(begin, kind ? ofKind(models, kind) : alikeOrText(begin, models));
    },
  };
}

// Words that are too short, or occur in names of every kind.
const IDLE_WORDS = /^(.{0,2}|\d+|gpt|mini|model|text|ledgerline|latest|preview|small|large|turbo|pro|v\d+)$/;

/** The words of a name that identify the model. */
const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => !IDLE_WORDS.test(word));

/**
 * Models that share the most words of their names with this one; none without a common word. `embeddings` and `embedding` count as one
 * word.
 */
function alikeInWords(name: string, models: Model[]): Model[] {
  const wanted = wordsOf(name);
  const isSame = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);
  const sharedIn = (alias: string) =>
    wanted.filter((word) => wordsOf(alias).some((other) => isSame(word, other))).length;
  const scored = models.map((model) => ({
    model,
    shared: Math.max(...[model.id, model.kind, ...model.aliases].map(sharedIn)),
  }));
  const most = Math.max(...scored.map(({ shared }) => shared));
  return most > 0 ? scored.filter(({ shared }) => shared === most).map(({ model }) => model) : [];
}

const ofKind = (models: Model[], kind: Model['kind']) => models.filter((model) => model.kind === kind);

// For a short, unrelated name, the shortest would be the closest, whatever its kind. Most requests are for text models.
function alikeOrText(name: string, models: Model[]): Model[] {
  const inWords = alikeInWords(name, models);
  if (inWords.length > 0) return inWords;
  const isAlike = (alias: string) => editDistance(name, alias) <= Math.min(name.length, alias.length) / 2;
  const alike = models.filter(({ id, aliases }) => [id, ...aliases].some(isAlike));
  return alike.length > 0 ? alike : ofKind(models, 'text');
}

function nearestOf(name: string, models: Model[]): string | undefined {
  const inWords = alikeInWords(name, models);
  const among = inWords.length > 0 ? inWords : models;
  const idByName = new Map(among.flatMap(({ id, aliases }) => [id, ...aliases].map((alias) => [alias, id])));
  return idByName.get(closest(name, [...idByName.keys()]));
}
