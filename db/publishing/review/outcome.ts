import { storableBeginning } from '../../../base/json.ts';
import type { DeploymentRow } from '../../agents/deployments.ts';
import type { Feedback } from '../../entities/agent.ts';
import { recordDeploymentEvent } from '../../agents/deploymentEvents.ts';
import { isMailed, type PlatformEventType } from '../../events/eventTypes.ts';
import { mailEvent } from '../../mails/eventMails.ts';
import type { AnyTransaction } from '../../postgres/rows.ts';

// Of an event. The deployment has all of them in full.
const FINDINGS_MAX = 10;
const MESSAGE_CHARS_MAX = 500;

/** Records what became of a submission, with what the review found, and mails it to those who publish. */
export async function recordOutcome(
  tx: AnyTransaction,
  { id: deploymentId, workspaceId, reviewFeedback }: DeploymentRow,
  outcome: { type: PlatformEventType; status: string; feedback: Feedback[]; activeFrom?: Date | null | undefined },
): Promise<void> {
  const { type, status, feedback, activeFrom } = outcome;
  const eventId = await recordDeploymentEvent(tx, {
    workspaceId,
    type,
    deploymentId,
    // A dearer version is not active before its day.
    ...(activeFrom ? { status: 'scheduled', active_from: activeFrom.toISOString() } : { status }),
    reason: feedback[0] && storableBeginning(feedback[0].message, MESSAGE_CHARS_MAX),
    findings: [...reviewFeedback, ...feedback]
      .slice(-FINDINGS_MAX)
      .map(({ source, severity, code, path, message }) => ({
        source,
        severity,
        code,
        path,
        message: storableBeginning(message, MESSAGE_CHARS_MAX),
      })),
  });
  if (isMailed(type)) await mailEvent(tx, { workspaceId, eventId }, { roles: ['owner', 'publisher'] });
}
