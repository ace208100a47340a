import { type Area, areaOf } from './area.ts';
import { rowsOfBatches } from './batchRows.ts';
import { measureBatches } from './batches.ts';
import { measureChat, rowsOfChat } from './chat.ts';
import { measureDurable, rowsOfDurable } from './durable.ts';
import { measureFootprint, rowsOfFootprint } from './footprint.ts';
import { measureKeyed, rowsOfKeyed } from './keyed.ts';
import { measureKilled, rowsOfKilled } from './killed.ts';
import { measureLedger } from './ledger.ts';
import { rowsOfLedger } from './ledgerRows.ts';
import { chatRequest } from './load.ts';
import { measurePaced, rowsOfPaced } from './paced.ts';
import { rowsOfProcesses } from './processRows.ts';
import { measureProcesses } from './processes.ts';
import { measureRuns } from './runs/runs.ts';
import { rowsOfRuns } from './runs/rows.ts';
import { measureSpeech, rowsOfSpeech } from './speech.ts';
import { measureStreams, rowsOfStreams } from './streams.ts';

/** They use all cores. */
const ON_ALL_CORES = [
  areaOf('ledger', ({ installation, plan }) => measureLedger(installation, plan), rowsOfLedger),
  areaOf('runs', ({ installation, plan, onProgress }) => measureRuns(installation, plan.runs, onProgress), rowsOfRuns),
  areaOf('batches', measureBatches, rowsOfBatches),
];
/** The measured server has a core of its own, and everything else the other one. */
const PINNED = [
  areaOf('chat', measureChat, rowsOfChat),
  areaOf('durable', measureDurable, rowsOfDurable),
  areaOf('paced', measurePaced, rowsOfPaced),
  areaOf('streams', measureStreams, rowsOfStreams),
  areaOf('processes', measureProcesses, rowsOfProcesses),
  areaOf('footprint', measureFootprint, rowsOfFootprint),
  areaOf('speech', measureSpeech, rowsOfSpeech),
  areaOf(
    'killed',
    ({ installation, plan }) =>
      measureKilled(installation, chatRequest({ key: installation.secret, stream: false }), plan.killAfterMs),
    rowsOfKilled,
  ),
  areaOf('keyed', ({ installation, plan }) => measureKeyed(installation, plan.keyedPairs), rowsOfKeyed),
];

/** An area with whether it pins, which lasts until the end of the run. */
export type PlacedArea = Area & { isPinned: boolean };

const AREAS: PlacedArea[] = [
  ...ON_ALL_CORES.map((area) => ({ ...area, isPinned: false })),
  ...PINNED.map((area) => ({ ...area, isPinned: true })),
];

/** The areas with these names, separated by commas; all without a name. Throws for an unknown one. */
export function areasOf(only: string | undefined): PlacedArea[] {
  if (only === undefined) return AREAS;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !AREAS.some((area) => area.name === name));
  if (unknown !== undefined)
    throw new Error(`--only ${unknown}: no such area. There are ${AREAS.map(({ name }) => name).join(', ')}.`);
  return AREAS.filter(({ name }) => names.includes(name));
}
