import type { ClientBase } from 'pg';
import type { NewEvent } from './appendEvents.ts';
import type { LockedRun } from './lockRun.ts';
import { isTerminal } from './runRow.ts';

/** Whether a run goes on. `over`: it has ended, or was cancelled before it began. `suspended`: its agent must not run. */
export type RunBeginning = { state: 'going'; run: LockedRun; events: NewEvent[] } | { state: 'over' | 'suspended' };

/** Takes a run, which the caller's transaction has locked, out of the queue, and says what there is to tell of it. It begins once. */
export async function beginRun(client: ClientBase, run: LockedRun): Promise<RunBeginning> {
  if (isTerminal(run.status)) return { state: 'over' };
  if (run.started_at !== null) return { state: 'going', run, events: [] };
  if (run.status !== 'queued') return { state: 'over' };
  const { rows } = await client.query<LockedRun>({ name: 'runs_begin', text: BEGIN, values: [run.id] });
  if (!rows[0]) return { state: 'suspended' };
  return { state: 'going', run: rows[0], events: [{ type: 'run.in_progress', data: {} }] };
}

// A suspended agent must not run, also when it was suspended while the run waited.
const BEGIN = `
update runs r set status = 'in_progress', started_at = now(), workflow_started_at = coalesce(workflow_started_at, now())
where id = $1 and not exists (select from deployments d
  where d.agent_id = r.agent_id and d.visibility = r.visibility and d.status = 'suspended')
returning *`;
