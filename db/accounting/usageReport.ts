import { isOfProjectSql, projectLabelsSql, projectSql } from './projectSql.ts';
import { memberSql, timeNameSql, timeSlotSql, type CallsQuery } from './callGroups.ts';
import { CALL_UNITS } from '../catalog/catalogFile.ts';
import { keyIdsOf } from './requestFilter.ts';
import { countRefusals, type RefusalCount } from './requests.ts';
import { cellsFrom, type Grain } from './usageCells.ts';
import { joinArchived } from '../postgres/archive.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';

/** The groups of usage reports, each with its expression over a fact `f` of the report. */
const GROUPS = {
  day: timeNameSql('day', 'f.slot'),
  hour: timeNameSql('hour', 'f.slot'),
  minute: timeNameSql('minute', 'f.slot'),
  model: 'f.model',
  key: 'f.key_id',
  route: 'f.route',
  agent: 'f.agent',
  product: 'f.product',
  meter: 'f.meter',
  member: memberSql('f.key_id'),
  project: projectSql('f.project_id'),
};

export type UsageGroup = keyof typeof GROUPS;
export const USAGE_GROUPS = Object.keys(GROUPS) as [UsageGroup, ...UsageGroup[]];

export type UsageQuery = CallsQuery<UsageGroup>;

interface Sums {
  requests: number;
  runs: number;
  errors: number;
  costNanos: string;
}

/** The usage of one group. `names` holds the group's keys, in order. */
export interface UsageRow extends Sums {
  names: (string | null)[];
  units: { unit: string; quantity: number }[];
}

export interface UsageReport {
  rows: UsageRow[];
  total: Sums;
  /** Names of keys, agents, projects and members, by id; a member by the name of their session's key. */
  labels: Record<string, string>;
  /** Refused and failed calls, as far back as they are kept. */
  refusals: RefusalCount[];
}

/** Limit on the number of groups. */
export const GROUPS_MAX = 10_000;

/**
 * The cost of a workspace's calls and runs, grouped. The sum equals the ledger's debits, refunds and corrections of the same time
 * exactly. Undefined: there are more than `GROUPS_MAX` groups.
 */
export function readUsageReport(rows: Rows, query: UsageQuery): Promise<UsageReport | undefined> {
  return rows.transaction(async (tx) => {
    const keyIds = query.key === undefined ? null : await keyIdsOf(tx, query.key);
    const grain = query.groupBy.includes('minute') ? 'minute' : 'hour';
    const found = await tx.client.query<Omit<UsageReport, 'refusals'>>(reportBy(query.groupBy, grain), [
      ...(await readSpans(tx, query, grain)),
      query.from,
      query.to,
      query.model ?? null,
      keyIds,
      query.project ?? null,
    ]);
    const since = { since: query.from, until: query.to };
    const report = {
      ...found.rows[0]!,
      refusals: await countRefusals(tx, { ...since, model: query.model, keyIds, project: query.project }),
    };
    return report.rows.length > GROUPS_MAX ? undefined : report;
  });
}

/** The quantity of a unit of the calls in a time range. */
export function readQuantity(rows: Rows, { unit, ...range }: { unit: string; from: Date; to: Date }): Promise<number> {
  return rows.transaction(async (tx) => {
    const values = [...(await readSpans(tx, range, 'hour')), unit];
    const found = await tx.client.query<{ quantity: number }>(QUANTITY, values);
    return found.rows[0]!.quantity;
  });
}

/** The first parameters of a statement: the workspace, the spans to read from calls, and the span to read from sums. */
async function readSpans(tx: Transaction, query: { from: Date; to: Date }, grain: Grain): Promise<unknown[]> {
  const { rows: rolled } = await tx.client.query<{ until: Date }>(SUMMED_UNTIL, [tx.workspaceId]);
  // Minutes are read from the calls.
  const { summed, parts } = spansOf(query, grain === 'minute' ? undefined : rolled[0]?.until);
  for (const [from, to] of parts) if (from < to) await joinArchived(tx, { from, to });
  return [tx.workspaceId, parts.map(([since]) => since), parts.map(([, until]) => until), ...summed];
}

const SUMMED_UNTIL = 'select summed_until as until from usage_rollups where workspace_id = $1';
const HOUR_MS = 3_600_000;

type Span = [since: Date, until: Date];

/** The whole hours that are already summed, and the rest of the range. */
function spansOf({ from, to }: { from: Date; to: Date }, summedUntil = new Date(0)): { summed: Span; parts: Span[] } {
  const since = new Date(Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS);
  const until = new Date(Math.min(Math.floor(to.getTime() / HOUR_MS) * HOUR_MS, summedUntil.getTime()));
  if (since >= until) return { summed: [from, from], parts: [[from, to]] };
  const parts: Span[] = [
    [from, since],
    [until, to],
  ];
  return { summed: [since, until], parts };
}

const PARTS = 'select p.since, p.until from unnest($2::timestamptz[], $3::timestamptz[]) p(since, until)';

const QUANTITY = `
with ${cellsFrom({ parts: PARTS, workspace: '$1', grain: 'hour' })}
select coalesce(sum((c.units ->> $6)::numeric), 0)::float8 as quantity from (
  select units from cells
  union all select h.units from usage_hours h where h.workspace_id = $1 and h.hour >= $4 and h.hour < $5) c`;

/** The column of facts that each group needs. Calls are summed without the others: to name the day of each takes longer than to read it. */
const COLUMN_OF: Record<Exclude<UsageGroup, 'agent' | 'meter'>, string> = {
  day: 'slot',
  hour: 'slot',
  minute: 'slot',
  model: 'model',
  key: 'key_id',
  route: 'route',
  product: 'product',
  member: 'key_id',
  project: 'project_id',
};

/** SQL: the columns of a group of facts, of these expressions. Those that the groups do not need are null. */
function columnsOf(groupBy: UsageGroup[], expressions: Record<string, string>): string {
  const needed = new Set(groupBy.map((group) => COLUMN_OF[group as keyof typeof COLUMN_OF]));
  const nameOf = (column: string, expression: string) => {
    if (!needed.has(column)) return `null::${column === 'slot' ? 'timestamptz' : 'text'} as ${column}`;
    const isOfDays = column === 'slot' && !groupBy.includes('hour') && !groupBy.includes('minute');
    return `${isOfDays ? timeSlotSql('day', expression) : expression} as ${column}`;
  };
  return ['slot', 'key_id', 'project_id', 'model', 'route', 'product']
    .map((column) => nameOf(column, expressions[column] ?? `c.${column}`))
    .join(', ');
}

const COLUMNS = 'slot, key_id, project_id, model, route, product';
const OF_RUN = {
  slot: 'r.slot',
  key_id: 'r.key_id',
  project_id: 'r.project_id',
  model: 'null::text',
  route: `'/v1/runs'`,
  product: `'agents'`,
};
const agentOf = (groupBy: UsageGroup[]) => (groupBy.includes('agent') ? 'r.agent' : 'null::text');
const unitSums = CALL_UNITS.map((unit) => `sum((c.units ->> '${unit}')::numeric) as ${unit}`).join(', ');
const unitRows = CALL_UNITS.map((unit) => `('${unit}', c.${unit})`).join(', ');

// A unit's price is rounded for each cell; what is left of the cell's cost is "rounding", with what was not charged.
const pricedOf = (groupBy: UsageGroup[]) => `
  select ${columnsOf(groupBy, {})}, u.unit as meter, sum(u.quantity::numeric) as quantity, sum(c.requests) as requests,
    sum(coalesce(round(u.quantity::numeric * (p.rates ->> u.unit)::numeric / 1000), 0)) as cost_nanos
  from calls c cross join lateral jsonb_each_text(c.units) u(unit, quantity) left join model_prices p on p.id = c.price_id
  group by 1, 2, 3, 4, 5, 6, 7`;
// Quantities alone.
const UNPRICED = `
  select ${COLUMNS}, u.unit as meter, u.quantity, 0 as requests, 0 as cost_nanos
  from called_by c cross join lateral (values ${unitRows}) u(unit, quantity) where u.quantity is not null`;

// Parameters: workspace, spans to read from calls (since, until), span to read from sums (since, until), range (from, to), model, keys, project.
const factsOf = (groupBy: UsageGroup[], grain: Grain) => `
with ${cellsFrom({ parts: PARTS, workspace: '$1', grain })},
calls as (
  select c.* from (
    select slot, key_id, project_id, model, route, product, price_id, requests, errors, cost_nanos, units from cells
    union all
    select h.hour as slot, h.key_id, h.project_id, h.model, h.route, h.product, h.price_id, h.requests, h.errors, h.cost_nanos, h.units
    from usage_hours h where h.workspace_id = $1 and h.hour >= $4 and h.hour < $5) c
  where ($8::text is null or c.model = $8) and ($9::text[] is null or c.key_id = any ($9)) and ${isOfProjectSql('c.project_id', '$10')}),
called_by as materialized (
  select ${columnsOf(groupBy, {})}, sum(c.requests) as requests, sum(c.errors) as errors, sum(c.cost_nanos) as cost_nanos, ${unitSums}
  from calls c group by 1, 2, 3, 4, 5, 6),
agent_runs as materialized (
  select r.id, ${timeSlotSql(grain, 'r.settled_at')} as slot, r.key_id, coalesce(r.project_id, '') as project_id, r.agent, r.agent_name, r.status, r.total_nanos, r.network_fee_nanos
  from runs r where r.workspace_id = $1 and r.settled_at >= $6 and r.settled_at < $7 and $8::text is null
    and ($9::text[] is null or r.key_id = any ($9)) and ${isOfProjectSql('r.project_id', '$10')}),
facts as (
  select ${COLUMNS}, null as agent, requests, 0 as runs, errors, cost_nanos from called_by
  union all
  select ${columnsOf(groupBy, OF_RUN)}, ${agentOf(groupBy)}, 0, count(*), count(*) filter (where r.status = 'failed'), sum(r.total_nanos)
  from agent_runs r group by 1, 2, 3, 4, 5, 6, 7),
priced as (${groupBy.includes('meter') ? pricedOf(groupBy) : UNPRICED}),
metered as (
  select ${COLUMNS}, null as agent, meter, quantity, requests, 0 as runs, 0 as errors, cost_nanos from priced
  union all
  select ${columnsOf(groupBy, OF_RUN)}, ${agentOf(groupBy)}, u.meter, sum(u.quantity_thousandths) / 1000.0, 0, count(*), 0, sum(u.cost_nanos)
  from agent_runs r join run_usage u on u.run_id = r.id group by 1, 2, 3, 4, 5, 6, 7, 8
  union all
  select ${columnsOf(groupBy, OF_RUN)}, ${agentOf(groupBy)}, 'network_fee', count(*), 0, count(*), 0, sum(r.network_fee_nanos) from agent_runs r
  where r.network_fee_nanos > 0 group by 1, 2, 3, 4, 5, 6, 7),
rest as (
  select ${COLUMNS}, null as agent, 'rounding' as meter, null::numeric as quantity, 0 as requests, 0 as runs, 0 as errors, cost_nanos
  from called_by
  union all
  select ${COLUMNS}, null, 'rounding', null, 0, 0, 0, -cost_nanos from priced)`;

const SUMS = `coalesce(sum(f.requests), 0)::bigint as requests, coalesce(sum(f.runs), 0)::bigint as runs,
  coalesce(sum(f.errors), 0)::bigint as errors, coalesce(sum(f.cost_nanos), 0)::bigint::text as "costNanos"`;

function reportBy(groupBy: UsageGroup[], grain: Grain): string {
  const names = `array[${groupBy.map((group) => `${GROUPS[group]}::text`).join(', ')}]`;
  const facts = groupBy.includes('meter') ? '(select * from metered union all select * from rest)' : 'facts';
  // A pseudo-meter without an amount is left out.
  const having = groupBy.includes('meter') ? `having bool_or(f.meter <> 'rounding') or sum(f.cost_nanos) <> 0` : '';
  return `${factsOf(groupBy, grain)},
grouped as (select ${names} as names, ${SUMS} from ${facts} f group by 1 ${having} limit ${GROUPS_MAX + 1}),
quantities as (select ${names} as names, f.meter as unit, sum(f.quantity) as quantity from metered f group by 1, 2),
listed as (
  select q.names, json_agg(json_build_object('unit', q.unit, 'quantity', q.quantity) order by q.unit) as units
  from quantities q group by q.names)
select
  (select coalesce(json_agg(json_build_object('names', g.names, 'requests', g.requests, 'runs', g.runs, 'errors', g.errors,
    'costNanos', g."costNanos", 'units', coalesce(l.units, '[]'::json)) order by g.names), '[]')
    from grouped g left join listed l on l.names = g.names) as rows,
  (select row_to_json(t) from (select ${SUMS} from facts f) t) as total,
  (select coalesce(json_object_agg(l.id, l.name), '{}') from (
    select k.id, k.name from api_keys k where k.workspace_id = $1 ${groupBy.includes('key') ? '' : 'and false'}
    union all select k.member_user_id, max(k.name) from api_keys k
      where k.workspace_id = $1 and k.member_user_id is not null ${groupBy.includes('member') ? '' : 'and false'} group by 1
    ${groupBy.includes('project') ? `union all ${projectLabelsSql}` : ''}
    union all select agent, max(agent_name) from agent_runs group by agent) l) as labels`;
}
