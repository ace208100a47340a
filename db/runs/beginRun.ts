import type { Pool } from 'pg';
import { inTransaction } from '../transaction.ts';
import { appendEvents, type EventHead } from './appendEvents.ts';
import { lockRun, type LockedRun } from './lockRun.ts';
import { isTerminal } from './runRow.ts';

/** What a run's workflow has to know of it: plain facts, no content. */
export interface RunPlan {
  /** `stopped`: it was cancelled before it began, or has ended; then only its end is left to be written. `suspended`: its agent must not run. */
  state: 'ready' | 'stopped' | 'suspended';
  agent: string;
  timeoutMs: number;
  pausesAtLimit: boolean;
  /** How it began. */
  events: EventHead[];
}

/** Takes a run out of the queue. May be repeated: it begins once. */
export async function beginRun(pool: Pool, runId: string): Promise<RunPlan> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    if (isTerminal(run.status) || run.status === 'cancelling') return planOf(run, 'stopped', []);
    if (run.status !== 'queued') return planOf(run, 'ready', await beginningOf(client, runId));
    const begun = await client.query({ name: 'runs_begin', text: BEGIN, values: [runId] });
    if (begun.rowCount === 0) return planOf(run, 'suspended', []);
    return planOf(run, 'ready', (await appendEvents(client, runId, [{ type: 'run.in_progress', data: {} }])).heads);
  });
}

function planOf(run: LockedRun, state: RunPlan['state'], events: EventHead[]): RunPlan {
  return {
    state,
    agent: run.agent,
    timeoutMs: run.timeout_seconds * 1000,
    pausesAtLimit: run.on_limit === 'pause',
    events,
  };
}

async function beginningOf(client: Pick<Pool, 'query'>, runId: string): Promise<EventHead[]> {
  const { rows } = await client.query<Omit<EventHead, 'at'> & { at: Date }>(BEGINNING, [runId]);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

// A suspended agent must not run, also when it was suspended while the run waited.
const BEGIN = `
update runs r set status = 'in_progress', started_at = now(), workflow_started_at = coalesce(workflow_started_at, now())
where id = $1 and not exists (select from deployments d
  where d.agent_id = r.agent_id and d.visibility = r.visibility and d.status = 'suspended')`;

const BEGINNING = `
select type, sequence, created_at as at from run_events where run_id = $1 and type = 'run.in_progress' order by sequence limit 1`;
