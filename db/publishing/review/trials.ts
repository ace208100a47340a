import type { AnyRows } from '../../postgres/rows.ts';
import type { InputItem, RunRow } from '../../runs/runRow.ts';
import { readSubmission, type Submission } from './submission.ts';

/** A trial of a submission by its place: one of its example prompts, or one of the platform's probes. */
export interface TrialPlace {
  deploymentId: string;
  kind: 'example' | 'probe';
  index: number;
}

/** Records the run of a trial; null: it was skipped. A repeated call changes nothing. */
export async function recordTrial(
  rows: AnyRows,
  trial: TrialPlace & { workspaceId: string; runId: string | null },
): Promise<void> {
  await rows.statement(({ em, ReviewTrial }) =>
    em.qb(ReviewTrial).insert(trial).onConflict(['deploymentId', 'kind', 'index']).ignore().execute('run'),
  );
}

/** Records the run of the same prompt with the live version. */
export async function recordLiveTrial(
  rows: AnyRows,
  { liveRunId, ...place }: Omit<TrialPlace, 'kind'> & { liveRunId: string },
): Promise<void> {
  await rows.statement(({ em, ReviewTrial }) =>
    em.nativeUpdate(ReviewTrial, { ...place, kind: 'example' }, { liveRunId }),
  );
}

/** The public version that a submission would replace, in the form of a submission; undefined for an agent's first one. */
export async function findLive(rows: AnyRows, deploymentId: string): Promise<Submission | undefined> {
  const found = await rows.statement(({ client }) => client.query<{ id: string }>(LIVE, [deploymentId]));
  return found.rows[0] && readSubmission(rows, found.rows[0].id);
}

// Raw here and below: the ORM cannot join tables whose entities refer to each other only by id.
const LIVE = `
select l.id from deployments d join deployments l on l.agent_id = d.agent_id and l.visibility = 'public' and l.status = 'active'
  and coalesce(l.rollout_state, 'complete') = 'complete'
where d.id = $1 and l.id <> d.id`;

/** A run of the version with this input in an earlier review, with its content still stored. */
export async function findEarlierTrial(
  rows: AnyRows,
  { agentId, versionId, input }: { agentId: string; versionId: string; input: string | InputItem[] },
): Promise<string | undefined> {
  const values = [agentId, versionId, JSON.stringify(input)];
  const found = await rows.statement(({ client }) => client.query<{ id: string }>(EARLIER, values));
  return found.rows[0]?.id;
}

// A failure of the platform or of an upstream proves nothing about the version.
const EARLIER = `
select r.id from runs r where r.agent_id = $1 and r.version_id = $2 and r.source = 'review' and r.parent_run_id is null
  and r.input = $3::jsonb and r.settled_at is not null and r.content_deleted_at is null and (r.status in ('completed', 'limit_reached') or r.fault = 'agent')
order by r.created_at desc limit 1`;

/** The run of a trial. Throws when there is none. */
export async function readTrialRun(rows: AnyRows, runId: string): Promise<RunRow> {
  const text = 'select * from runs where id = $1';
  const found = await rows.statement(({ client }) => client.query<RunRow>(text, [runId]));
  if (!found.rows[0]) throw new Error(`there is no run ${runId}`);
  return found.rows[0];
}

/** The cost of a submission's trials in nano-USD, with the agents that they called; a running trial counts with its maximum. */
export async function readTrialCost(
  rows: AnyRows,
  { deploymentId, exceptRunId }: { deploymentId: string; exceptRunId: string },
): Promise<bigint> {
  const found = await rows.statement(({ client }) => client.query(TRIAL_COST, [deploymentId, exceptRunId]));
  return BigInt(found.rows[0].total);
}

// A failed trial is not billed, but the platform has paid for its usage.
const TRIAL_COST = `
select coalesce(sum(case when r.settled_at is null then r.max_cost_nanos
  else r.total_nanos + r.children_nanos + r.absorbed_nanos end), 0) as total
from deployments d join runs r on r.agent_id = d.agent_id
where d.id = $1 and r.source = 'review' and r.metadata ->> 'deployment_id' = d.id and r.id <> $2`;

/** A trial with its runs: of the submitted version, and of the version that was public then. */
export interface TrialRow {
  kind: TrialPlace['kind'];
  index: number;
  /** As the publisher wrote it; null for a probe. */
  prompt: string | null;
  run: RunRow | null;
  liveRun: RunRow | null;
}

/** The trials of a deployment in their order: examples first. */
export async function listTrials(rows: AnyRows, deploymentId: string): Promise<TrialRow[]> {
  const trials = (await rows.statement(({ client }) => client.query<PlainTrial>(TRIALS, [deploymentId]))).rows;
  const ids = trials.flatMap(({ runId, liveRunId }) => [runId, liveRunId]).filter((id) => id !== null);
  const runs = (await rows.statement(({ client }) => client.query<RunRow>(RUNS, [ids]))).rows;
  const byId = new Map(runs.map((run) => [run.id, run]));
  return trials.map(({ runId, liveRunId, ...trial }) => ({
    ...trial,
    run: byId.get(runId ?? '') ?? null,
    liveRun: byId.get(liveRunId ?? '') ?? null,
  }));
}

type PlainTrial = Pick<TrialRow, 'kind' | 'index' | 'prompt'> & { runId: string | null; liveRunId: string | null };

const TRIALS = `
select t.kind, t.index, t.run_id as "runId", t.live_run_id as "liveRunId",
  case when t.kind = 'example' then v.configuration -> 'example_prompts' ->> t.index end as prompt
from review_trials t join deployments d on d.id = t.deployment_id join agent_versions v on v.id = d.version_id
where t.deployment_id = $1 order by t.kind, t.index`;

const RUNS = 'select * from runs where id = any ($1)';
