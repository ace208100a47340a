import type { ClientBase } from 'pg';
import { copySession, missingFiles } from '../../sessions/copySession.ts';
import { copyState } from '../../sessions/sessionState.ts';
import type { ThousandthsByMeter } from '../cost/runCost.ts';
import { metersBefore } from '../cost/reusedMeters.ts';
import { goingOn, isCut } from '../cutText.ts';
import { RunRefused } from '../runRefused.ts';
import { stepIdOf, isTerminal, type RunRow } from '../runRow.ts';
import type { ModelResult } from './stepRecords.ts';

/** The run to repeat, and the first step that runs anew. */
export interface RerunOrder {
  runId: string;
  fromStep: number;
}

/** The session of a rerun, and the steps that it reuses: their output, or their usage if the repeated run was not billed. */
interface RerunPlace {
  sessionId: string;
  output: object[];
  unbilled: UnbilledSteps | null;
}

/** The unbilled usage of reused steps, with their version and prices. */
export type UnbilledSteps = Pick<RunRow, 'version_id' | 'rate_card'> & { meters: ThousandthsByMeter };

/**
 * Prepares a rerun within the transaction that creates it: copies the session of the repeated run as it was before the step, and collects
 * the output of the steps before, unless it has to be paid first. The repeated run and its session stay unchanged. Throws `RunRefused`.
 */
export async function prepareRerun(
  client: ClientBase,
  {
    workspaceId,
    rerun: { runId, fromStep },
    inputFileIds,
  }: { workspaceId: string; rerun: RerunOrder; inputFileIds: string[] },
): Promise<RerunPlace> {
  const run = await lockRepeated(client, workspaceId, runId);
  // A rerun that never began has not paid for such steps either.
  const steps = isUnbegun(run) ? [] : (await client.query<StoredStep>(STEPS, [runId])).rows;
  checkSteps(steps, fromStep);
  const [reused, others] = [steps.slice(0, fromStep - 1), steps.slice(fromStep - 1)];
  const { session_id: sessionId } = run;
  const at = timeBefore(run, reused, others[0]);
  const copy = await copySession(client, { workspaceId, sessionId, runId, at, withoutFileIds: fileIdsIn(others) });
  const withoutSteps = others.map(({ step }) => stepIdOf(runId, step));
  if (!(await copyState(client, { fromId: sessionId, toId: copy.id, at, withoutSteps })))
    throw new RunRefused({ reason: 'content_deleted' });
  const gone = await missingFiles(client, workspaceId, [...inputFileIds, ...fileIdsIn(reused)]);
  const missing = [...copy.missing, ...gone];
  if (missing.length > 0) throw new RunRefused({ reason: 'content_deleted', fileId: missing[0]! });
  const isBilled = run.status !== 'failed';
  const unbilled = isBilled ? null : { ...run, meters: await metersBefore(client, { runId, fromStep }) };
  return { sessionId: copy.id, output: unbilled ? [] : outputOfSteps(reused), unbilled };
}

// The lock keeps the content until the copy is committed.
async function lockRepeated(client: ClientBase, workspaceId: string, runId: string): Promise<RunRow> {
  const { rows } = await client.query<RunRow & { has_session: boolean }>(LOCK, [runId, workspaceId]);
  const [run] = rows;
  if (!run) throw new RunRefused({ reason: 'run_not_found', runId });
  if (!isTerminal(run.status)) throw new RunRefused({ reason: 'run_not_terminal', status: run.status });
  if (run.content_deleted_at !== null || !run.has_session) throw new RunRefused({ reason: 'content_deleted' });
  return run;
}

interface StoredStep {
  step: number;
  kind: string;
  state: string;
  result: Partial<ModelResult> | null;
  output: object[] | null;
  startedAt: Date;
  endedAt: Date | null;
}

/** Throws `RunRefused` unless each step before the first new one has a result that another step may follow. */
function checkSteps(steps: StoredStep[], fromStep: number): void {
  const reusable = steps.findIndex(
    ({ step, state, result }, at) => step !== at + 1 || state !== 'completed' || result?.outcome === 'final',
  );
  const fromStepMax = (reusable < 0 ? steps.length : reusable) + 1;
  if (fromStep > fromStepMax) throw new RunRefused({ reason: 'step_not_reusable', fromStepMax });
}

/** When the files were in the state for the first new step: tools that ran together may have begun before others ended. */
function timeBefore(run: RunRow, reused: StoredStep[], first: StoredStep | undefined): Date {
  const times = [run.created_at, ...reused.map(({ endedAt }) => endedAt), first ? first.startedAt : run.completed_at];
  return new Date(Math.max(...times.filter((time) => time !== null).map((time) => new Date(time).getTime() + 1)));
}

const fileIdsIn = (steps: StoredStep[]): string[] =>
  steps.flatMap(({ output }) => output ?? []).flatMap((item) => ('file_id' in item ? [item.file_id as string] : []));

type OutputStep = Pick<StoredStep, 'kind' | 'result' | 'output'>;

/** Reused steps' contribution to their run's output. */
export function outputOfSteps(steps: OutputStep[]): object[] {
  return steps.reduce<object[]>((before, step, at) => {
    const { items, replaced } =
      steps[at - 1] && isCut(steps[at - 1]!) ? goingOn(before, outputOf(step)) : { items: outputOf(step), replaced: 0 };
    return [...before.slice(0, before.length - replaced), ...items];
  }, []);
}

function outputOf({ kind, result, output }: OutputStep): object[] {
  if (kind !== 'model') return output ?? [];
  return result?.text ? [{ type: 'output_text', text: result.text }] : [];
}

/** Whether a run still has to pay for the steps it reuses: their results are not shown before. */
export const isUnbegun = (run: Pick<RunRow, 'reuses_unbilled' | 'started_at'>): boolean =>
  run.reuses_unbilled && run.started_at === null;

/** Gives a new run the steps that it reuses, as its own. */
export async function copySteps(
  client: ClientBase,
  run: Pick<RunRow, 'id' | 'workspace_id'>,
  rerun: RerunOrder,
): Promise<void> {
  const ids = Array.from({ length: rerun.fromStep - 1 }, (_, at) => stepIdOf(run.id, at + 1));
  await client.query(COPY, [run.id, run.workspace_id, rerun.runId, rerun.fromStep, ids]);
}

const LOCK = `
select r.*, exists (select from sessions s where s.id = r.session_id and s.deleted_at is null) as has_session
from runs r where r.id = $1 and r.workspace_id = $2 and r.deleted_at is null for share of r`;

const STEPS = `
select step, kind, state, case when kind = 'model' then result end as result, output, started_at as "startedAt", ended_at as "endedAt" from run_steps where run_id = $1 order by step`;

// A call that is made anew is the model's own again: its caller's approval and changes were of the other run.
const RESULT = `
case when s.kind <> 'model' or not jsonb_path_exists(s.result, '$.toolCalls[*].approval') then s.result
  else jsonb_set(s.result, '{toolCalls}', (
    select jsonb_agg(case when (call ->> 'step')::int >= $4 then call - 'approval' - 'proposed'
      || jsonb_build_object('arguments', coalesce(call -> 'proposed', call -> 'arguments')) else call end order by at)
    from jsonb_array_elements(s.result -> 'toolCalls') with ordinality t(call, at))) end`;

const COPY = `
insert into run_steps (run_id, step, workspace_id, id, kind, name, state, attempt, result, error_code, output, started_at, ended_at, reused_from)
select $1, s.step, $2, ($5::text[])[s.step], s.kind, s.name, s.state, s.attempt, ${RESULT}, s.error_code, s.output, ledger_now($2), ledger_now($2), s.id
from run_steps s where s.run_id = $3 and s.step < $4`;
