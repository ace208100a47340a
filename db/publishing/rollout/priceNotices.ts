import { recordMailedEvent } from '../../mails/eventMails.ts';
import type { AnyTransaction } from '../../postgres/rows.ts';
import type { DeploymentRow } from '../../agents/deployments.ts';
import { findCallers, nameOf } from '../callers.ts';

/** Notifies each caller of an agent, or of one of its channels, by an event and a mail, that a dearer version comes. */
export async function announcePrices(
  tx: AnyTransaction,
  { agentId, versionId, effectiveAt }: Pick<DeploymentRow, 'agentId' | 'versionId' | 'effectiveAt'>,
  channel: { name: string; versionId: string } | null = null,
): Promise<void> {
  const { em, Agent, AgentVersion } = tx;
  const agent = await em.findOneOrFail(Agent, { id: agentId });
  const { label, configuration } = await em.findOneOrFail(AgentVersion, { id: versionId });
  const name = nameOf(agent);
  const data = {
    agent: channel ? `${name}@${channel.name}` : name,
    version: label,
    effective_at: effectiveAt!.toISOString(),
    ...configuration.pricing,
  };
  const event = { type: 'agent.price_increase' as const, resourceType: 'agent', resourceId: name, data };
  for (const id of await findCallers(tx, agent, channel))
    await recordMailedEvent(tx, id, event, { roles: ['owner', 'finance', 'developer'] });
}
