import type { InferEntity } from '@mikro-orm/core';
import type { EvaluationRun } from '../entities/evaluation.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';

export type EvaluationRunRow = InferEntity<typeof EvaluationRun>;
/** A run as lists have it. */
export type EvaluationRunSummary = Omit<EvaluationRunRow, 'cases'>;

/** Runs of an agent's set that are kept; older ones are deleted when a new one starts. */
export const EVALUATION_RUNS_KEPT = 100;
/** Open runs of a workspace. */
export const OPEN_EVALUATION_RUNS_MAX = 5;

/** With its cases. */
const WHOLE = { populate: ['cases'] } as const;

export type NewEvaluationRun = Pick<
  EvaluationRunRow,
  'id' | 'agentId' | 'keyId' | 'versionId' | 'version' | 'setRevision' | 'cases' | 'maxCostNanos'
>;

/** Creates a run of a set, once for each id. Undefined: the workspace has as many open ones as it may have. */
export function insertEvaluationRun(rows: Rows, run: NewEvaluationRun): Promise<EvaluationRunRow | undefined> {
  return rows.transaction(async (tx) => {
    const { em, client, EvaluationRun, sql, workspaceId } = tx;
    const earlier = await em.findOne(EvaluationRun, { id: run.id }, WHOLE);
    if (earlier) return earlier;
    await lockWorkspace(tx, workspaceId);
    if ((await em.count(EvaluationRun, { endedAt: null })) >= OPEN_EVALUATION_RUNS_MAX) return undefined;
    const { rows: hashes } = await client.query<{ hash: string }>(HASH, [run.versionId]);
    const configurationHash = hashes[0]!.hash;
    const createdAt = sql`ledger_now(${workspaceId})`;
    const caseCount = run.cases.length;
    await em.insert(EvaluationRun, { ...run, workspaceId, caseCount, configurationHash, createdAt });
    await client.query(FORGET, [run.agentId, EVALUATION_RUNS_KEPT]);
    return em.findOneOrFail(EvaluationRun, { id: run.id }, WHOLE);
  });
}

// The text of jsonb has its members in one order.
const hashSql = (configuration: string) => `encode(sha256(convert_to(${configuration}::text, 'UTF8')), 'hex')`;

const HASH = `select ${hashSql('configuration')} as hash from agent_versions where id = $1`;

const FORGET = `
with old as (
  delete from evaluation_runs where id in (
    select id from evaluation_runs where agent_id = $1 and ended_at is not null order by created_at desc, id desc offset $2)
  returning id
)
delete from evaluation_results where evaluation_run_id in (select id from old)`;

/** A run of a set, or undefined. */
export async function findEvaluationRun(rows: AnyRows, id: string): Promise<EvaluationRunRow | undefined> {
  return (await rows.statement(({ em, EvaluationRun }) => em.findOne(EvaluationRun, { id }, WHOLE))) ?? undefined;
}

/** A page of the runs of an agent's set, the newest first. */
export const listEvaluationRuns = (
  rows: Rows,
  agentId: string,
  page: PageQuery,
): Promise<{ rows: EvaluationRunSummary[]; hasMore: boolean }> =>
  rows.transaction((tx) => readPage(tx, tx.EvaluationRun, { agentId }, page));

/** Orders the end of a run. One that has ended stays as it is. Undefined: there is none. */
export function requestEvaluationCancel(rows: Rows, id: string): Promise<EvaluationRunRow | undefined> {
  return rows.transaction(async ({ em, EvaluationRun, sql }) => {
    await em.nativeUpdate(
      EvaluationRun,
      { id, endedAt: null, cancelRequestedAt: null },
      { cancelRequestedAt: sql.now() },
    );
    return (await em.findOne(EvaluationRun, { id }, WHOLE)) ?? undefined;
  });
}

/** The newest run that passed or failed with the configuration of a version; by default with the present cases. */
export async function findLatestOf(
  rows: AnyRows,
  { agentId, versionId, setRevision = null }: { agentId: string; versionId: string; setRevision?: number | null },
): Promise<EvaluationRunRow | undefined> {
  const values = [agentId, versionId, setRevision];
  const found = await rows.statement(({ client }) => client.query<{ id: string }>(LATEST, values));
  return found.rows[0] && findEvaluationRun(rows, found.rows[0].id);
}

// Raw: tables whose entities refer to each other only by id.
const LATEST = `
select r.id from evaluation_runs r join agent_versions v on v.id = $2 and v.workspace_id = r.workspace_id
where r.agent_id = $1 and r.status in ('passed', 'failed') and r.configuration_hash = ${hashSql('v.configuration')}
  and ($3::int is null or r.set_revision = $3)
order by r.created_at desc, r.id desc limit 1`;

/** The version of an agent that is public for all; undefined when none is. */
export async function findLiveVersion(
  rows: Rows,
  agentId: string,
): Promise<{ versionId: string; version: string } | undefined> {
  const values = [agentId, rows.workspaceId];
  type Found = { versionId: string; version: string };
  return (await rows.statement(({ client }) => client.query<Found>(LIVE, values))).rows[0];
}

const LIVE = `
select v.id as "versionId", v.label as version from deployments d join agent_versions v on v.id = d.version_id
where d.agent_id = $1 and d.workspace_id = $2 and d.visibility = 'public' and d.status = 'active'
  and coalesce(d.rollout_state, 'complete') = 'complete'`;

/** A run whose workflow is to be started, and told of its cancellation. */
export interface UnstartedEvaluation {
  id: string;
  workspaceId: string;
  agentId: string;
  isCancelled: boolean;
}

/** New runs without a workflow, cancelled ones that go on, and every open one once in ten minutes. */
export const readUnstartedEvaluations = async (everywhere: Rows<undefined>): Promise<UnstartedEvaluation[]> =>
  (await everywhere.statement(({ client }) => client.query<UnstartedEvaluation>(UNSTARTED))).rows;

// The API starts a workflow at once, and cancels it: a few seconds are left for that.
const UNSTARTED = `
select id, workspace_id as "workspaceId", agent_id as "agentId", cancel_requested_at is not null as "isCancelled" from evaluation_runs
where ended_at is null and case when workflow_started_at is null then created_at < ledger_now(workspace_id) - interval '3 seconds'
  when cancel_requested_at > workflow_started_at then cancel_requested_at < now() - interval '10 seconds'
  else workflow_started_at < now() - interval '10 minutes' end
order by created_at limit 100`;

/** Records that the workflow of a run was started, or found running. */
export async function markEvaluationStarted(everywhere: Rows<undefined>, id: string): Promise<void> {
  await everywhere.statement(({ em, EvaluationRun, sql }) =>
    em.nativeUpdate(EvaluationRun, { id, endedAt: null }, { workflowStartedAt: sql.now() }),
  );
}

/** Takes a run out of the queue. Undefined: it has ended. */
export function beginEvaluationRun(everywhere: Rows<undefined>, id: string): Promise<EvaluationRunRow | undefined> {
  return everywhere.transaction(async ({ em, EvaluationRun, sql }) => {
    await em.nativeUpdate(
      EvaluationRun,
      { id, status: 'queued' },
      { status: 'in_progress', startedAt: sql`ledger_now(workspace_id)` },
    );
    return (await em.findOne(EvaluationRun, { id, endedAt: null }, WHOLE)) ?? undefined;
  });
}
