import { recordDeploymentEvent, type DeploymentRow, type Feedback } from '../../agents/deployments.ts';
import { shownNamespace } from '../../agents/namespaces.ts';
import type { PlatformEventType } from '../../events/eventTypes.ts';
import { mailEvent } from '../../mails/eventMails.ts';
import type { AnyTransaction } from '../../postgres/rows.ts';

// Of an event. The deployment has all of them in full.
const FINDINGS_MAX = 10;
const MESSAGE_CHARS_MAX = 500;

/** What a publisher is told by mail too: decisions of others. */
const MAILED: readonly PlatformEventType[] = [
  'deployment.approved',
  'deployment.changes_requested',
  'deployment.rejected',
  'deployment.suspended',
];

/** Records what became of a submission, with what the review found, and mails it to those who publish. */
export async function recordOutcome(
  tx: AnyTransaction,
  { id: deploymentId, workspaceId, agentId, versionId, reviewFeedback }: DeploymentRow,
  { type, status, feedback }: { type: PlatformEventType; status: string; feedback: Feedback[] },
): Promise<void> {
  const agent = await tx.em.findOneOrFail(tx.Agent, { id: agentId });
  const version = await tx.em.findOneOrFail(tx.AgentVersion, { id: versionId });
  const eventId = await recordDeploymentEvent(tx, {
    workspaceId,
    type,
    deploymentId,
    status,
    agent_id: agentId,
    agent: `${shownNamespace(agent.namespace)}/${agent.slug}`,
    version_number: version.number,
    findings: [...reviewFeedback, ...feedback].slice(-FINDINGS_MAX).map(({ severity, code, path, message }) => ({
      severity,
      code,
      path,
      message: message.slice(0, MESSAGE_CHARS_MAX),
    })),
  });
  if (MAILED.includes(type)) await mailEvent(tx, { workspaceId, eventId }, { roles: ['owner', 'publisher'] });
}
