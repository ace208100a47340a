import type { Rows } from '../postgres/rows.ts';
import { webhookBody } from '../webhooks/webhookBody.ts';
import { parseEventId } from '../events/appendEvents.ts';
import { eventOf, type EventSource, type EventText } from '../events/readEvents.ts';

/** An event with its place in the order of its workspace. */
export interface PlacedEvent extends EventText {
  position: number;
}

/** The newest committed event of a workspace. */
export interface Sighting {
  workspaceId: string;
  last: number;
  /** The id of the oldest running transaction. */
  oldest: bigint;
  /** An id that is larger than that of every transaction with a number up to `last`; null when nothing is new. */
  barrier: bigint | null;
}

/** Looks at the newest events of these workspaces, in one statement. What is newer than the known position is new. */
export async function sightEvents(
  everywhere: Rows<undefined>,
  known: { workspaceId: string; position: number }[],
): Promise<Sighting[]> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ workspaceId: string; last: number; oldest: string; barrier: string | null }>({
      name: 'events_sight',
      text: SIGHT,
      values: [known.map(({ workspaceId }) => workspaceId), known.map(({ position }) => position)],
    }),
  );
  return rows.map(({ oldest, barrier, ...row }) => ({
    ...row,
    oldest: BigInt(oldest),
    barrier: barrier === null ? null : BigInt(barrier),
  }));
}

const lastOf = (table: string) =>
  `(select e.position from ${table} e where e.workspace_id = w.id and e.position is not null order by e.position desc limit 1)`;
// The statement takes its own id after its snapshot, and only when it needs one.
const SIGHT = `
with sighted as (
  select w.id, w.known, greatest(0, ${lastOf('platform_events')}, ${lastOf('run_events')})::float8 as last
  from unnest($1::text[], $2::float8[]) w(id, known))
select id as "workspaceId", last, pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
  case when bool_or(last > known) over () then pg_current_xact_id()::text end as barrier
from sighted`;

/** Events of the workspace after a position, up to and with another, in order; of some types, unless they are null. */
export async function readPlacedEvents(
  rows: Rows,
  { after, upTo, types, limit }: { after: number; upTo: number; types: readonly string[] | null; limit: number },
): Promise<PlacedEvent[]> {
  const values = [rows.workspaceId, after, upTo, types, limit];
  const found = await rows.statement(({ client }) => client.query<EventSource & { position: number }>(READ, values));
  return found.rows.map(({ position, ...source }) => {
    const event = eventOf(source);
    return { id: event.id, type: event.type, sequence: event.sequence, position, json: webhookBody(event) };
  });
}

const within = `workspace_id = $1 and position > $2 and position <= $3 and ($4::text[] is null or type = any ($4))
   order by position limit $5`;
// Raw: a union; each part reads an index.
const READ = `
select id, type, resource_type as "resourceType", resource_id as "resourceId", null as "runId", 1 as sequence, data, created_at as "createdAt", position::float8
from (select * from platform_events where ${within}) p
union all
select null, type, 'run', run_id, run_id, sequence, data, created_at, position::float8
from (select * from run_events where ${within}) r
order by 9 limit $5`;

/** The id of the event at a position; undefined when it is past its retention. */
export const findEventIdAt = async (rows: Rows, position: number): Promise<string | undefined> =>
  (await readPlacedEvents(rows, { after: position - 1, upTo: position, types: null, limit: 1 }))[0]?.id;

/** The position of an event of the workspace; undefined for one that is unknown, past its retention, or not in the order. */
export async function findPosition(rows: Rows, id: string): Promise<number | undefined> {
  const place = parseEventId(id);
  const [text, values] = place ? [RUN_PLACE, [place.runId, place.sequence]] : [PLATFORM_PLACE, [id]];
  const found = await rows.statement(({ client }) =>
    client.query<{ position: number | null }>(text, [...values, rows.workspaceId]),
  );
  return found.rows[0]?.position ?? undefined;
}

const RUN_PLACE = `select position::float8 from run_events where run_id = $1 and sequence = $2 and workspace_id = $3`;
const PLATFORM_PLACE = `select position::float8 from platform_events where id = $1 and workspace_id = $2`;
