import { sqlListOf } from '../entities/runStates.ts';
import { RUN_EVENT_TYPES } from './eventTypes.ts';
import type { PageQuery } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';
import { parseEventId } from './appendEvents.ts';
import { eventOf, type EventObject, type EventSource } from './readEvents.ts';

/** The workspace's events for webhooks, newest first: all events outside runs, and the ends and questions of runs; of some types, unless they are null. */
export function readWorkspaceEvents(
  rows: Rows,
  { types }: { types: readonly string[] | null },
  { after, limit }: PageQuery,
): Promise<{ rows: EventObject[]; hasMore: boolean }> {
  return rows.transaction(async ({ client, workspaceId }) => {
    const place = after === null ? undefined : parseEventId(after);
    const values = [workspaceId, limit + 1, types, after, place?.runId ?? null, place?.sequence ?? null];
    const { rows: found } = await client.query<EventSource>(LIST, values);
    return { rows: found.slice(0, limit).map(eventOf), hasMore: found.length > limit };
  });
}

// Events of one moment are ordered by a key, the same for both tables. Raw: a union; each part reads an index.
const KEY = `run_id || lpad(sequence::text, 10, '0')`;
// The index of these events names the same types. A list of other types alone reads none of them.
const NOTABLE = sqlListOf(Object.keys(RUN_EVENT_TYPES));
const LIST = `
with last as (
  select created_at, id collate "C" as key from platform_events where id = $4 and workspace_id = $1
  union all select created_at, ${KEY} from run_events where run_id = $5 and sequence = $6 and workspace_id = $1),
found as (
  (select id, type, resource_type as "resourceType", resource_id as "resourceId", null as "runId", 1 as sequence, data, created_at, id collate "C" as key
   from platform_events where workspace_id = $1 and ($3::text[] is null or type = any ($3))
     and ($4::text is null or (created_at, id collate "C") < (select created_at, key from last))
   order by created_at desc, id collate "C" desc limit $2)
  union all
  (select null, type, 'run', run_id, run_id, sequence, data, created_at, ${KEY} collate "C"
   from run_events where workspace_id = $1 and ($3::text[] is null or type = any ($3))
     and type in ${NOTABLE} and ($3::text[] is null or $3 && '{${Object.keys(RUN_EVENT_TYPES).join(',')}}')
     and ($4::text is null or (created_at, ${KEY} collate "C") < (select created_at, key from last))
   order by created_at desc, ${KEY} collate "C" desc limit $2))
select id, type, "resourceType", "resourceId", "runId", sequence, data, created_at as "createdAt" from found order by created_at desc, key desc limit $2`;
