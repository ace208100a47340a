import type { ClientBase } from 'pg';
import { RETENTION_DAYS } from '../../base/limits.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { RunEventType } from './eventTypes.ts';
import { addDelivered, isDelivered } from './eventNotices.ts';
import { noticed, queryNoticed } from './runNotices.ts';

/** An event as callers see it. `data` is a JSON object. */
export interface NewEvent {
  type: RunEventType;
  data: object;
}

/** An added event, without its content. `at` is ISO 8601. */
export interface EventHead {
  type: RunEventType;
  sequence: number;
  at: string;
  /** Our own numbers and identifiers, which a restored event could not get from anywhere else. */
  facts?: object;
}

/**
 * Adds events to a run, within the caller's transaction. They are numbered by the run's own counter. Its row stays locked until the
 * commit, so numbers have no gap and become visible in order. Readers are notified at the commit. Returns the last one's id and number,
 * and the heads. Throws when the run does not exist.
 */
export async function appendEvents(
  client: ClientBase,
  runId: string,
  events: NewEvent[],
): Promise<{ id: string; sequence: number; heads: EventHead[] }> {
  const values = [runId, JSON.stringify(events)];
  const noticeOf = (row: Appended) => ({ runId, sequence: row.sequence });
  const append = () => queryNoticed<Appended>(client, APPEND, values, noticeOf);
  const isTold = isDelivered(events);
  const [row] = isTold ? await addDelivered(client, append, ([added]) => added?.workspace_id) : await append();
  if (!row) throw new Error(`there is no run ${runId}`);
  const { sequence, at } = row;
  return { id: eventIdOf(runId, sequence), sequence, heads: headsOf(events, { sequence, at }) };
}

/** The heads of added events; `sequence` is the last one's number. */
export function headsOf(events: NewEvent[], { sequence, at }: { sequence: number; at: Date }): EventHead[] {
  const first = sequence - events.length + 1;
  return events.map((event, index) => ({
    type: event.type,
    sequence: first + index,
    at: at.toISOString(),
    ...factsOf(event),
  }));
}

/** Heads in one result of an activity: about a megabyte, half of what Temporal takes. Earlier ones came with their own steps. */
export const HEADS_MAX = 2_000;

const SUM_TYPES: RunEventType[] = ['run.usage.updated', 'run.budget.warning'];

// Content stays in the database: names, arguments and results of tools, questions and their forms.
const ACTION_CONTENT = ['question', 'schema', 'default', 'name', 'arguments'];
const STEP_CONTENT = ['kind', 'name', 'model', 'message', 'arguments', 'result_preview'];

function factsOf({ type, data }: NewEvent): { facts?: object } {
  if (SUM_TYPES.includes(type)) return { facts: data };
  if (type.startsWith('run.step.')) {
    const facts = Object.entries(data).filter(([member]) => !STEP_CONTENT.includes(member));
    return { facts: Object.fromEntries(facts) };
  }
  if (type === 'run.requires_action') {
    const { required_action, required_actions, ...more } = data as {
      required_action: object;
      required_actions: object[];
    };
    const [action, ...actions] = [required_action, ...required_actions].map(withoutContent);
    return { facts: { ...more, required_action: action, required_actions: actions } };
  }
  return {};
}

const withoutContent = (action: object): object =>
  Object.fromEntries(Object.entries(action).filter(([member]) => !ACTION_CONTENT.includes(member)));

/** The heads of a run's events, as an expression over `run_events`. Members of facts that are null stay. */
export const HEAD = `
jsonb_build_object('type', type, 'sequence', sequence,
  'at', to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ||
case when type in ('${SUM_TYPES.join("', '")}') then jsonb_build_object('facts', data)
  when type like 'run.step.%' then jsonb_build_object('facts', data - array['${STEP_CONTENT.join("', '")}'])
  when type = 'run.requires_action' then jsonb_build_object('facts', data
    || jsonb_build_object('required_action', (data -> 'required_action') - array['${ACTION_CONTENT.join("', '")}'])
    || case when data ? 'required_actions' then jsonb_build_object('required_actions',
      (select jsonb_agg(a - array['${ACTION_CONTENT.join("', '")}']) from jsonb_array_elements(data -> 'required_actions') a)) else '{}' end)
  else '{}' end`;

/**
 * The same, as parts of a larger statement with a part `run`: the run's row, with its counter raised by the number of events. `parameter`
 * is their JSON; `more` is an expression with more members of their data.
 */
export const addingEvents = (parameter: string, more = ''): string => `
added as (
  insert into run_events (run_id, sequence, workspace_id, type, data, created_at)
  select run.id, run.last_sequence - json_array_length(${parameter}) + e.position, run.workspace_id, e.event ->> 'type',
    (e.event -> 'data')::jsonb${more && ` || ${more}`}, ledger_now(run.workspace_id)
  from run, json_array_elements(${parameter}) with ordinality e(event, position))`;

interface Appended {
  workspace_id: string;
  sequence: number;
  at: Date;
}

const APPEND = noticed(
  'run_events_append',
  (notice) => `
with run as (
  update runs set last_sequence = last_sequence + json_array_length($2) where id = $1 returning id, workspace_id, last_sequence),
${addingEvents('$2')}
select workspace_id, last_sequence as sequence, ledger_now(workspace_id) as at, ${notice} from run`,
);

const RUN_CHARACTERS = 22;
const SEQUENCE_CHARACTERS = 6;
const EVENT_ID = new RegExp(`^evt_([0-9A-Za-z]{${RUN_CHARACTERS}})([0-9a-z]{${SEQUENCE_CHARACTERS}})$`);

/** The id of a run's event, derived from both numbers: it needs no index and is the same wherever it is computed. */
export function eventIdOf(runId: string, sequence: number): string {
  return `evt_${runId.slice('run_'.length)}${sequence.toString(36).padStart(SEQUENCE_CHARACTERS, '0')}`;
}

/** The run and the number in an event id, or undefined when it is malformed. */
export function parseEventId(id: string): { runId: string; sequence: number } | undefined {
  const parts = EVENT_ID.exec(id);
  return parts ? { runId: `run_${parts[1]}`, sequence: Number.parseInt(parts[2]!, 36) } : undefined;
}

/** Deletes events past their retention. Returns their number. */
export async function pruneEvents(client: Queryable): Promise<number> {
  const isOld = `created_at < now() - interval '${RETENTION_DAYS} days'`;
  return (
    (await deleteInPortions(client, 'run_events', isOld)) + (await deleteInPortions(client, 'platform_events', isOld))
  );
}
