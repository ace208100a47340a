import type { PlatformEventType } from '../events/eventTypes.ts';
import { recordEvent } from '../events/platformEvents.ts';
import type { AnyTransaction } from '../postgres/rows.ts';
import { shownNamespace } from './namespaces.ts';

/** What an event of a deployment is about. `reason`: why, in the words of an operator or of the rollout. */
interface DeploymentNews {
  workspaceId: string;
  type: PlatformEventType;
  deploymentId: string;
  status: string;
  reason?: string;
  /** When a dearer version becomes active. */
  active_from?: string;
  percentage?: number;
  findings?: object[];
}

/** Records an event of a deployment for its publisher, in the transaction that moves it: with its agent and version, why, and where to read on. */
export async function recordDeploymentEvent(
  tx: AnyTransaction,
  { workspaceId, type, deploymentId, status, reason, ...more }: DeploymentNews,
): Promise<string> {
  const { em, Agent, AgentVersion, Deployment } = tx;
  const { agentId, versionId } = await em.findOneOrFail(Deployment, { id: deploymentId });
  const agent = await em.findOneOrFail(Agent, { id: agentId });
  const version = await em.findOneOrFail(AgentVersion, { id: versionId });
  return recordEvent(tx, workspaceId, {
    type,
    resourceType: 'agent.deployment',
    resourceId: deploymentId,
    data: {
      deployment_id: deploymentId,
      status,
      agent_id: agentId,
      agent: `${shownNamespace(agent.namespace)}/${agent.slug}`,
      version_id: versionId,
      version: version.label,
      version_number: version.number,
      reason: reason ?? null,
      ...more,
      links: {
        deployment: `/v1/publisher/deployments/${deploymentId}`,
        agent: `/v1/publisher/agents/${agentId}`,
        version: `/v1/publisher/agent-versions/${versionId}`,
      },
    },
  });
}
