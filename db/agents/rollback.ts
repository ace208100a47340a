import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../postgres/transaction.ts';
import { auditDeployment, recordDeploymentEvent, type Doer } from './deploymentRecords.ts';
import { supersede } from './submit.ts';

export type RollbackOutcome =
  | { outcome: 'deployed'; deploymentId: string }
  | { outcome: 'not_found' | 'not_approved' | 'version_suspended' | 'agent_suspended' };

/**
 * Deploys a version again that was public once: a new deployment, live at once, since it has been approved before. What it takes the place
 * of, the event and the audit row are of the same transaction.
 */
export function rollBack(
  pool: Pool,
  order: { agentId: string; workspaceId: string; versionId: string; deploymentId: string; by: Doer },
): Promise<RollbackOutcome> {
  const { agentId, workspaceId, versionId, deploymentId, by } = order;
  return inTransaction(pool, async (client): Promise<RollbackOutcome> => {
    const { rowCount } = await client.query(`select from agents where id = $1 and workspace_id = $2 for update`, [
      agentId,
      workspaceId,
    ]);
    if (!rowCount) return { outcome: 'not_found' };
    const made = await client.query(`select from deployments where id = $1`, [deploymentId]);
    if (made.rowCount) return { outcome: 'deployed', deploymentId };
    const refusal = await refusalOf(client, { agentId, versionId });
    if (refusal) return { outcome: refusal };
    await supersede(client, agentId, 'public');
    await client.query(
      `insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
       values ($1, $2, $3, $4, 'public', 'active', now(), now())`,
      [deploymentId, workspaceId, agentId, versionId],
    );
    await recordDeploymentEvent(client, {
      workspaceId,
      type: 'deployment.rolled_back',
      deploymentId,
      status: 'active',
    });
    await auditDeployment(client, by, { workspaceId, action: 'roll_back', deploymentId, detail: { versionId } });
    return { outcome: 'deployed', deploymentId };
  });
}

// What an operator has suspended is not brought back by its publisher, nor by way of another version that was approved since.
async function refusalOf(client: PoolClient, { agentId, versionId }: { agentId: string; versionId: string }) {
  const { rows } = await client.query(STANDING, [agentId, versionId]);
  const { is_version_suspended, is_agent_suspended, is_approved } = rows[0];
  if (is_version_suspended) return 'version_suspended';
  if (is_agent_suspended) return 'agent_suspended';
  return is_approved ? undefined : 'not_approved';
}

const STANDING = `
select coalesce(bool_or(version_id = $2 and suspended_at is not null), false) as is_version_suspended,
  coalesce(bool_or(status = 'suspended'), false) as is_agent_suspended,
  coalesce(bool_or(version_id = $2 and status in ('active', 'superseded')), false) as is_approved
from deployments where agent_id = $1 and visibility = 'public'`;
