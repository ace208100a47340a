import type { PoolClient } from 'pg';
import { newId } from '../ids.ts';

/** Whose doing is written down: a key, and the request that it came with. */
export interface Doer {
  keyId: string;
  requestId: string;
}

/** Records an event of a deployment for its publisher, in the transaction that moves it. */
export async function recordDeploymentEvent(
  client: PoolClient,
  event: { workspaceId: string; type: string; deploymentId: string; status: string },
): Promise<void> {
  const data = { deployment_id: event.deploymentId, status: event.status };
  await client.query(
    `insert into platform_events (id, workspace_id, type, resource_type, resource_id, data) values ($1, $2, $3, 'agent.deployment', $4, $5)`,
    [newId('evt'), event.workspaceId, event.type, event.deploymentId, JSON.stringify(data)],
  );
}

/** Records in the audit who did something to a deployment, in the transaction that does it. */
export async function auditDeployment(
  client: PoolClient,
  { keyId, requestId }: Doer,
  entry: { workspaceId: string; action: string; deploymentId: string; detail: object },
): Promise<void> {
  await client.query(
    `insert into audit_entries (id, workspace_id, key_id, action, subject_type, subject_id, detail, request_id)
     values ($1, $2, $3, $4, 'agent.deployment', $5, $6, $7)`,
    [newId('aud'), entry.workspaceId, keyId, entry.action, entry.deploymentId, JSON.stringify(entry.detail), requestId],
  );
}
