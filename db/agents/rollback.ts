import type { Pool } from 'pg';
import { inTransaction } from '../postgres/transaction.ts';
import { auditDeployment, recordDeploymentEvent, type Doer } from './deploymentRecords.ts';
import { supersede } from './submit.ts';

export type RollbackOutcome =
  { outcome: 'deployed'; deploymentId: string } | { outcome: 'not_found' } | { outcome: 'not_approved' };

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
    const approved = await client.query(APPROVED, [agentId, versionId]);
    if (!approved.rowCount) return { outcome: 'not_approved' };
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

// What an operator has suspended is not brought back by its publisher.
const APPROVED = `
select from deployments where agent_id = $1 and version_id = $2 and visibility = 'public' and status in ('active', 'superseded')
  and not exists (select from deployments s where s.agent_id = $1 and s.visibility = 'public' and s.status = 'suspended')`;
