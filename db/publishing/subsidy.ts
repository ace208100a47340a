import type { AnyRows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import type { AgentRow } from './publisherAgents.ts';

/**
 * Grants an agent a subsidy or withdraws it, audited: new runs may cost less than the platform's cost, and the platform pays the
 * difference. Existing runs keep their price list. Undefined: no such agent.
 */
export function setSubsidy(
  rows: AnyRows,
  { agent, granted, by }: { agent: string; granted: boolean; by: Actor },
): Promise<AgentRow | undefined> {
  const [namespace, slug] = agent.split('/');
  return rows.transaction(async (tx) => {
    const { em, Agent, sql } = tx;
    const subsidisedAt = granted ? sql`coalesce(subsidised_at, now())` : null;
    if ((await em.nativeUpdate(Agent, { namespace, slug }, { subsidisedAt })) === 0) return undefined;
    const changed = await em.findOneOrFail(Agent, { namespace, slug });
    const { id: subjectId, workspaceId } = changed;
    const action = granted ? 'grant_subsidy' : 'revoke_subsidy';
    await audit(tx, by, { workspaceId, action, subjectType: 'publisher.agent', subjectId });
    return changed;
  });
}
