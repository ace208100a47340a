import type { ClientBase } from 'pg';
import type { NewEvent } from '../../events/appendEvents.ts';
import type { ThousandthsByMeter } from '../cost/runCost.ts';
import type { LockedRun } from '../runRow.ts';
import { endFacts, stepEvent, type BegunStep } from '../stepFacts.ts';

/**
 * The last events of steps that a run leaves open when it ends by `reason`: those in work, and those that wait for another attempt. Each
 * step that has started ends in an event. Their rows stay as they are: such steps are shown as cancelled.
 */
export async function endOpenSteps(client: ClientBase, run: LockedRun, reason: string): Promise<NewEvent[]> {
  const { rows } = await client.query<OpenStep>({ name: 'run_steps_open', text: OPEN, values: [run.id] });
  return rows.map(({ startedAt, quantities, ...begun }) => {
    const ended = { startedAt, endedAt: run.at, quantities, result: null, failure: { reason } };
    return stepEvent('run.step.failed', begun, { ...endFacts(run, begun.kind, ended), reason });
  });
}

type OpenStep = BegunStep & { startedAt: Date; quantities: ThousandthsByMeter };

const OPEN = `
select s.run_id as "runId", s.step, s.id, s.attempt, s.kind, s.name, s.started_at as "startedAt",
  (select coalesce(json_object_agg(meter, quantity_thousandths), '{}') from run_meters m where m.run_id = s.run_id and m.step = s.step)
    as quantities
from run_steps s where s.run_id = $1 and (s.state = 'started' or s.state = 'failed' and s.retry_at is not null)
order by s.step`;
