import type { Pool, PoolClient } from 'pg';
import { SUBMISSION_HOURS } from '../../base/limits.ts';
import { newId } from '../ids.ts';
import { inTransaction } from '../postgres/transaction.ts';
import {
  checkConfiguration,
  costFindings,
  type Finding,
  type Known,
  type AgentConfiguration,
  type PlatformCosts,
} from './configuration.ts';
import { lockDraft } from './draft.ts';

export type SubmitOutcome =
  | { outcome: 'submitted'; deploymentId: string }
  | { outcome: 'not_found' }
  | { outcome: 'stale'; revision: number }
  | { outcome: 'in_review' }
  | { outcome: 'too_many' }
  | { outcome: 'incomplete'; findings: Finding[] };

interface Order {
  agentId: string;
  workspaceId: string;
  /** The draft revision that the publisher has seen; null takes the present one. */
  revision: number | null;
  visibility: 'public' | 'private';
  tools: ReadonlySet<string>;
  platformCosts: PlatformCosts;
  /** How many submissions for review a namespace may make in `SUBMISSION_HOURS`. */
  submissionsPerDayMax: number;
  /** Given by the caller, so that a retry after a crash creates the same deployment. */
  deploymentId: string;
}

/**
 * Freezes the draft into a new version and deploys it: privately at once (in place of the former), publicly after a review, of which
 * an agent has one at a time. What is live stays live. The review's workflow is to be started by whoever calls this.
 */
export function submitDraft(pool: Pool, order: Order): Promise<SubmitOutcome> {
  return inTransaction(pool, async (client): Promise<SubmitOutcome> => {
    const current = await lockDraft(client, order);
    if (!current) return { outcome: 'not_found' };
    if (await isMade(client, order.deploymentId)) return { outcome: 'submitted', deploymentId: order.deploymentId };
    if (order.revision !== null && current.revision !== order.revision)
      return { outcome: 'stale', revision: current.revision };
    if (order.visibility === 'public' && (await isInReview(client, order.agentId))) return { outcome: 'in_review' };
    const known = await readKnown(client, order, current.draft);
    const findings = checkConfiguration(current.draft, known);
    if (findings.length === 0 && !current.subsidised)
      findings.push(...costFindings(current.draft, order.platformCosts));
    if (findings.length > 0) return { outcome: 'incomplete', findings };
    if (order.visibility === 'public' && (await isTooMany(client, order))) return { outcome: 'too_many' };
    const versionId = await freeze(client, order, current);
    await deploy(client, order, versionId);
    return { outcome: 'submitted', deploymentId: order.deploymentId };
  });
}

async function isMade(client: PoolClient, deploymentId: string): Promise<boolean> {
  const { rowCount } = await client.query('select from deployments where id = $1', [deploymentId]);
  return rowCount === 1;
}

// The namespace is locked, so that two of its agents do not both take the last one. A rollback needs no review, and is none.
async function isTooMany(client: PoolClient, { agentId, submissionsPerDayMax }: Order): Promise<boolean> {
  await client.query(`select from namespaces where name = (select namespace from agents where id = $1) for update`, [
    agentId,
  ]);
  const { rows } = await client.query(SUBMISSIONS, [agentId]);
  return rows[0].submissions >= submissionsPerDayMax;
}

const SUBMISSIONS = `
select count(*)::int as submissions from agents a join agents o on o.namespace = a.namespace join deployments d on d.agent_id = o.id
where a.id = $1 and d.visibility = 'public' and d.created_at > now() - interval '${SUBMISSION_HOURS} hours' and d.decided_at is distinct from d.created_at`;

async function isInReview(client: PoolClient, agentId: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from deployments where agent_id = $1 and status = 'in_review'`, [
    agentId,
  ]);
  return rowCount === 1;
}

/** What the workspace's configurations may name: tools, plugins that are registered, and the icon when it is theirs. */
export async function readKnown(
  client: Pick<PoolClient, 'query'>,
  { workspaceId, tools }: Pick<Order, 'workspaceId' | 'tools'>,
  draft: Partial<AgentConfiguration>,
): Promise<Known> {
  const plugins = await client.query(`select id || '@' || version as name from plugins where disabled_at is null`);
  const icons = await client.query(
    `select id from files where id = $1 and workspace_id = $2 and purpose = 'agent_icon' and deleted_at is null`,
    [draft.icon_file_id ?? '', workspaceId],
  );
  return {
    tools,
    plugins: new Set(plugins.rows.map(({ name }) => name as string)),
    iconFileIds: new Set(icons.rows.map(({ id }) => id as string)),
  };
}

async function freeze(
  client: PoolClient,
  { agentId, workspaceId }: Order,
  { revision, draft }: { revision: number; draft: AgentConfiguration },
): Promise<string> {
  const versionId = newId('aver');
  await client.query(FREEZE, [versionId, workspaceId, agentId, revision, JSON.stringify(draft)]);
  return versionId;
}

// The label is the day, with a number from its second version on. The agent's row is locked, so the count is exact.
const FREEZE = `
insert into agent_versions (id, workspace_id, agent_id, number, label, source_revision, configuration)
select $1, $2, $3, s.versions + 1, s.day || case s.today when 0 then '' else '.' || s.today + 1 end, $4, $5 from (
  select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as day, count(*) as versions,
    count(*) filter (where label like to_char(now() at time zone 'utc', 'YYYY-MM-DD') || '%') as today
  from agent_versions where agent_id = $3) s`;

async function deploy(client: PoolClient, order: Order, versionId: string): Promise<void> {
  const isPrivate = order.visibility === 'private';
  if (isPrivate) await supersede(client, order.agentId, 'private');
  await client.query(
    `insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
     values ($1, $2, $3, $4, $5, $6, case when $6 = 'active' then now() end, case when $6 = 'active' then now() end)`,
    [
      order.deploymentId,
      order.workspaceId,
      order.agentId,
      versionId,
      order.visibility,
      isPrivate ? 'active' : 'in_review',
    ],
  );
}

/** Ends the life of what is deployed now, for the next one to take its place. Runs on it go on. */
export async function supersede(client: PoolClient, agentId: string, visibility: 'public' | 'private'): Promise<void> {
  await client.query(
    `update deployments set status = 'superseded' where agent_id = $1 and visibility = $2
       and status in ('active', 'suspended')`,
    [agentId, visibility],
  );
}
