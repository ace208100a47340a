import type { InferEntity } from '@mikro-orm/core';
import type { Pool, PoolClient } from 'pg';
import type { AgentVersion } from '../entities/agent.ts';
import { newId } from '../ids.ts';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { inWorkspace } from '../postgres/tenant.ts';
import { inTransaction } from '../postgres/transaction.ts';
import type { AgentConfiguration } from './configuration.ts';

/** What a draft holds before its publisher has filled it in. */
const EMPTY_DRAFT: AgentConfiguration = {
  name: '',
  description: '',
  instructions: '',
  tools: [],
  plugins: [],
  pricing: { minimum_cost_usd: 0, maximum_cost_usd: 0, rates: [] },
  icon_file_id: null,
  categories: [],
  example_prompts: [],
};

type NewAgentOutcome =
  { outcome: 'created'; agentId: string } | { outcome: 'namespace_taken' } | { outcome: 'agent_exists' };

/**
 * Makes an agent with its first draft. A namespace belongs to the first workspace that uses it. `agentId` may be given, so that
 * whoever carries on after a crash makes the same agent.
 */
export function createAgent(
  pool: Pool,
  agent: { agentId?: string; workspaceId: string; namespace: string; slug: string; draft: Partial<AgentConfiguration> },
): Promise<NewAgentOutcome> {
  const { workspaceId, namespace, slug, agentId = newId('agent') } = agent;
  return inTransaction(pool, async (client) => {
    if (!(await claimNamespace(client, namespace, workspaceId))) return { outcome: 'namespace_taken' };
    await client.query(
      `insert into agents (id, workspace_id, namespace, slug, draft) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [agentId, workspaceId, namespace, slug, JSON.stringify({ ...EMPTY_DRAFT, ...agent.draft })],
    );
    const { rows } = await client.query(`select id from agents where namespace = $1 and slug = $2`, [namespace, slug]);
    return rows[0].id === agentId ? { outcome: 'created', agentId } : { outcome: 'agent_exists' };
  });
}

async function claimNamespace(client: PoolClient, name: string, workspaceId: string): Promise<boolean> {
  await client.query(
    `insert into namespaces (name, workspace_id, provider_name) select $1, $2, w.name from workspaces w where w.id = $2
     on conflict do nothing`,
    [name, workspaceId],
  );
  const { rows } = await client.query(`select workspace_id from namespaces where name = $1`, [name]);
  return rows[0].workspace_id === workspaceId;
}

type DraftOutcome =
  { outcome: 'changed'; revision: number } | { outcome: 'stale'; revision: number } | { outcome: 'not_found' };

/** Changes members of the draft, if it still is at `revision`. Each change makes the next revision. */
export function patchDraft(
  pool: Pool,
  change: { agentId: string; workspaceId: string; revision: number; draft: Partial<AgentConfiguration> },
): Promise<DraftOutcome> {
  return inTransaction(pool, async (client) => {
    const current = await lockDraft(client, change);
    if (!current) return { outcome: 'not_found' };
    if (current.revision !== change.revision) return { outcome: 'stale', revision: current.revision };
    await client.query(
      `update agents set draft = draft || $2, draft_revision = draft_revision + 1, updated_at = now() where id = $1`,
      [change.agentId, JSON.stringify(change.draft)],
    );
    return { outcome: 'changed', revision: current.revision + 1 };
  });
}

/** Reads a draft and locks it until the transaction ends. */
export async function lockDraft(
  client: PoolClient,
  { agentId, workspaceId }: { agentId: string; workspaceId: string },
): Promise<{ revision: number; draft: AgentConfiguration; subsidised: boolean } | undefined> {
  const { rows } = await client.query(
    `select draft_revision as revision, draft, subsidised_at is not null as subsidised from agents where id = $1 and workspace_id = $2 for update`,
    [agentId, workspaceId],
  );
  return rows[0];
}

export type VersionRow = InferEntity<typeof AgentVersion>;

/** A version of one of the workspace's agents, or undefined when it is unknown or another's. */
export async function findVersion(orm: LazyOrm, workspaceId: string, id: string): Promise<VersionRow | undefined> {
  return (
    (await inWorkspace(orm, workspaceId, (em, { AgentVersion }) => em.findOne(AgentVersion, { workspaceId, id }))) ??
    undefined
  );
}

/** The versions of an agent, newest first: those below the number `before`, at most `limit`. Undefined when there is no such agent. */
export function listVersions(
  orm: LazyOrm,
  {
    workspaceId,
    agentId,
    before,
    limit,
  }: { workspaceId: string; agentId: string; before: number | null; limit: number },
): Promise<{ versions: VersionRow[]; hasMore: boolean } | undefined> {
  return inWorkspace(orm, workspaceId, async (em, { Agent, AgentVersion }) => {
    if ((await em.count(Agent, { workspaceId, id: agentId })) === 0) return undefined;
    const isEarlier = before === null ? {} : { number: { $lt: before } };
    const rows = await em.find(
      AgentVersion,
      { workspaceId, agentId, ...isEarlier },
      { orderBy: { number: 'desc' }, limit: limit + 1 },
    );
    return { versions: rows.slice(0, limit), hasMore: rows.length > limit };
  });
}
