import { QUALITY_DAYS } from '../../base/limits.ts';
import { RUN_BY_CALLER } from '../agents/deployments.ts';
import { shownNamespace } from '../agents/namespaces.ts';
import type { AnyTransaction } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';
import type { AgentRow } from './publisherAgents.ts';

/** The name by which callers order an agent. */
export const nameOf = ({ namespace, slug }: Pick<AgentRow, 'namespace' | 'slug'>): string =>
  `${shownNamespace(namespace)}/${slug}`;

/**
 * The workspaces that ran a public agent lately, or have a schedule of it; without its publisher and test workspaces. Of a channel: that ran
 * its version, or have a schedule that names it.
 */
export async function findCallers(
  { client }: AnyTransaction,
  agent: AgentRow,
  channel: { name: string; versionId: string } | null = null,
): Promise<string[]> {
  const name = nameOf(agent);
  const reference = channel && `${name}@${channel.name}`;
  const values = [agent.id, agent.workspaceId, name, channel?.versionId ?? null, reference];
  const { rows } = await client.query<{ id: string }>(CALLERS, values);
  return rows.map(({ id }) => id);
}

const CALLERS = `
select r.workspace_id as id from runs r
where r.agent_id = $1 and r.visibility = 'public' and ${RUN_BY_CALLER} and r.created_at > now() - interval '${QUALITY_DAYS} days'
  and ($4::text is null or r.version_id = $4)
union
select s.workspace_id from schedules s
where split_part(s.run ->> 'agent', '@', 1) = $3 and coalesce(s.run ->> 'visibility', 'public') = 'public' and s.deleted_at is null
  and s.workspace_id <> $2 and ${isLiveSql('$2')} and ${isLiveSql('s.workspace_id')} and ($5::text is null or s.run ->> 'agent' = $5)
order by 1`;
