import { openToolSecrets } from '../../db/agents/toolSecrets.ts';
import type { AnyRows } from '../../db/postgres/rows.ts';
import type { SecretOpener } from '../../db/sealing/secretBox.ts';
import { createGuardedAgent } from '../../tools/guardedAgent.ts';
import type { HttpToolAccess } from '../../tools/httpTool.ts';
import type { WebhookSending } from '../dependencies.ts';

/** How this process calls HTTP tools: where webhooks may go, signed by the agent's secret. */
export function createHttpAccess({
  everywhere,
  secrets,
  sending,
}: {
  everywhere: AnyRows;
  secrets: SecretOpener;
  sending: Pick<WebhookSending, 'allowPrivate' | 'resolve'>;
}): HttpToolAccess {
  const egress = { allowPrivate: sending.allowPrivate };
  return {
    agent: createGuardedAgent(egress, sending.resolve),
    egress,
    secretsOf: (agentId) => openToolSecrets(everywhere, secrets, agentId),
  };
}
