import type { Rows, RowsOfAll } from '../postgres/rows.ts';
import { timeSlotSql, type TimeGroup } from './callGroups.ts';
import { CALL_UNITS } from '../catalog/catalogFile.ts';
import { COMPLETED_UNTIL, sumEachWithin, sumNextHours, sumWithin, UPKEEP_BUDGET_MS } from './completedHours.ts';

// Raw: sums over a million calls need the statement that PostgreSQL plans best.

/** What separates a cell of calls from others, beside its time. A cell's calls are of one product. */
const CELL = 'key_id, model, route, price_id, project_id';

export type Grain = Exclude<TimeGroup, 'day'>;

const unitSums = CALL_UNITS.map((unit) => `sum((q.usage ->> '${unit}')::numeric) as ${unit}`).join(', ');
const unitsObject = `jsonb_strip_nulls(jsonb_build_object(${CALL_UNITS.map((unit) => `'${unit}', c.${unit}`).join(', ')}))`;
const cellOf = (time: string, grain: Grain) =>
  `${timeSlotSql(grain, time)} as slot, q.key_id, q.model, q.route, coalesce(q.price_id, '') as price_id, coalesce(q.project_id, '') as project_id`;

/**
 * Common table expressions that end with `cells`: calls summed by slot (hour or minute), key, model, route, price and project, read from the calls
 * themselves. `parts` has the time ranges (`since`, `until`), `workspace` is an expression. Amounts follow the ledger: an entry that changed
 * a bill later counts at its own time, and a call at the time of its debit. `offset 0`: each part is read by its index. The planner does not
 * know how short the parts are, and would read all calls of a workspace that has many of them.
 */
export const cellsFrom = ({ parts, workspace, grain }: { parts: string; workspace: string; grain: Grain }) => `
parts as (${parts}),
called as (
  select ${cellOf('q.settled_at', grain)}, count(*) as requests,
    count(*) filter (where q.status >= 400 and not q.cancelled) as errors, sum(q.cost_nanos) as cost_nanos, any_value(q.product) as product,
    ${unitSums}
  from parts p cross join lateral (
    select * from requests r where r.workspace_id = ${workspace} and r.settled_at >= p.since and r.settled_at < p.until offset 0) q
  group by 1, 2, 3, 4, 5, 6),
changes as (
  select e.subject, e.amount_nanos, e.created_at from ledger_legs e
  where e.workspace_id = ${workspace} and e.kind in ('refund', 'correction')),
changed as (
  select ${cellOf('q.settled_at', grain)}, c.amount_nanos as cost_nanos, q.product
  from changes c join requests q on q.id = c.subject join parts p on q.settled_at >= p.since and q.settled_at < p.until
  union all
  select ${cellOf('c.created_at', grain)}, -c.amount_nanos, q.product
  from changes c join requests q on q.id = c.subject join parts p on c.created_at >= p.since and c.created_at < p.until),
cells as (
  select slot, ${CELL}, sum(u.requests)::bigint as requests, sum(u.errors)::bigint as errors, sum(u.cost_nanos)::bigint as cost_nanos,
    any_value(u.product) as product, (array_agg(u.units order by u.requests desc))[1] as units
  from (
    select slot, ${CELL}, c.requests, c.errors, c.cost_nanos, c.product, ${unitsObject} as units from called c
    union all select slot, ${CELL}, 0, 0, c.cost_nanos, c.product, '{}'::jsonb from changed c) u
  group by slot, ${CELL})`;

const HOURS = {
  table: 'usage_rollups',
  keys: ['workspace_id'],
  facts: 'requests f where f.workspace_id = $1',
  // About a third of a second.
  rowsPerStep: 100_000,
};

/**
 * Sums the completed hours of a workspace, so that reports need not read their calls. Stops after `budgetMs`; the next call continues.
 * Safe in several processes.
 */
export const sumHours = (rows: Rows, { budgetMs }: { budgetMs: number }): Promise<void> =>
  sumWithin(budgetMs, () => sumSome(rows));

const WORKSPACES_AT_ONCE = 100;
const WORKSPACE_BUDGET_MS = 3_000;

/**
 * Sums the hours of workspaces in use before their reports need them. Begins with none after `budgetMs`; the next call goes on. Returns the
 * number of workspaces.
 */
export async function sumHoursOfAll(
  { everywhere, write }: Pick<RowsOfAll, 'everywhere' | 'write'>,
  { budgetMs = UPKEEP_BUDGET_MS }: { budgetMs?: number } = {},
): Promise<number> {
  const { rows } = await everywhere.statement(({ client }) => client.query<{ id: string }>(BEHIND));
  return sumEachWithin(budgetMs, rows, ({ id }) => sumHours(write(id), { budgetMs: WORKSPACE_BUDGET_MS }));
}

function sumSome(rows: Rows): Promise<boolean> {
  return rows.transaction(({ client, workspaceId }) =>
    sumNextHours(client, HOURS, [workspaceId], async (since, until) => {
      await client.query('delete from usage_hours where workspace_id = $1 and hour >= $2', [workspaceId, since]);
      await client.query(SUM, [workspaceId, since, until]);
    }),
  );
}

const BEHIND = `
select w.id from workspaces w left join usage_rollups u on u.workspace_id = w.id
where exists (select from requests q
  where q.workspace_id = w.id and q.settled_at >= coalesce(u.summed_until, '-infinity') and q.settled_at < ${COMPLETED_UNTIL})
limit ${WORKSPACES_AT_ONCE}`;

const SUM = `
with ${cellsFrom({ parts: 'select $2::timestamptz as since, $3::timestamptz as until', workspace: '$1', grain: 'hour' })}
insert into usage_hours (workspace_id, hour, ${CELL}, product, requests, errors, cost_nanos, units)
select $1, slot, ${CELL}, product, requests, errors, cost_nanos, units from cells`;
