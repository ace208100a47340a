import type { InferEntity } from '@mikro-orm/core';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { AgentVersion } from '../entities/AgentVersion.ts';
import { inWorkspace } from '../postgres/tenant.ts';

export type VersionRow = InferEntity<typeof AgentVersion>;

/** A version of one of the workspace's agents, or undefined when it is unknown or another's. */
export async function findVersion(orm: LazyOrm, workspaceId: string, id: string): Promise<VersionRow | undefined> {
  return (
    (await inWorkspace(orm, workspaceId, (em, { AgentVersion }) => em.findOne(AgentVersion, { workspaceId, id }))) ??
    undefined
  );
}

/** The versions of an agent, newest first: those below the number `before`, at most `limit`. Undefined when there is no such agent. */
export function listVersions(
  orm: LazyOrm,
  {
    workspaceId,
    agentId,
    before,
    limit,
  }: { workspaceId: string; agentId: string; before: number | null; limit: number },
): Promise<{ versions: VersionRow[]; hasMore: boolean } | undefined> {
  return inWorkspace(orm, workspaceId, async (em, { Agent, AgentVersion }) => {
    if ((await em.count(Agent, { workspaceId, id: agentId })) === 0) return undefined;
    const isEarlier = before === null ? {} : { number: { $lt: before } };
    const rows = await em.find(
      AgentVersion,
      { workspaceId, agentId, ...isEarlier },
      { orderBy: { number: 'desc' }, limit: limit + 1 },
    );
    return { versions: rows.slice(0, limit), hasMore: rows.length > limit };
  });
}
