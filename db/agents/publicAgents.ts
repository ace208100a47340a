import { agentIn, releaseIn } from '../../base/agentNames.ts';
import { QUALITY_DAYS } from '../../base/limits.ts';
import type { AnyRows } from '../postgres/rows.ts';
import { CHANNELS, UPCOMING, versionOfChannel, type PublicChannel, type UpcomingVersion } from './channels.ts';
import type { AgentConfiguration } from './configuration.ts';
import { isLiveSql } from '../workspaces/mode.ts';
import { COUNTED_RUN, isSuspendedSql } from './deployments.ts';
import { ENDING, TAKES_ORDERS, type AgentEnding } from './endings.ts';
import { namespacesFor, shownNamespaceSql } from './namespaces.ts';

/** An agent that every workspace may run, by its live version. */
export interface PublicAgent {
  /** `<namespace>/<slug>` */
  id: string;
  agentId: string;
  /** The publisher's. */
  workspaceId: string;
  providerId: string;
  providerName: string;
  verified: boolean;
  website: string | null;
  /** The publisher's logo, if public. */
  logoFileId: string | null;
  versionId: string;
  version: string;
  configuration: AgentConfiguration;
  subsidised: boolean;
  activatedAt: Date;
  /** A dearer version that becomes the default after its notice. */
  upcoming: UpcomingVersion | null;
  channels: PublicChannel[];
  /** Null: it is neither taken down nor deprecated. */
  ending: AgentEnding | null;
}

export const AGENT_SORTS = ['newest', 'popular', 'price', 'name'] as const;

interface AgentQuery {
  search: string | null;
  category: string | null;
  /** The maximum cost of one run, in US dollars. */
  maximumCostUsd: number | null;
  sort: (typeof AGENT_SORTS)[number];
  offset: number;
  limit: number;
}

/**
 * The public agent with this name, or undefined when it is unknown, unpublished, or suspended. A test workspace also finds its own.
 * Without a workspace: for readers without a key.
 */
export async function findPublicAgent(
  rows: AnyRows,
  { namespace, slug, workspaceId = '' }: { namespace: string; slug: string; workspaceId?: string | undefined },
): Promise<PublicAgent | undefined> {
  const wanted = `${SELECT} and a.namespace = any ($1) and a.slug = $2 and ${isFoundBy('$3')}
    order by array_position($1::text[], a.namespace)`;
  return (await select(rows, wanted, [namespacesFor(namespace, workspaceId), slug, workspaceId]))[0];
}

/** The same by the agent's own id. */
export async function findPublicAgentById(
  rows: AnyRows,
  { agentId, workspaceId = '' }: { agentId: string; workspaceId?: string },
): Promise<PublicAgent | undefined> {
  const wanted = `${SELECT} and a.id = $1 and ${isFoundBy('$2')}`;
  return (await select(rows, wanted, [agentId, workspaceId]))[0];
}

/** Public agents that take orders and match the filters, in pages, and whether more follow. */
export async function listPublicAgents(
  rows: AnyRows,
  { search, category, maximumCostUsd, sort, offset, limit }: AgentQuery,
): Promise<{ agents: PublicAgent[]; hasMore: boolean }> {
  const found = await select(
    rows,
    `${SELECT} and ${IS_LISTED} and ${TAKES_ORDERS}
      and ($1::text is null or strpos(lower(concat_ws(' ', a.namespace || '/' || a.slug, v.configuration ->> 'name', v.configuration ->> 'description')), lower($1)) > 0)
      and ($2::text is null or v.configuration -> 'categories' ? $2)
      and ($3::float8 is null or (v.configuration #>> '{pricing,maximum_cost_usd}')::float8 <= $3)
     order by ${ORDERS[sort]}, a.namespace, a.slug offset $4 limit $5`,
    [search, category, maximumCostUsd, offset, limit + 1],
  );
  return { agents: found.slice(0, limit), hasMore: found.length > limit };
}

/**
 * Counted runs of each of these agents in the last `QUALITY_DAYS`; none where it is missing. Reads them all: apart from the agents, which every
 * call of one finds.
 */
export async function countLateRuns(rows: AnyRows, agentIds: string[]): Promise<Map<string, number>> {
  const found = await rows.statement(({ client }) =>
    client.query<{ id: string; runs: number }>(COUNT_LATE_RUNS, [agentIds]),
  );
  return new Map(found.rows.map(({ id, runs }) => [id, runs]));
}

/** Agents of test workspaces are in no list. */
export const IS_LISTED = isLiveSql('a.workspace_id');

/** Only their own workspace finds them. */
const isFoundBy = (workspaceId: string) => `(${IS_LISTED} or a.workspace_id = ${workspaceId})`;

/** Deployment `d`, if it is live, is the default of runs that name no version. */
const IS_DEFAULT = `coalesce(d.rollout_state, 'complete') = 'complete'`;

/** Deployment `d` is what callers get of a public agent. */
export const IS_PUBLIC = `d.visibility = 'public' and d.status = 'active' and ${IS_DEFAULT}`;

const select = async (rows: AnyRows, text: string, values: unknown[]): Promise<PublicAgent[]> =>
  (await rows.statement(({ client }) => client.query<PublicAgent>(text, values))).rows;

// Raw: the ORM cannot join tables whose entities refer to each other only by id.
const SELECT = `
select ${shownNamespaceSql('a.namespace')} || '/' || a.slug as id, a.id as "agentId", a.workspace_id as "workspaceId", ${shownNamespaceSql('n.name')} as "providerId", n.provider_name as "providerName", n.verified, n.website,
  (select w.logo_file_id from workspaces w where w.id = a.workspace_id and w.logo_is_public) as "logoFileId",
  v.id as "versionId", v.label as version, v.configuration,
  a.subsidised_at is not null as subsidised, d.activated_at as "activatedAt",
  ${UPCOMING} as upcoming, ${CHANNELS} as channels, ${ENDING} as ending
from deployments d join agents a on a.id = d.agent_id join agent_versions v on v.id = d.version_id join namespaces n on n.name = a.namespace
where ${IS_PUBLIC}`;

const COUNTED_LATELY = `${COUNTED_RUN} and r.settled_at > now() - interval '${QUALITY_DAYS} days'`;

const ORDERS: Record<AgentQuery['sort'], string> = {
  newest: 'd.activated_at desc',
  popular: `(select count(*) from runs r where r.agent_id = a.id and ${COUNTED_LATELY}) desc`,
  price: `(v.configuration #>> '{pricing,maximum_cost_usd}')::float8`,
  name: `lower(v.configuration ->> 'name')`,
};

const COUNT_LATE_RUNS = `
select r.agent_id as id, count(*)::int as runs from runs r where r.agent_id = any ($1) and ${COUNTED_LATELY} group by 1`;

/** The version of an agent for a run. */
export interface ResolvedAgent {
  agentId: string;
  /** `<namespace>/<slug>` */
  agent: string;
  agentName: string;
  publisherWorkspaceId: string;
  versionId: string;
  /** The version's label, in the form of a date. */
  version: string;
  configuration: AgentConfiguration;
  /** An operator permits prices below the platform's cost. */
  subsidised: boolean;
  /** An operator has suspended it: it must not run. */
  suspended: boolean;
  /** None: it is neither taken down nor deprecated. */
  ending?: AgentEnding | null;
}

/**
 * Finds the version that a caller may run, or undefined when there is none. Public: the live version, or a former one by its label or id
 * (runs may pin the version they were tested with). Private: only for the publisher's own workspace. A test workspace publishes only for
 * itself.
 */
export async function resolveAgent(
  rows: AnyRows,
  wanted: {
    /** `<namespace>/<slug>`, or with `@` and a channel or a version. */
    agent: string;
    version: string | null;
    visibility: 'public' | 'private';
    workspaceId: string;
    /** The run's session, which draws between the default and a version being rolled out. Null: the default. */
    sessionId?: string | null;
  },
): Promise<ResolvedAgent | undefined> {
  const [namespace, slug] = agentIn(wanted.agent).split('/');
  const version = wanted.version ?? releaseIn(wanted.agent);
  const namespaces = namespacesFor(namespace!, wanted.workspaceId);
  const values = [namespaces, slug, version, wanted.visibility, wanted.workspaceId, wanted.sessionId ?? null];
  const query = { name: 'agents_resolve', text: RESOLVE, values };
  return (await rows.statement(({ client }) => client.query<ResolvedAgent>(query))).rows[0];
}

// A session that has run the agent keeps its version; any other session draws by the hash of its id.
const IS_DRAWN = `
  d.status = 'active' and d.rollout_state = 'rolling' and coalesce(
    (select r.version_id = d.version_id from runs r where r.session_id = $6 and r.agent_id = a.id and r.visibility = 'public'
      order by r.created_at, r.id limit 1),
    ('x' || substr(md5($6), 1, 8))::bit(32)::bigint % 100 < d.rollout_percentage, false)`;

const IS_SUSPENDED = isSuspendedSql({ agentId: 'a.id', visibility: 'd.visibility', versionId: 'v.id' });

const RESOLVE = `
select a.id as "agentId", ${shownNamespaceSql('a.namespace')} || '/' || a.slug as agent, v.configuration ->> 'name' as "agentName",
  a.workspace_id as "publisherWorkspaceId", v.id as "versionId", v.label as version, v.configuration,
  a.subsidised_at is not null as subsidised, ${IS_SUSPENDED} as suspended, ${ENDING} as ending
from agents a join deployments d on d.agent_id = a.id join agent_versions v on v.id = d.version_id
where a.namespace = any ($1) and a.slug = $2 and a.deleted_at is null and v.deleted_at is null and d.visibility = $4 and ($4 = 'public' or a.workspace_id = $5) and ${isFoundBy('$5')}
  and case when $3::text is null then (d.status in ('active', 'suspended') and ${IS_DEFAULT}) or (${IS_DRAWN})
    else d.status in ('active', 'suspended', 'superseded') and (v.label = $3 or v.id = $3 or v.id = ${versionOfChannel('$3')}) end
order by array_position($1::text[], a.namespace), d.rollout_state = 'rolling' and $3::text is null desc nulls last, d.activated_at desc limit 1`;
