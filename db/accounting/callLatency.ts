import { joinArchived } from '../postgres/archive.ts';
import type { Rows } from '../postgres/rows.ts';
import {
  isAskedForSql,
  isTime,
  queryValuesOf,
  readLabels,
  timeNameSql,
  timeSlotSql,
  type CallsQuery,
  type CallsReport,
  type TimeGroup,
} from './callGroups.ts';
import { projectSql } from './projectSql.ts';
import { GROUPS_MAX } from './usageReport.ts';

/** The groups of latencies beside times, each with its expression over a call `q` and its key `k`. */
const GROUPS = {
  model: 'q.model',
  key: 'q.key_id',
  product: 'q.product',
  member: 'k.member_user_id',
  project: projectSql('q.project_id'),
};

type LatencyDimension = keyof typeof GROUPS;
export const LATENCY_DIMENSIONS = Object.keys(GROUPS) as [LatencyDimension, ...LatencyDimension[]];

/** Grouped by a time, a dimension, or both in this order. */
type LatencyQuery = CallsQuery<TimeGroup | LatencyDimension>;

export type Percentiles = [p50: number, p95: number] | null;

export interface Latency {
  requests: number;
  /** Of the calls, from beginning to end. */
  durationMs: Percentiles;
  /** Of the streams, from the beginning of the call to the first event. */
  firstByteMs: Percentiles;
}

export type LatencyReport = CallsReport<Latency>;

/** Limit on the number of calls: about two seconds of the database. */
export const LATENCY_CALLS_MAX = 2_000_000;

/** How long the successful calls of a workspace took, grouped; or why that is not computed. */
export function readLatency(
  rows: Rows,
  query: LatencyQuery,
): Promise<LatencyReport | 'too_many_calls' | 'too_many_groups'> {
  return rows.transaction(async (tx) => {
    const { rows: counted } = await tx.client.query<Counted>(COUNT, [tx.workspaceId, query.from, query.to]);
    if (counted[0]!.isTooMany) return 'too_many_calls';
    await joinArchived(tx, query);
    const found = await tx.client.query<Row>(latencyBy(query.groupBy), await queryValuesOf(tx, query));
    const grouped = found.rows.filter(({ isTotal }) => !isTotal);
    if (grouped.length > GROUPS_MAX) return 'too_many_groups';
    return {
      rows: grouped,
      total: found.rows.find(({ isTotal }) => isTotal)!,
      labels: await readLabels(tx, query.groupBy),
    };
  });
}

type Row = LatencyReport['rows'][number] & { isTotal: boolean };

interface Counted {
  isTooMany: boolean;
}

// Calls of hours that are not summed yet are few.
const COUNT = `
select coalesce(sum(h.requests), 0) > ${LATENCY_CALLS_MAX} as "isTooMany" from usage_hours h
where h.workspace_id = $1 and h.hour >= $2 and h.hour < $3`;

const PERCENTILES = 'percentile_disc(array[0.5, 0.95]) within group';

// Raw: ordered sums over a hundred thousand calls. One sort serves the groups and the total, which is kept by the limit: it comes first.
function latencyBy(groupBy: LatencyQuery['groupBy']): string {
  const time = groupBy.find(isTime);
  const dimension = groupBy.find((group) => !isTime(group));
  const columns = [
    ...(time ? [`${timeSlotSql(time, 'q.settled_at')} as slot`] : []),
    ...(dimension ? [`${GROUPS[dimension]} as name`] : []),
  ];
  const by = [...(time ? ['slot'] : []), ...(dimension ? ['name'] : [])];
  const names = [...(time ? [timeNameSql(time, 'g.slot')] : []), ...(dimension ? ['g.name'] : [])];
  return `
select array[${names.join(', ')}]::text[] as names, g."isTotal", g.requests, g."durationMs", g."firstByteMs" from (
  select ${by.map((name) => `c.${name}`).join(', ')}, grouping(c.${by[0]}) = 1 as "isTotal", count(*)::int as requests,
    ${PERCENTILES} (order by c.duration_ms) as "durationMs", ${PERCENTILES} (order by c.first_byte_ms) as "firstByteMs"
  from (select ${columns.join(', ')}, q.duration_ms, q.first_byte_ms
    from requests q ${dimension === 'member' ? 'left join api_keys k on k.id = q.key_id' : ''}
    where q.workspace_id = $1 and q.settled_at >= $2 and q.settled_at < $3 and q.status < 400 and not q.cancelled
      and ${isAskedForSql('q')}) c
  group by grouping sets ((${by.map((name) => `c.${name}`).join(', ')}), ())) g
order by g."isTotal" desc, ${time ? 'g.slot' : 'g.requests desc'}${dimension ? ', g.name' : ''} limit ${GROUPS_MAX + 2}`;
}
