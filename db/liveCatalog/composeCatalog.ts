import type { SealingKeys } from '../sealing/sealingKeys.ts';
import { modelOf, resolveVariables, type Model, type UpstreamEntry } from '../catalog/catalog.ts';
import { BILLED_UNITS, faultOf, type CatalogFile } from '../catalog/catalogFile.ts';
import type { ChangeRow, ChoiceRow } from './catalogRows.ts';

/** An entry of the catalogue: where it comes from, and what is changed of it. */
export interface EntryState {
  /** Whether the file has it. */
  isInFile: boolean;
  change: ChangeRow | undefined;
  /** Why the change does not apply; the entry is then the file's. */
  problem: string | undefined;
  isDisabled: boolean;
}

/** The file with the operators' changes, before prices of operators. */
export interface ComposedCatalog {
  models: { model: Model; state: EntryState }[];
  upstreams: Map<string, UpstreamEntry & { state: EntryState }>;
  /** The file's model of agents, or the environment's. */
  agentModel?: string;
  /** What operators chose for agents: in use, and to be used once it has been fetched. */
  choices: readonly ChoiceRow[];
  sandboxUsdPerSecond: number;
}

/** What composing needs beside the rows. `file` is with what the environment names. `keys` open the upstreams' keys; null: none is configured. */
export interface Composing {
  file: CatalogFile;
  variable: (name: string) => string;
  keys: SealingKeys | null;
}

/** The owner that an upstream's key is sealed for. */
export const keyOwnerOf = (upstream: string): string => `catalog upstream ${upstream}`;

/** Applies the changes that leave the catalogue valid, in their order: a file may have become one that a change does not fit. */
export function composeCatalog(
  { file, variable, keys }: Composing,
  changes: readonly ChangeRow[],
  choices: readonly ChoiceRow[],
): ComposedCatalog {
  const problems = new Map<ChangeRow, string>();
  const whole = changes.reduce(withChange, file);
  const applied = faultOf(whole) ? oneByOne(file, changes, problems) : whole;
  const rowOf = (kind: ChangeRow['kind'], name: string) =>
    changes.find((change) => change.kind === kind && change.name === name);
  const stateOf = (kind: ChangeRow['kind'], name: string, isInFile: boolean): EntryState => {
    const change = rowOf(kind, name);
    const problem = change && problems.get(change);
    return { isInFile, change, problem, isDisabled: change?.disabled === true && problem === undefined };
  };
  const ofFile = resolveVariables(file.upstreams, variable);
  const upstreams = Object.entries(applied.upstreams).map(([name, entry]) => {
    const state = stateOf('upstream', name, Object.hasOwn(file.upstreams, name));
    const { changed, problem } = upstreamOf({ name, entry, state, ofFile: ofFile.get(name), keys });
    return [name, { ...changed, state: problem === undefined ? state : { ...state, problem } }] as const;
  });
  const byName = new Map(upstreams);
  const idsInFile = new Set(file.models.map(({ id }) => id));
  const models = applied.models.map((entry) => {
    const state = stateOf('model', entry.id, idsInFile.has(entry.id));
    const serving = entry.upstreams.filter(({ upstream }) => !byName.get(upstream)!.state.isDisabled);
    const isWhole = serving.length === entry.upstreams.length;
    const model = madeOf(entry, applied.upstreams);
    return { model: isWhole ? model : { ...model, upstreams: serving, places: entry.upstreams }, state };
  });
  const { agentModel, sandboxUsdPerSecond } = applied;
  return { models, upstreams: byName, agentModel, choices, sandboxUsdPerSecond };
}

// Entries that no change touches are the same objects each time. Rules of parameters come from the file alone.
const made = new WeakMap<FileModel, Model>();

function madeOf(entry: FileModel, upstreams: CatalogFile['upstreams']): Model {
  const model = made.get(entry) ?? modelOf(entry, upstreams);
  made.set(entry, model);
  return model;
}

/** What makes the catalogue invalid with this change; undefined when it fits. */
export function faultOfChange(
  file: CatalogFile,
  changes: readonly ChangeRow[],
  added: ChangeRow,
): ReturnType<typeof faultOf> {
  const others = changes.filter(({ kind, name }) => kind !== added.kind || name !== added.name);
  // Others that do not apply are left out only where something is wrong.
  const whole = faultOf([...others, added].reduce(withChange, file));
  return whole && faultOf(withChange(oneByOne(file, others, new Map()), added));
}

function oneByOne(file: CatalogFile, changes: readonly ChangeRow[], problems: Map<ChangeRow, string>): CatalogFile {
  return changes.reduce((before, change) => {
    const after = withChange(before, change);
    const fault = faultOf(after);
    if (!fault) return after;
    problems.set(change, [fault.member, fault.message].filter(Boolean).join(': '));
    return before;
  }, file);
}

type FileModel = CatalogFile['models'][number];

function withChange(catalog: CatalogFile, { kind, name, change }: ChangeRow): CatalogFile {
  if (kind === 'upstream') {
    const entry = { ...catalog.upstreams[name], ...change };
    return { ...catalog, upstreams: { ...catalog.upstreams, [name]: entry } };
  }
  const known = catalog.models.find(({ id }) => id === name);
  if (known) return { ...catalog, models: catalog.models.map((one) => (one === known ? { ...one, ...change } : one)) };
  const added = { aliases: [], ...change, id: name } as unknown as FileModel;
  return { ...catalog, models: [...catalog.models, { ...added, usdPerMillion: unpriced(added.kind) }] };
}

/** An added model has no price before its first one is approved, and is not sold until then. */
const unpriced = (kind: FileModel['kind']): FileModel['usdPerMillion'] =>
  Object.fromEntries((BILLED_UNITS[kind] ?? []).map((unit) => [unit, 0]));

function upstreamOf({
  name,
  entry,
  state,
  ofFile,
  keys,
}: {
  name: string;
  entry: CatalogFile['upstreams'][string];
  state: EntryState;
  ofFile: UpstreamEntry | undefined;
  keys: SealingKeys | null;
}): { changed: UpstreamEntry; problem?: string } {
  const { change } = state;
  if (!change || state.problem !== undefined) return { changed: ofFile ?? { ...entry, baseUrl: '' } };
  // The file's key goes to the file's address alone.
  const isMoved = change.change.baseUrl !== undefined;
  const baseUrl = isMoved ? String(change.change.baseUrl) : (ofFile?.baseUrl ?? '');
  const apiKey = isMoved ? undefined : ofFile?.apiKey;
  const changed = { ...entry, baseUrl, apiKey };
  if (change.sealedKey === null) return { changed };
  try {
    if (!keys) throw new Error('CATALOG_SECRETS_KEY is not set');
    return { changed: { ...changed, apiKey: keys.open(change.sealedKey, keyOwnerOf(name)) } };
  } catch (error) {
    return { changed: { ...changed, apiKey: undefined }, problem: `Its key: ${(error as Error).message}` };
  }
}
