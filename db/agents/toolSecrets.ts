import type { InferEntity } from '@mikro-orm/core';
import { audit, type Actor } from '../workspaces/audit.ts';
import type { AgentToolSecret } from '../entities/httpTool.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import type { SecretOpener } from '../sealing/secretBox.ts';
import { liveSecrets, makeSigningSecret, resealedSecrets, rotatedSecrets } from '../sealing/signingSecrets.ts';

export type ToolSecretRow = InferEntity<typeof AgentToolSecret>;

const SUBJECT = 'agent';

/** The secret of an agent's HTTP tools, sealed, or undefined when it has none. */
export const findToolSecret = async (rows: AnyRows, agentId: string): Promise<ToolSecretRow | undefined> =>
  (await rows.statement(({ em, AgentToolSecret }) => em.findOne(AgentToolSecret, { agentId }))) ?? undefined;

/**
 * Gives an agent's HTTP tools a new signing secret, audited. An earlier one also signs for a day. Returns the secret, which only the worker
 * can read later.
 */
export function rotateToolSecret(
  rows: Rows,
  agentId: string,
  by: Actor,
): Promise<{ secret: string } | 'not_found' | 'no_worker'> {
  return rows.transaction(async (tx) => {
    const { em, Agent, AgentToolSecret, LockMode, workspaceId, sql } = tx;
    if (!(await em.findOne(Agent, { id: agentId }, { lockMode: LockMode.PESSIMISTIC_WRITE }))) return 'not_found';
    const made = await makeSigningSecret(tx, ownerOf(agentId));
    if (!made) return 'no_worker';
    const before = await em.findOne(AgentToolSecret, { agentId });
    const { secrets, expiresAt } = rotatedSecrets(before?.secrets ?? [], made.sealed);
    if (before) await em.nativeUpdate(AgentToolSecret, { agentId }, { secrets, rotatedAt: sql.now() });
    else await em.insert(AgentToolSecret, { agentId, workspaceId, secrets });
    const action = before ? 'rotate_tool_secret' : 'create_tool_secret';
    const detail = before ? { previous_expires_at: expiresAt } : {};
    await audit(tx, by, { workspaceId, action, subjectType: SUBJECT, subjectId: agentId, detail });
    return { secret: made.secret };
  });
}

/** The secrets that sign an agent's calls now, opened: only for the worker. Empty when it has none. */
export async function openToolSecrets(rows: AnyRows, box: SecretOpener, agentId: string): Promise<string[]> {
  const row = await findToolSecret(rows, agentId);
  return liveSecrets(row?.secrets ?? []).map(({ sealed }) => box.open(sealed, ownerOf(agentId)));
}

// A copy in another row cannot be opened.
const ownerOf = (agentId: string): string => JSON.stringify([agentId, 'http tools']);

/** Reseals for the worker's first key all secrets sealed for an older key, so that the older key can be removed. */
export function resealToolSecrets(everywhere: Rows<undefined>, box: SecretOpener): Promise<void> {
  return everywhere.transaction(async (tx) => {
    const { em, AgentToolSecret, LockMode } = tx;
    for (const { agentId, secrets } of await em.find(AgentToolSecret, {}, { lockMode: LockMode.PESSIMISTIC_WRITE })) {
      const current = await resealedSecrets(tx, box, { secrets, owner: ownerOf(agentId) });
      if (current) await em.nativeUpdate(AgentToolSecret, { agentId }, { secrets: current });
    }
  });
}
