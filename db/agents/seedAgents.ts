import { newId } from '../ids.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { createWorkspace } from '../workspaces.ts';
import type { AgentConfiguration } from './configuration.ts';
import { houseAgents } from './houseAgents.ts';
import { createReviewerKey } from './reviewer.ts';

const NAMESPACE = 'ledgerline';

/**
 * Publishes the agents that come with the platform, once: a workspace of its own, its namespace, the key of its reviews, and for each agent
 * a first version that is live. To be called within a transaction that no second caller runs at the same time.
 */
export async function seedAgents(client: Queryable): Promise<void> {
  const { rowCount } = await client.query('select from namespaces where name = $1', [NAMESPACE]);
  if (rowCount) return;
  const workspaceId = await createWorkspace(client, 'Ledgerline');
  await client.query(`insert into namespaces (name, workspace_id, provider_name, verified) values ($1, $2, $3, true)`, [
    NAMESPACE,
    workspaceId,
    'Ledgerline',
  ]);
  await createReviewerKey(client, workspaceId);
  for (const { slug, ...configuration } of houseAgents) await publish(client, workspaceId, slug, configuration);
}

async function publish(client: Queryable, workspaceId: string, slug: string, configuration: AgentConfiguration) {
  const text = JSON.stringify(configuration);
  await client.query(PUBLISH, [newId('agent'), newId('aver'), newId('dep'), workspaceId, NAMESPACE, slug, text]);
}

const PUBLISH = `
with agent as (
  insert into agents (id, workspace_id, namespace, slug, draft) values ($1, $4, $5, $6, $7)),
version as (
  insert into agent_versions (id, workspace_id, agent_id, number, label, source_revision, configuration)
  values ($2, $4, $1, 1, to_char(now() at time zone 'utc', 'YYYY-MM-DD'), 1, $7))
insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
values ($3, $4, $1, $2, 'public', 'active', now(), now())`;
