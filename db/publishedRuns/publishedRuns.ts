import type { Fault } from '../entities/publishedRun.ts';
import type { FinalStatus } from '../entities/runStates.ts';
import type { PageQuery } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';
import type { Pricing } from '../entities/agentJson.ts';
import { EARNED_NANOS, ENDING_CODE, PUBLISHED_RUN } from './endedRuns.ts';
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

/** The ended runs of an agent, the last ended first. */
export async function listPublishedRuns(
  everywhere: Rows<undefined>,
  filter: PublishedRunFilter,
  { after, limit }: PageQuery,
): Promise<{ rows: PublishedRun[]; hasMore: boolean }> {
  const { agentId, workspaceId, whose, status, code, fault, versionId, callerId, isShared, from, to } = filter;
  const values = [agentId, workspaceId, whose, status, code, fault, versionId, callerId, isShared, from, to, after];
  // Only failed runs have a fault, and their own index.
  const isFailed = status === 'failed' || fault !== undefined;
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<PublishedRun>(listSql(isFailed), [...values.map((value) => value ?? null), limit + 1]),
  );
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
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

const FROM = `
runs r left join run_shares h on h.run_id = r.id and h.publisher_workspace_id = $2 and h.revoked_at is null and h.expires_at > now()
  and r.content_deleted_at is null and r.deleted_at is null
where r.agent_id = $1 and r.publisher_workspace_id = $2 and r.settled_at is not null and ${PUBLISHED_RUN}`;

const listSql = (isFailed: boolean): string => `
select ${COLUMNS} from ${FROM} ${isFailed ? 'and r.fault is not null' : ''}
  and ($3 = 'all' or (r.workspace_id = r.publisher_workspace_id) = ($3 = 'own'))
  and ($4::text is null or r.status = $4) and ($5::text is null or ${ENDING_CODE} = $5) and ($6::text is null or r.fault = $6)
  and ($7::text is null or r.version_id = $7) and ($8::text is null or r.workspace_id = $8)
  and ($9::boolean is null or (h.run_id is not null) = $9)
  and ($10::timestamptz is null or r.settled_at >= $10) and ($11::timestamptz is null or r.settled_at < $11)
  and ($12::text is null or (r.settled_at, r.id) < (select settled_at, id from runs where id = $12))
order by r.settled_at desc, r.id desc limit $13`;

const FIND = `select ${COLUMNS} from ${FROM} and r.id = $3`;
