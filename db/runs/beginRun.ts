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
  /** Everything that has happened to it so far. */
  events: EventHead[];
}

/** Takes a run out of the queue. May be repeated: it begins once. */
export async function beginRun(pool: Pool, runId: string): Promise<RunPlan> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    const state = isTerminal(run.status) || run.status === 'cancelling' ? 'stopped' : 'ready';
    if (state === 'ready' && run.status === 'queued') {
      if (await isSuspended(client, run)) return planOf(run, 'suspended', await headsOf(client, runId));
      await client.query({ name: 'runs_begin', text: BEGIN, values: [runId] });
      await appendEvents(client, runId, [{ type: 'run.in_progress', data: {} }]);
    }
    return planOf(run, state, await headsOf(client, runId));
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

async function isSuspended(client: Pick<Pool, 'query'>, { agent_id, visibility }: LockedRun): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'runs_agent_suspended',
    text: SUSPENDED,
    values: [agent_id, visibility],
  });
  return rowCount !== 0;
}

async function headsOf(client: Pick<Pool, 'query'>, runId: string): Promise<EventHead[]> {
  const { rows } = await client.query<Omit<EventHead, 'at'> & { at: Date }>({
    name: 'run_events_heads',
    text: HEADS,
    values: [runId],
  });
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

const BEGIN = `
update runs set status = 'in_progress', started_at = now(), workflow_started_at = coalesce(workflow_started_at, now()) where id = $1`;

const SUSPENDED = `select from deployments where agent_id = $1 and visibility = $2 and status = 'suspended'`;

const HEADS = `
select type, sequence, created_at as at from run_events where run_id = $1 and type <> 'run.output_text.delta' order by sequence`;
