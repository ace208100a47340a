import type { Rows } from '../../postgres/rows.ts';
import type { PageQuery } from '../../postgres/page.ts';
import type { ThousandthsByMeter } from '../cost/runCost.ts';
import { PREVIEW_BYTES_MAX, type StepKind } from '../stepFacts.ts';
import { CALL_ARGUMENTS, type ModelResult, type ToolStepResult } from './stepRecords.ts';

/** A step of a run with its call and its usage. */
export interface StepRow {
  id: string;
  step: number;
  kind: StepKind;
  name: string;
  state: 'started' | 'completed' | 'failed';
  attempt: number;
  startedAt: Date;
  endedAt: Date | null;
  errorCode: string | null;
  retryAt: Date | null;
  /** The step of another run that supplied this result. */
  reusedFrom: string | null;
  /** The run started by the step, with its cost and that of the runs below it in nano-USD. */
  child: { id: string; status: string; costNanos: string } | null;
  /** The call that the step answers, as the model wrote it. */
  arguments: string | null;
  meters: ThousandthsByMeter;
  /** In a list: only the beginning of its text. */
  result: StepResult | null;
}

/** A step with the hash that identifies its result. */
export type ComparedStep = StepRow & { resultHash: string | null };

type StepResult = Partial<ModelResult> & Partial<ToolStepResult> & { text: string };

/** The steps of a run in order, with the beginnings of their results, and whether more follow. */
export async function listSteps(
  rows: Rows,
  runId: string,
  { after, limit }: PageQuery,
): Promise<{ rows: StepRow[]; hasMore: boolean }> {
  // One more than requested shows whether there are more.
  const values = [runId, rows.workspaceId, after, limit + 1, PREVIEW_BYTES_MAX + 1];
  const found = (await rows.statement(({ client }) => client.query<StepRow>(LIST, values))).rows;
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/** The first steps of a run in order, with the beginnings of their results and the hashes of the whole results. */
export async function readComparedSteps(
  rows: Rows,
  runId: string,
): Promise<{ steps: ComparedStep[]; isTruncated: boolean }> {
  const values = [runId, rows.workspaceId, null, COMPARED_STEPS_MAX + 1, PREVIEW_BYTES_MAX + 1];
  const found = (await rows.statement(({ client }) => client.query<ComparedStep>(COMPARED, values))).rows;
  return { steps: found.slice(0, COMPARED_STEPS_MAX), isTruncated: found.length > COMPARED_STEPS_MAX };
}

/** Steps of each run in a comparison, which takes time by the product of both numbers. */
export const COMPARED_STEPS_MAX = 1_000;

/** One step of a run with its whole result, or undefined. */
export async function findStep(rows: Rows, runId: string, stepId: string): Promise<StepRow | undefined> {
  const values = [runId, rows.workspaceId, stepId];
  return (await rows.statement(({ client }) => client.query<StepRow>(FIND, values))).rows[0];
}

/** The instructions that a version of this workspace's agent gives to its model; null for another workspace's. */
export async function findInstructions(rows: Rows, versionId: string): Promise<string | null> {
  const version = await rows.statement(({ em, AgentVersion }) => em.findOne(AgentVersion, { id: versionId }));
  return version?.configuration.instructions ?? null;
}

// Raw, because the call of a tool's step is inside the result of a model's step.
const COLUMNS = `
s.id, s.step, s.kind, s.name, s.state, s.attempt, s.started_at as "startedAt", s.ended_at as "endedAt", s.error_code as "errorCode",
s.retry_at as "retryAt", s.reused_from as "reusedFrom",
${CALL_ARGUMENTS} as arguments,
(select json_build_object('id', c.id, 'status', c.status, 'costNanos', (c.total_nanos + c.children_nanos)::text)
  from runs c where c.parent_run_id = s.run_id and c.parent_step = s.step) as child,
(select coalesce(json_object_agg(meter, quantity_thousandths), '{}') from run_meters u
  where u.run_id = s.run_id and u.step = s.step) as meters`;

const PREVIEW = `
case when s.result is not null then json_build_object('text', left(s.result ->> 'text', $5), 'isError', s.result -> 'isError') end as result`;

// The numbers and ids of calls differ between runs that do the same.
const HASH = `
md5(concat(s.result ->> 'text', (select jsonb_agg(jsonb_build_array(call -> 'name', call -> 'arguments'))::text
  from jsonb_array_elements(s.result -> 'toolCalls') call))) as "resultHash"`;

const listOf = (columns: string) => `
select ${columns}
from run_steps s where s.run_id = $1 and s.workspace_id = $2
  and s.step > coalesce((select step from run_steps where run_id = $1 and id = $3), 0)
order by s.step limit $4`;

const LIST = listOf(`${COLUMNS}, ${PREVIEW}`);
const COMPARED = listOf(`${COLUMNS}, ${PREVIEW}, ${HASH}`);

const FIND = `select ${COLUMNS}, s.result from run_steps s where s.run_id = $1 and s.workspace_id = $2 and s.id = $3`;
