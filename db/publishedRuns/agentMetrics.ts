import type { Rows } from '../postgres/rows.ts';
import type { FinalStatus } from '../entities/runStates.ts';
import { secondsOfClass } from './endedRuns.ts';
import { readCells, type AgentCell, type AgentRange } from './agentCells.ts';

/** Whose runs count: those of other workspaces, the publisher's own, or both. */
export type Whose = 'callers' | 'own' | 'all';

export type Grain = 'hour' | 'day';

/** Ended runs of an agent, summed. */
export interface RunFigures {
  runs: number;
  completed: number;
  limitReached: number;
  cancelled: number;
  failed: number;
  /** Share of completed runs among those not cancelled, 0 to 1; null without any. */
  successRate: number | null;
  /** Of completed runs, to within 2.5 %; null without any. */
  p50Seconds: number | null;
  p95Seconds: number | null;
  grossNanos: bigint;
  earnedNanos: bigint;
  platformCostNanos: bigint;
  /** The worth of what failed runs have used: nobody paid for it. */
  absorbedNanos: bigint;
  refundedRuns: number;
  refundedNanos: bigint;
  errors: EndingCount[];
}

/** How many runs ended for one reason, the most frequent first. */
export interface EndingCount {
  status: FinalStatus;
  code: string;
  fault: string;
  runs: number;
}

export interface AgentMetrics {
  /** Runs that have not ended. */
  open: number;
  total: RunFigures;
  /** The version that ended a run last comes first. */
  versions: (RunFigures & { versionId: string; version: string })[];
  slots: (RunFigures & { start: Date })[];
}

/** The figures of an agent's runs that ended in a range: in total, by version, and over time. Slots without runs are left out. */
export async function readAgentMetrics(
  everywhere: Rows<undefined>,
  range: AgentRange,
  { whose, grain }: { whose: Whose; grain: Grain },
): Promise<AgentMetrics> {
  const isAsked = ({ isOwn }: { isOwn: boolean }) => whose === 'all' || isOwn === (whose === 'own');
  const cells = (await readCells(everywhere, range)).filter(isAsked);
  const refunds = (await readRefunds(everywhere, range)).filter(isAsked);
  const figures = <Key>(keyOf: (cell: AgentCell | Refund) => Key) => {
    const refunded = Map.groupBy(refunds, keyOf);
    return [...Map.groupBy(cells, keyOf)].map(([key, own]) => ({
      key,
      own,
      ...figuresOf(own, refunded.get(key) ?? []),
    }));
  };
  const stepMs = grain === 'hour' ? HOUR_MS : DAY_MS;
  return {
    open: await countOpen(everywhere, range, whose),
    total: figuresOf(cells, refunds),
    versions: figures(({ versionId }) => versionId)
      .map(({ key, own, ...rest }) => ({ ...rest, versionId: key, version: own[0]!.version, last: lastOf(own) }))
      .toSorted((one, other) => other.last - one.last || other.version.localeCompare(one.version))
      .map(({ last: _last, ...version }) => version),
    slots: figures(({ hour }) => Math.floor(hour.getTime() / stepMs) * stepMs)
      .toSorted((one, other) => one.key - other.key)
      .map(({ key, own: _own, ...rest }) => ({ ...rest, start: new Date(key) })),
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const lastOf = (cells: AgentCell[]) => cells.reduce((last, { hour }) => Math.max(last, hour.getTime()), 0);

/** The figures of these cells and refunds. */
function figuresOf(cells: AgentCell[], refunds: Refund[]): RunFigures {
  const countOf = (status: FinalStatus) => sumOf(cells.filter((cell) => cell.status === status));
  const [completed, cancelled] = [countOf('completed'), countOf('cancelled')];
  const runs = sumOf(cells);
  const durations = mergedDurations(cells);
  const nanosOf = (name: 'grossNanos' | 'earnedNanos' | 'platformCostNanos' | 'absorbedNanos') =>
    cells.reduce((sum, cell) => sum + cell[name], 0n);
  return {
    runs,
    completed,
    limitReached: countOf('limit_reached'),
    cancelled,
    failed: countOf('failed'),
    successRate: runs === cancelled ? null : completed / (runs - cancelled),
    p50Seconds: percentileOf(durations, completed, 0.5),
    p95Seconds: percentileOf(durations, completed, 0.95),
    grossNanos: nanosOf('grossNanos'),
    earnedNanos: nanosOf('earnedNanos'),
    platformCostNanos: nanosOf('platformCostNanos'),
    absorbedNanos: nanosOf('absorbedNanos'),
    refundedRuns: sumOf(refunds),
    refundedNanos: refunds.reduce((sum, { nanos }) => sum + nanos, 0n),
    errors: endingsOf(cells),
  };
}

const sumOf = (counted: { runs: number }[]): number => counted.reduce((sum, { runs }) => sum + runs, 0);

function endingsOf(cells: AgentCell[]): EndingCount[] {
  const ended = cells.filter(({ status }) => status === 'failed' || status === 'limit_reached');
  return [...Map.groupBy(ended, ({ status, code, fault }) => `${status} ${code} ${fault}`).values()]
    .map((own) => ({ status: own[0]!.status, code: own[0]!.code, fault: own[0]!.fault, runs: sumOf(own) }))
    .toSorted((one, other) => other.runs - one.runs || one.code.localeCompare(other.code));
}

function mergedDurations(cells: AgentCell[]): [durationClass: number, runs: number][] {
  const merged = new Map<number, number>();
  for (const { durations } of cells)
    for (const [name, runs] of Object.entries(durations))
      merged.set(Number(name), (merged.get(Number(name)) ?? 0) + runs);
  return [...merged].toSorted(([one], [other]) => one - other);
}

/** The seconds within which this part of the completed runs ended; null without any. */
function percentileOf(durations: [number, number][], runs: number, part: number): number | null {
  let seen = 0;
  for (const [durationClass, count] of durations) {
    seen += count;
    if (seen >= runs * part) return Number(secondsOfClass(durationClass).toPrecision(3));
  }
  return null;
}

/** Refunds of runs that have the same hour and version. */
interface Refund {
  hour: Date;
  versionId: string;
  isOwn: boolean;
  runs: number;
  nanos: bigint;
}

async function readRefunds(
  everywhere: Rows<undefined>,
  { agentId, workspaceId, from, to }: AgentRange,
): Promise<Refund[]> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<Omit<Refund, 'nanos'> & { nanos: string }>(REFUNDS, [agentId, workspaceId, from, to]),
  );
  return rows.map(({ nanos, ...row }) => ({ ...row, nanos: BigInt(nanos) }));
}

// Raw here and below: entries joined with their runs. A refund is later than the end of its run.
const REFUNDS = `
select r.settled_at as hour, r.version_id as "versionId", r.workspace_id = r.publisher_workspace_id as "isOwn", 1 as runs, abs(e.amount_nanos) as nanos
from ledger_legs e join runs r on r.id = e.subject and r.workspace_id = e.workspace_id
where e.kind = 'refund' and e.created_at >= $3 and e.subject like 'run\\_%' and r.agent_id = $1 and r.publisher_workspace_id = $2
  and r.settled_at >= $3 and r.settled_at < $4`;

async function countOpen(
  everywhere: Rows<undefined>,
  { agentId, workspaceId }: AgentRange,
  whose: Whose,
): Promise<number> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ count: number }>(OPEN, [agentId, workspaceId, whose]),
  );
  return rows[0]!.count;
}

const OPEN = `
select count(*)::int as count from runs r where r.settled_at is null and r.agent_id = $1 and r.publisher_workspace_id = $2
  and r.source <> 'review' and ($3 = 'all' or (r.workspace_id = $2) = ($3 = 'own'))`;
