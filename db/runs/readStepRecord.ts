import type { Pool } from 'pg';
import { HEAD, type EventHead } from './events/appendEvents.ts';
import type { Quantities } from './cost/rowCost.ts';
import { stepIdOf } from './stepId.ts';
import type { StepRef } from './steps.ts';

/**
 * What a run's workflow has not heard of a step, because who did it could not say so any more: what it consumed, and the
 * events that the history keeps, from its beginning on. With the first step that is the beginning of the run.
 */
export async function readStepRecord(
  pool: Pool,
  { runId, step }: StepRef,
): Promise<{ meters: Quantities; events: EventHead[] }> {
  const { rows } = await pool.query(RECORD, [runId, step, stepIdOf(runId, step)]);
  return rows[0];
}

const RECORD = `
select
  (select coalesce(json_object_agg(meter, quantity_thousandths), '{}') from run_meters where run_id = $1 and step = $2) as meters,
  (select coalesce(json_agg(${HEAD} order by sequence), '[]')
    from run_events where run_id = $1 and (type like 'run.step.%' or type in ('run.in_progress', 'run.usage.updated', 'run.budget.warning'))
      and sequence >= (select min(sequence) from run_events where run_id = $1
        and (data ->> 'step_id' = $3 or ($2 = 1 and type = 'run.in_progress')))) as events`;
