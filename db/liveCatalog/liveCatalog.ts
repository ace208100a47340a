import type { Pool } from 'pg';
import { oneAfterAnother } from '../../base/waiting.ts';
import type { SealingKeys } from '../sealing/sealingKeys.ts';
import type { Notices } from '../postgres/notices.ts';
import { withAgentUpstream, type AgentUpstream } from '../catalog/agentUpstream.ts';
import { catalogOf, createSnapshot, type Catalog, type CatalogSnapshot } from '../catalog/catalog.ts';
import { readCatalogFile } from '../catalog/catalogFile.ts';
import { withCostRanks } from '../catalog/costRanks.ts';
import { readCatalogRows, type HeldPrice } from './catalogRows.ts';
import { composeCatalog, type ComposedCatalog, type Composing } from './composeCatalog.ts';
import { pricedModel } from './pricedModel.ts';

/** The catalogue of a running process: the file, and what operators changed of it. */
export interface LiveCatalog extends Catalog {
  /** The file as this process started with it, and the keys of its upstreams' keys. */
  readonly base: Composing;
  /** Its entries, with what is changed of each. */
  composed(): ComposedCatalog;
  /** Reads the changes again; resolves when they apply in this process. */
  refresh(): Promise<void>;
  /** Reads no change any more: call it before the database is closed. */
  close(): void;
}

interface Opening {
  db: { pool: Pool; notices: Notices };
  file: string;
  variable: (name: string) => string;
  agentUpstream: AgentUpstream | null;
  /** The environment's model of agents, instead of the file's. */
  agentModel?: string | undefined;
  keys: SealingKeys | null;
  onError: (error: unknown) => void;
  /** Called with each change that does not apply in this process, and why. */
  onProblem?: (entry: string, problem: string) => void;
}

const CHECK_MS = 30_000;

/**
 * Opens the catalogue. Each notice of a change reads it again, as does every new connection for notices, and half a minute without any.
 * Prices begin by the clock: each snapshot holds from one change of prices to the next, so nothing is read or computed for a call.
 */
export async function openCatalog({
  db,
  file,
  agentUpstream,
  agentModel,
  onError,
  onProblem,
  ...opening
}: Opening): Promise<LiveCatalog> {
  const seed = withAgentUpstream(readCatalogFile(file), agentUpstream);
  const base: Composing = { ...opening, file: agentModel === undefined ? seed : { ...seed, agentModel } };
  const inTurn = oneAfterAnother<void>();
  let rows = await readCatalogRows(db.pool);
  let version = JSON.stringify(rows, inText);
  let state = stateOf(composed(), rows.prices);

  function costOf(model: string, upstream: string) {
    return rows.costs.find((cost) => cost.model === model && cost.upstream === upstream)?.rates;
  }

  function composed(): ComposedCatalog {
    const all = composeCatalog(base, rows.changes, rows.choices);
    const states = [...all.models, ...all.upstreams.values()].map(({ state }) => state);
    for (const { change, problem } of states) if (problem !== undefined) onProblem?.(change!.name, problem);
    return { ...all, models: all.models.map((listed) => ({ ...listed, model: withCostRanks(listed.model, costOf) })) };
  }

  async function read(): Promise<void> {
    const found = await readCatalogRows(db.pool);
    const text = JSON.stringify(found, inText);
    if (text === version) return;
    [rows, version] = [found, text];
    state = stateOf(composed(), rows.prices);
  }

  const refresh = (): Promise<void> => inTurn('catalog', read);
  let isClosed = false;
  const refreshLater = (): void => void (isClosed || refresh().catch(onError));
  db.notices.listen(({ kind }) => (kind === 'catalog' || kind === 'reconnected') && refreshLater());
  const checking = setInterval(refreshLater, CHECK_MS).unref();
  const catalog = catalogOf((atMs) => state.at(atMs));
  function close(): void {
    isClosed = true;
    clearInterval(checking);
  }

  return Object.assign(catalog, { base, composed: () => state.composed, refresh, close });
}

const inText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

/** One state of the rows: its snapshots begin at the instants at which a price does. */
function stateOf(composed: ComposedCatalog, prices: readonly HeldPrice[]) {
  const byModel = Map.groupBy(prices, ({ model }) => model);
  const startsMs = [-Infinity, ...new Set(prices.map(({ validFromMs }) => validFromMs))].toSorted((a, b) => a - b);
  const made = new Map<number, CatalogSnapshot>();
  let last = { fromMs: NaN, untilMs: NaN, snapshot: undefined as CatalogSnapshot | undefined };

  function at(atMs: number): CatalogSnapshot {
    if (atMs >= last.fromMs && atMs < last.untilMs) return last.snapshot!;
    const index = startsMs.findLastIndex((startMs) => startMs <= atMs);
    const fromMs = startsMs[index]!;
    const snapshot = made.get(fromMs) ?? snapshotOf(composed, byModel, fromMs);
    made.set(fromMs, snapshot);
    last = { fromMs, untilMs: startsMs[index + 1] ?? Infinity, snapshot };
    return snapshot;
  }

  return { composed, at };
}

function snapshotOf(composed: ComposedCatalog, prices: Map<string, HeldPrice[]>, atMs: number): CatalogSnapshot {
  const { choices, sandboxUsdPerSecond, upstreams } = composed;
  const priced = composed.models.flatMap(({ model, state }) => {
    const held = prices.get(model.id)?.findLast(({ validFromMs }) => validFromMs <= atMs);
    // An added model is sold from its first price on.
    if (!state.isInFile && (!held || held.followsFile)) return [];
    return { isSold: !state.isDisabled, model: held ? pricedModel(model, held) : model };
  });
  const sold = priced.filter(({ isSold }) => isSold).map(({ model }) => model);
  const disabled = priced.filter(({ isSold }) => !isSold).map(({ model }) => model);
  const chosen = choices.find(({ state }) => state === 'chosen')?.model;
  // It may be priced from a later instant on, or belong to a file that no longer has it.
  const agentModel = sold.some(({ id }) => id === chosen) ? chosen : composed.agentModel;
  return { ...createSnapshot(sold, upstreams, disabled), agentModel, sandboxUsdPerSecond };
}
