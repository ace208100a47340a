import { newId } from '../ids.ts';
import { addDelivered } from './eventNotices.ts';
import type { PlatformEventType } from './eventTypes.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { isErasedSql } from '../entities/erasureSql.ts';

/** An event of a workspace outside a run. `data` is a JSON object. */
interface NewPlatformEvent {
  type: PlatformEventType;
  resourceType: string;
  resourceId: string;
  data: object;
}

/**
 * Records an event of a workspace outside a run, unless its erasure has begun. Call it within the transaction that causes the event:
 * webhook endpoints get it after the commit. Returns its id.
 */
export async function recordEvent(
  { client }: { client: Queryable },
  workspaceId: string,
  { type, resourceType, resourceId, data }: NewPlatformEvent,
): Promise<string> {
  const id = newId('evt');
  const values = [id, workspaceId, type, resourceType, resourceId, JSON.stringify(data)];
  const insert = () => client.query({ name: 'platform_events_record', text: RECORD, values });
  await addDelivered(client, insert, () => workspaceId);
  return id;
}

// Plain SQL, because payments and keys change in transactions without the ORM.
const RECORD = `
insert into platform_events (id, workspace_id, type, resource_type, resource_id, data, created_at)
select $1, $2, $3, $4, $5, $6, ledger_now($2) where not exists (
  select from workspaces w where w.id = $2 and ${isErasedSql('w.id', 'w.live_workspace_id')})`;
