import type { Fault } from '../entities/publishedRun.ts';
import type { FinalStatus } from '../entities/runStates.ts';
import { exactTimeSql, placeIn, placeOf, type PageQuery } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';
import type { Pricing } from '../entities/agentJson.ts';
import { EARNED_NANOS, ENDING_CODE, isOfAgentSql, PUBLISHED_RUN } from './endedRuns.ts';
import type { Whose } from './agentMetrics.ts';

/** An ended run of an agent as its publisher sees it: nothing that its caller or the model has written. */
export interface PublishedRun {
  id: string;
  /** The caller's. It never leaves the service. */
  workspaceId: string;
  versionId: string;
  version: string;
  isOwn: boolean;
  status: FinalStatus;
  code: string;
  fault: Fault | null;
  source: string;
  isCalledByAgent: boolean;
  isRerun: boolean;
  isRehearsed: boolean;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date;
  grossNanos: string;
  earnedNanos: string;
  platformCostNanos: string;
  absorbedNanos: string;
  meters: Record<string, number | string>;
  rateCard: Pricing;
  /** When its steps were deleted. */
  contentDeletedAt: Date | null;
  /** Until when its content is shared; null: it is not. */
  sharedUntil: Date | null;
}

/** Filters of the list; null and omitted: all. */
export interface PublishedRunFilter {
  agentId: string;
  /** The publisher's. */
  workspaceId: string;
  whose: Whose;
  status?: string | undefined;
  code?: string | undefined;
  fault?: string | undefined;
  versionId?: string | undefined;
  /** The caller's workspace. */
  callerId?: string | undefined;
  isShared?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The ended runs of an agent, the last ended first. `next`: the cursor of the last row if more follow; it works after that row is erased. */
export async function listPublishedRuns(
  everywhere: Rows<undefined>,
  filter: PublishedRunFilter,
  { after, limit }: PageQuery,
): Promise<{ rows: PublishedRun[]; next: string | null }> {
  const values: unknown[] = [filter.agentId, filter.workspaceId];
  const conditions = conditionsOf(filter).map(([sql, value]) =>
    value === undefined ? sql : sql.replaceAll('?', `$${values.push(value)}`),
  );
  if (after !== null) conditions.push(isAfterSql(after, (value) => `$${values.push(value)}`));
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<PublishedRun & { exactTime: string }>(listSql(conditions, limit + 1), values),
  );
  return { rows: rows.slice(0, limit), next: rows.length > limit ? placeOf(rows[limit - 1]!) : null };
}

/** SQL for each filter that is set, with `?` for its value: the planner knows what is asked for. */
function conditionsOf({
  whose,
  status,
  code,
  fault,
  versionId,
  callerId,
  isShared,
  from,
  to,
}: PublishedRunFilter): [sql: string, value?: unknown][] {
  const shared = `exists (select from run_shares h where ${SHARED})`;
  const asked: [isSet: boolean, sql: string, value?: unknown][] = [
    [whose !== 'all', `(r.workspace_id = r.publisher_workspace_id) = ${String(whose === 'own')}`],
    // Only failed runs have a fault, and their own index.
    [status === 'failed' || fault !== undefined, 'r.fault is not null'],
    [status !== undefined, 'r.status = ?', status],
    [code !== undefined, `${ENDING_CODE} = ?`, code],
    [fault !== undefined, 'r.fault = ?', fault],
    [versionId !== undefined, 'r.version_id = ?', versionId],
    [callerId !== undefined, 'r.workspace_id = ?', callerId],
    [isShared !== undefined, isShared ? shared : `not ${shared}`],
    [from !== undefined, 'r.settled_at >= ?', from],
    [to !== undefined, 'r.settled_at < ?', to],
  ];
  return asked.flatMap(([isSet, sql, value]) => (isSet ? [[sql, value] as [string, unknown]] : []));
}

/** SQL: whether a run comes after a place in the list; `put` adds a parameter. */
function isAfterSql(place: string, put: (value: string | null) => string): string {
  const { id, exactTime } = placeIn(place);
  const at = put(id);
  const time = put(exactTime);
  const last = `coalesce(${time}::timestamptz, (select settled_at from runs where id = ${at}::text))`;
  return `r.settled_at <= ${last} and (r.settled_at, r.id) < (${last}, ${at}::text)`;
}

/** An ended run of this agent of the publisher, or undefined. */
export async function findPublishedRun(
  everywhere: Rows<undefined>,
  { agentId, workspaceId, runId }: { agentId: string; workspaceId: string; runId: string },
): Promise<PublishedRun | undefined> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<PublishedRun>(FIND, [agentId, workspaceId, runId]),
  );
  return rows[0];
}

// Raw: the list of columns is the boundary between callers and publishers.
const COLUMNS = `
r.id, r.workspace_id as "workspaceId", r.version_id as "versionId", r.version, r.workspace_id = r.publisher_workspace_id as "isOwn", r.status,
${ENDING_CODE} as code, r.fault, r.source, r.parent_run_id is not null as "isCalledByAgent", r.rerun_of is not null as "isRerun",
r.rehearsed as "isRehearsed", r.created_at as "createdAt", r.started_at as "startedAt", r.settled_at as "endedAt",
r.total_nanos as "grossNanos", ${EARNED_NANOS} as "earnedNanos", r.platform_cost_nanos as "platformCostNanos",
r.absorbed_nanos as "absorbedNanos", r.meters, r.rate_card as "rateCard", r.content_deleted_at as "contentDeletedAt", h.expires_at as "sharedUntil"`;

// A share in force, of a run with content.
const SHARED = `
h.run_id = r.id and h.publisher_workspace_id = $2 and h.revoked_at is null and h.expires_at > now() and r.content_deleted_at is null
and r.deleted_at is null`;
const WITH_SHARE = `left join run_shares h on ${SHARED}`;

const IS_OF_AGENT = `${isOfAgentSql('$1', '$2')} and r.settled_at is not null and ${PUBLISHED_RUN}`;

// The page first, in the order of its index, and then what is beside it. Its length is known to the planner too.
const listSql = (conditions: string[], rows: number): string => `
select ${COLUMNS}, ${exactTimeSql('r.settled_at')} as "exactTime" from (
  select r.* from runs r where ${[IS_OF_AGENT, ...conditions].join(' and ')}
  order by r.settled_at desc, r.id desc limit ${rows}) r ${WITH_SHARE}
order by r.settled_at desc, r.id desc`;

const FIND = `select ${COLUMNS} from runs r ${WITH_SHARE} where ${IS_OF_AGENT} and r.id = $3`;
