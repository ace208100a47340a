import type { ClientBase } from 'pg';
import { isSuspendedSql } from '../../agents/deployments.ts';
import { cutTextIn, isCut, itemIdOf, type CutText } from '../cutText.ts';
import { sumUp, writeSums } from './meterRun.ts';
import { takeOverMeters } from '../cost/reusedMeters.ts';
import { appendEvents, type NewEvent } from '../../events/appendEvents.ts';
import { outputOfSteps } from './rerunSteps.ts';
import { TIMES, type LockedRun } from '../runRow.ts';
import { PREVIEW_BYTES_MAX, reusedFacts, stepEvent, type StepKind } from '../stepFacts.ts';
import { CALL_ARGUMENTS, type ModelResult } from './stepRecords.ts';

/** An item of a run's output from a reused step. */
type ReusedOutput = { type: 'output_text'; text: string } | { type: 'output_file' } | { type: 'output_data' };

/** A step of a run, with the result of another run's. */
interface ReusedStep {
  step: number;
  id: string;
  kind: StepKind;
  name: string;
  attempt: number;
  arguments: string | null;
  result: Pick<ModelResult, 'text' | 'outcome' | 'toolCalls'>;
  errorCode: string | null;
  output: ReusedOutput[] | null;
  reusedFrom: string;
}

/**
 * Takes a queued run with a locked row out of the queue when its first steps are another run's: they become its first events, and if
 * that run was not billed, its first usage. Returns its row; undefined when its agent is suspended, because then it must not run.
 */
export async function beginRerun(client: ClientBase, runId: string): Promise<LockedRun | undefined> {
  const { rows } = await client.query<LockedRun>(BEGIN, [runId]);
  const [run] = rows;
  if (!run) return undefined;
  const steps = (await client.query<ReusedStep>(REUSED, [runId])).rows;
  const reused = steps.flatMap((step, at) => eventsOf(runId, step, cutTextIn(steps.slice(0, at))));
  const events: NewEvent[] = [{ type: 'run.in_progress', data: {} }, ...reused];
  if (run.reuses_unbilled) events.push(...(await payFor(client, run, steps)));
  const { sequence } = await appendEvents(client, runId, events);
  return { ...run, last_sequence: sequence };
}

/** Adds the usage and output of unbilled steps to the run that reuses them. */
async function payFor(client: ClientBase, run: LockedRun, steps: ReusedStep[]): Promise<NewEvent[]> {
  const sums = sumUp(run, await takeOverMeters(client, run));
  const output = outputOfSteps(steps);
  run.output = output;
  await writeSums(client, run, { items: output, replaced: 0 });
  return sums;
}

function eventsOf(runId: string, step: ReusedStep, cut: CutText | undefined): NewEvent[] {
  const text = step.kind === 'model' ? textOf(step, cut) : [];
  const begun = { ...step, runId };
  return [...text, ...(step.output ?? []).map(outputEventOf), stepEvent('run.step.reused', begun, reusedFacts(step))];
}

// A text that the next step continues is unfinished.
function textOf(step: ReusedStep, cut: CutText | undefined): NewEvent[] {
  const { text: delta } = step.result;
  const { itemId: item_id, text: before } = cut ?? { itemId: itemIdOf(step), text: '' };
  if (before + delta === '') return [];
  return isCut(step)
    ? [{ type: 'run.output_text.delta', data: { item_id, delta, offset: before.length } }]
    : [{ type: 'run.output_text.done', data: { item_id, text: before + delta } }];
}

const outputEventOf = (item: ReusedOutput): NewEvent => ({
  type: item.type === 'output_file' ? 'run.output_file.created' : 'run.output_data.done',
  data: item,
});

/** SQL: whether the agent of a run `r` is suspended: also when it was suspended while the run waited. */
export const IS_SUSPENDED = isSuspendedSql({
  agentId: 'r.agent_id',
  visibility: 'r.visibility',
  versionId: 'r.version_id',
});

const BEGIN = `
update runs r set status = 'in_progress', started_at = ledger_now(r.workspace_id), workflow_started_at = coalesce(r.workflow_started_at, now())
where r.id = $1 and not ${IS_SUSPENDED} returning r.*, ${TIMES}`;

const REUSED = `
select s.step, s.id, s.kind, s.name, s.attempt, ${CALL_ARGUMENTS} as arguments,
  case when s.kind = 'model' then s.result else jsonb_build_object('text', left(s.result ->> 'text', ${PREVIEW_BYTES_MAX + 1})) end as result,
  s.error_code as "errorCode", s.output,
  s.reused_from as "reusedFrom"
from run_steps s where s.run_id = $1 and s.reused_from is not null order by s.step`;
