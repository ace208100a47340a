import type { ClientBase } from 'pg';
import { eventIdOf } from './eventId.ts';

/** What happened, as it is told to callers. `data` is a JSON object. */
export interface NewEvent {
  type: string;
  data: object;
}

/** An event that was added, without what it says. `at` is ISO 8601. */
export interface EventHead {
  type: string;
  sequence: number;
  at: string;
}

/**
 * Adds events to a run, within the caller's transaction: numbered on by the run's own counter, whose row stays locked until the
 * commit, so that numbers have no gap and become visible in order. Readers hear of it at the commit. Returns the last one's id and
 * number, and what was added. Throws when the run does not exist.
 */
export async function appendEvents(
  client: ClientBase,
  runId: string,
  events: NewEvent[],
): Promise<{ id: string; sequence: number; heads: EventHead[] }> {
  const { rows } = await client.query({
    name: 'run_events_append',
    text: APPEND,
    values: [runId, JSON.stringify(events)],
  });
  if (rows.length === 0) throw new Error(`there is no run ${runId}`);
  const { sequence, at } = rows[0] as { sequence: number; at: Date };
  const first = sequence - events.length + 1;
  const heads = events.map(({ type }, index) => ({ type, sequence: first + index, at: at.toISOString() }));
  return { id: eventIdOf(runId, sequence), sequence, heads };
}

const APPEND = `
with run as (
  update runs set last_sequence = last_sequence + json_array_length($2) where id = $1 returning id, workspace_id, last_sequence),
added as (
  insert into run_events (run_id, sequence, workspace_id, type, data)
  select run.id, run.last_sequence - json_array_length($2) + e.position, run.workspace_id, e.event ->> 'type', (e.event -> 'data')::jsonb
  from run, json_array_elements($2) with ordinality e(event, position))
select last_sequence as sequence, now() as at, pg_notify('ledgerline', json_build_object('kind', 'run', 'runId', id, 'sequence', last_sequence)::text)
from run`;
