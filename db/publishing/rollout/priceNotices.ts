import { QUALITY_DAYS } from '../../../base/limits.ts';
import { recordMailedEvent } from '../../mails/eventMails.ts';
import type { AnyTransaction } from '../../postgres/rows.ts';
import { RUN_BY_CALLER, type DeploymentRow } from '../../agents/deployments.ts';

/** Notifies each workspace that ran an agent lately, by an event and a mail, that a dearer version becomes its default. */
export async function announcePrices(
  tx: AnyTransaction,
  { agentId, versionId, effectiveAt }: Pick<DeploymentRow, 'agentId' | 'versionId' | 'effectiveAt'>,
): Promise<void> {
  const { em, client, Agent, AgentVersion } = tx;
  const { namespace, slug } = await em.findOneOrFail(Agent, { id: agentId });
  const { label, configuration } = await em.findOneOrFail(AgentVersion, { id: versionId });
  const agent = `${namespace}/${slug}`;
  const data = {
    agent,
    version: label,
    effective_at: effectiveAt!.toISOString(),
    ...configuration.pricing,
  };
  const event = { type: 'agent.price_increase' as const, resourceType: 'agent', resourceId: agent, data };
  const { rows } = await client.query<{ id: string }>(CALLERS, [agentId]);
  for (const { id } of rows) await recordMailedEvent(tx, id, event, { roles: ['owner', 'finance', 'developer'] });
}

const CALLERS = `
select distinct r.workspace_id as id from runs r
where r.agent_id = $1 and r.visibility = 'public' and ${RUN_BY_CALLER} and r.created_at > now() - interval '${QUALITY_DAYS} days' order by 1`;
