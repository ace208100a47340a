import type { Rows } from '../postgres/rows.ts';
import {
  COMPLETED_UNTIL,
  hourOf,
  sumEachWithin,
  sumNextHours,
  sumWithin,
  UPKEEP_BUDGET_MS,
} from '../accounting/completedHours.ts';
import { DURATION_CLASS, EARNED_NANOS, ENDING_CODE, endedInParts, PUBLISHED_RUN } from './endedRuns.ts';

// Raw: sums over a hundred thousand runs need the statement that PostgreSQL plans best.

/** What separates a cell of runs from others, beside its hour. */
const CELL = 'version_id, is_own, status, code, fault';
const SUMS = ['runs', 'gross_nanos', 'earned_nanos', 'platform_cost_nanos', 'absorbed_nanos'];

/**
 * Common table expressions that end with `cells`: the ended runs of the agent $1 of the workspace $2, summed by hour and cell. `parts` has
 * the time ranges (`since`, `until`).
 */
export const cellsFrom = (parts: string): string => `
parts as (${parts}),
ended as (
  select ${hourOf('r.settled_at')} as hour, r.version_id, r.version, r.workspace_id = r.publisher_workspace_id as is_own, r.status,
    ${ENDING_CODE} as code, coalesce(r.fault, '') as fault, ${DURATION_CLASS} as class, r.total_nanos as gross_nanos,
    ${EARNED_NANOS} as earned_nanos, r.platform_cost_nanos, r.absorbed_nanos
  from parts p ${endedInParts('$1', '$2')}
  where ${PUBLISHED_RUN}),
classed as (
  select hour, ${CELL}, class, any_value(version) as version, count(*) as runs, sum(gross_nanos) as gross_nanos,
    sum(earned_nanos) as earned_nanos, sum(platform_cost_nanos) as platform_cost_nanos, sum(absorbed_nanos) as absorbed_nanos
  from ended group by hour, ${CELL}, class),
cells as (
  select hour, ${CELL}, any_value(version) as version, sum(runs)::int as runs, ${SUMS.slice(1)
    .map((name) => `sum(${name})::bigint as ${name}`)
    .join(', ')},
    coalesce(jsonb_object_agg(class, runs) filter (where class is not null), '{}') as durations
  from classed group by hour, ${CELL})`;

/** The columns of a cell. */
export const CELL_COLUMNS = `hour, ${CELL}, version, ${SUMS.join(', ')}, durations`;

const HOURS = {
  table: 'agent_rollups',
  keys: ['agent_id', 'workspace_id'],
  facts: 'runs f where f.agent_id = $1',
  rowsPerStep: 50_000,
};

/** Sums the completed hours of an agent. Stops after `budgetMs`; the next call continues. Safe in several processes. */
export const sumAgentHours = (
  everywhere: Rows<undefined>,
  { agentId, workspaceId, budgetMs }: { agentId: string; workspaceId: string; budgetMs: number },
): Promise<void> => sumWithin(budgetMs, () => sumSome(everywhere, agentId, workspaceId));

const AGENTS_AT_ONCE = 100;
const AGENT_BUDGET_MS = 2_000;

/** Sums the hours of the agents in use before their reports need them. Begins with none after `budgetMs`. Returns how many agents. */
export async function sumHoursOfAgents(
  everywhere: Rows<undefined>,
  { budgetMs = UPKEEP_BUDGET_MS }: { budgetMs?: number } = {},
): Promise<number> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ agentId: string; workspaceId: string }>(BEHIND),
  );
  return sumEachWithin(budgetMs, rows, (agent) => sumAgentHours(everywhere, { ...agent, budgetMs: AGENT_BUDGET_MS }));
}

function sumSome(everywhere: Rows<undefined>, agentId: string, workspaceId: string): Promise<boolean> {
  const agent = [agentId, workspaceId];
  return everywhere.transaction(({ client }) =>
    sumNextHours(client, HOURS, agent, (since, until) => client.query(SUM, [...agent, since, until])),
  );
}

const BEHIND = `
select a.id as "agentId", a.workspace_id as "workspaceId" from agents a left join agent_rollups u on u.workspace_id = a.workspace_id and u.agent_id = a.id
where exists (select from runs r
  where r.agent_id = a.id and r.settled_at >= coalesce(u.summed_until, '-infinity') and r.settled_at < ${COMPLETED_UNTIL})
limit ${AGENTS_AT_ONCE}`;

const SUM = `
with ${cellsFrom('select $3::timestamptz as since, $4::timestamptz as until')}
insert into agent_hours (agent_id, workspace_id, ${CELL_COLUMNS}) select $1, $2, ${CELL_COLUMNS} from cells`;
