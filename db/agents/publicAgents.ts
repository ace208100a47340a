import type { Queryable } from '../postgres/queryable.ts';
import type { AgentConfiguration } from './configuration.ts';

/** An agent that everybody may run, by its live version. */
export interface PublicAgent {
  /** `<namespace>/<slug>` */
  id: string;
  agentId: string;
  providerId: string;
  providerName: string;
  verified: boolean;
  website: string | null;
  versionId: string;
  version: string;
  configuration: AgentConfiguration;
  subsidised: boolean;
  activatedAt: Date;
  /** Of the last thirty days. */
  runs: number;
}

export const agentSorts = ['newest', 'popular', 'price', 'name'] as const;

export interface AgentQuery {
  search: string | null;
  category: string | null;
  /** The most that one run may cost, in US dollars. */
  maximumCostUsd: number | null;
  sort: (typeof agentSorts)[number];
  offset: number;
  limit: number;
}

/** The public agent of that name, or undefined: unknown, not published, or suspended. */
export async function findPublicAgent(
  pool: Queryable,
  name: { namespace: string; slug: string },
): Promise<PublicAgent | undefined> {
  const { rows } = await pool.query<PublicAgent>(`${SELECT} and a.namespace = $1 and a.slug = $2`, [
    name.namespace,
    name.slug,
  ]);
  return rows[0];
}

/** The same by the agent's own id. */
export async function findPublicAgentById(pool: Queryable, agentId: string): Promise<PublicAgent | undefined> {
  const { rows } = await pool.query<PublicAgent>(`${SELECT} and a.id = $1`, [agentId]);
  return rows[0];
}

/** Public agents that match all that is asked, a page at a time, and whether more follow. */
export async function listPublicAgents(
  pool: Queryable,
  { search, category, maximumCostUsd, sort, offset, limit }: AgentQuery,
): Promise<{ agents: PublicAgent[]; hasMore: boolean }> {
  const { rows } = await pool.query<PublicAgent>(
    `${SELECT}
      and ($1::text is null or strpos(lower(concat_ws(' ', a.namespace || '/' || a.slug, v.configuration ->> 'name', v.configuration ->> 'description')), lower($1)) > 0)
      and ($2::text is null or v.configuration -> 'categories' ? $2)
      and ($3::float8 is null or (v.configuration #>> '{pricing,maximum_cost_usd}')::float8 <= $3)
     order by ${ORDERS[sort]}, a.namespace, a.slug offset $4 limit $5`,
    [search, category, maximumCostUsd, offset, limit + 1],
  );
  return { agents: rows.slice(0, limit), hasMore: rows.length > limit };
}

const SELECT = `
select a.namespace || '/' || a.slug as id, a.id as "agentId", n.name as "providerId", n.provider_name as "providerName", n.verified, n.website,
  v.id as "versionId", v.label as version, v.configuration,
  a.subsidised_at is not null as subsidised, d.activated_at as "activatedAt", u.runs
from deployments d join agents a on a.id = d.agent_id join agent_versions v on v.id = d.version_id join namespaces n on n.name = a.namespace,
  lateral (select count(*)::int as runs from runs r where r.agent_id = a.id and r.settled_at > now() - interval '30 days') u
where d.visibility = 'public' and d.status = 'active'`;

const ORDERS: Record<AgentQuery['sort'], string> = {
  newest: 'd.activated_at desc',
  popular: 'u.runs desc',
  price: `(v.configuration #>> '{pricing,maximum_cost_usd}')::float8`,
  name: `lower(v.configuration ->> 'name')`,
};
