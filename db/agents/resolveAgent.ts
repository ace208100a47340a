import type { Queryable } from '../postgres/queryable.ts';
import type { AgentConfiguration } from './configuration.ts';

/** The version of an agent that a run would use. */
export interface ResolvedAgent {
  agentId: string;
  /** `<namespace>/<slug>` */
  agent: string;
  agentName: string;
  publisherWorkspaceId: string;
  versionId: string;
  /** Date-shaped label. */
  version: string;
  configuration: AgentConfiguration;
  /** An operator lets its prices be below the platform's cost. */
  subsidised: boolean;
  /** An operator has taken it off: it must not be run. */
  suspended: boolean;
}

/**
 * Finds the version that a caller may run, or undefined when there is none. Public: the live one, or a former one by its label or
 * id (runs may pin the version they were tested with). Private: only for the publisher's own workspace.
 */
export async function resolveAgent(
  pool: Queryable,
  wanted: { agent: string; version: string | null; visibility: 'public' | 'private'; workspaceId: string },
): Promise<ResolvedAgent | undefined> {
  const [namespace, slug] = wanted.agent.split('/');
  const { rows } = await pool.query<ResolvedAgent>({
    name: 'agents_resolve',
    text: RESOLVE,
    values: [namespace, slug, wanted.version, wanted.visibility, wanted.workspaceId],
  });
  return rows[0];
}

const RESOLVE = `
select a.id as "agentId", a.namespace || '/' || a.slug as agent, v.configuration ->> 'name' as "agentName",
  a.workspace_id as "publisherWorkspaceId", v.id as "versionId", v.label as version, v.configuration,
  a.subsidised_at is not null as subsidised, d.suspended_at is not null as suspended
from agents a join deployments d on d.agent_id = a.id join agent_versions v on v.id = d.version_id
where a.namespace = $1 and a.slug = $2 and d.visibility = $4 and ($4 = 'public' or a.workspace_id = $5)
  and case when $3::text is null then d.status in ('active', 'suspended')
    else d.status in ('active', 'suspended', 'superseded') and (v.label = $3 or v.id = $3) end
order by d.activated_at desc limit 1`;
