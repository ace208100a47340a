import type { Rows } from '../postgres/rows.ts';
import { timeSlotSql } from '../accounting/callGroups.ts';
import type { FinalStatus } from '../entities/runStates.ts';
import { cellsFrom, CELL_COLUMNS } from './agentHours.ts';

/** An agent of a publisher, and a range of time in which its runs ended. */
export interface AgentRange {
  agentId: string;
  /** The publisher's. */
  workspaceId: string;
  from: Date;
  /** Excluded. */
  to: Date;
}

/** Ended runs of one hour that have all of this in common. */
export interface AgentCell {
  hour: Date;
  versionId: string;
  version: string;
  isOwn: boolean;
  status: FinalStatus;
  code: string;
  fault: string;
  runs: number;
  grossNanos: bigint;
  earnedNanos: bigint;
  platformCostNanos: bigint;
  absorbedNanos: bigint;
  durations: Record<string, number>;
}

/** The ended runs of a range, by hour and cell: completed hours as they were summed, the rest from the runs. */
export async function readCells(
  everywhere: Rows<undefined>,
  { agentId, workspaceId, from, to }: AgentRange,
): Promise<AgentCell[]> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<Row>(CELLS, [agentId, workspaceId, from, to]),
  );
  return rows.map((row) => ({
    hour: row.hour,
    versionId: row.version_id,
    version: row.version,
    isOwn: row.is_own,
    status: row.status,
    code: row.code,
    fault: row.fault,
    runs: row.runs,
    grossNanos: BigInt(row.gross_nanos),
    earnedNanos: BigInt(row.earned_nanos),
    platformCostNanos: BigInt(row.platform_cost_nanos),
    absorbedNanos: BigInt(row.absorbed_nanos),
    durations: row.durations,
  }));
}

interface Row {
  hour: Date;
  version_id: string;
  version: string;
  is_own: boolean;
  status: FinalStatus;
  code: string;
  fault: string;
  runs: number;
  gross_nanos: string;
  earned_nanos: string;
  platform_cost_nanos: string;
  absorbed_nanos: string;
  durations: Record<string, number>;
}

const hourOf = (time: string) => timeSlotSql('hour', time);

/**
 * SQL: the bounds of the whole summed hours of a range, as `summed(since, until)`. `agent`, `workspace`, `from` and `to` are expressions.
 */
export const summedSql = (is: { agent: string; workspace: string; from: string; to: string }): string => `
select b.since, greatest(b.since, least(${hourOf(is.to)}, b.mark)) as until
from (select ${hourOf(`${is.from} + interval '1 hour' - interval '1 microsecond'`)} as since,
  coalesce((select u.summed_until from agent_rollups u where u.agent_id = ${is.agent} and u.workspace_id = ${is.workspace}), '-infinity') as mark) b`;

const CELLS = `
with summed as materialized (${summedSql({ agent: '$1', workspace: '$2', from: '$3::timestamptz', to: '$4::timestamptz' })}),
${cellsFrom(`
  select $3::timestamptz as since, least(s.since, $4::timestamptz) as until from summed s
  union all select s.until, $4::timestamptz from summed s where s.until < $4::timestamptz`)}
select ${CELL_COLUMNS} from agent_hours
where agent_id = $1 and workspace_id = $2 and hour >= (select since from summed) and hour < (select until from summed)
union all select ${CELL_COLUMNS} from cells`;
