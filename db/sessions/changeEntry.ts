import type { ClientBase, Pool } from 'pg';
import { DIRECTORY_DEPTH_MAX } from '../files/limits.ts';
import { entryNotFound, nameConflict, StorageRefused } from '../files/storageRefused.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { checkDirectory } from './addEntry.ts';
import { countChange, lockSession } from './lockSession.ts';

/** Where an entry goes: what is not given stays. */
export interface EntryChange {
  name?: string;
  /** Null is the top. */
  parentId?: string | null;
}

/**
 * Renames or moves a file or a directory. Throws `session_not_found`, `entry_not_found`, `not_a_directory`, `directory_cycle`,
 * `name_conflict`, `storage_limit_exceeded` and `directory_changed`.
 */
export function changeEntry(
  pool: Pool,
  {
    id,
    change,
    ...where
  }: { workspaceId: string; sessionId: string; id: string; change: EntryChange; ifGeneration?: number },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const session = await lockSession(client, where);
    const { rows } = await client.query(
      'select name, parent_id from session_entries where id = $1 and session_id = $2',
      [id, session.id],
    );
    if (rows.length === 0) throw entryNotFound(id);
    const { name = rows[0].name as string, parentId = rows[0].parent_id as string | null } = change;
    if (parentId !== rows[0].parent_id) await checkMove(client, session.id, { id, parentId });
    await move(client, { id, sessionId: session.id, name, parentId });
    await countChange(client, session, { addedBytes: 0 });
  });
}

async function checkMove(
  client: ClientBase,
  sessionId: string,
  { id, parentId }: { id: string; parentId: string | null },
): Promise<void> {
  await checkDirectory(client, sessionId, parentId);
  const { rows } = await client.query(LEVELS, [id, parentId]);
  if (rows[0].is_inside)
    throw new StorageRefused('directory_cycle', 'A directory cannot be moved into itself or into what is in it.');
  if (rows[0].above + rows[0].below > DIRECTORY_DEPTH_MAX)
    throw new StorageRefused('storage_limit_exceeded', `Directories are at most ${DIRECTORY_DEPTH_MAX} levels deep.`);
}

async function move(
  client: ClientBase,
  { id, sessionId, name, parentId }: { id: string; sessionId: string; name: string; parentId: string | null },
): Promise<void> {
  const { rowCount } = await client.query(TAKEN, [sessionId, parentId, name, id]);
  if (rowCount) throw nameConflict(name);
  await client.query('update session_entries set name = $2, parent_id = $3, updated_at = now() where id = $1', [
    id,
    name,
    parentId,
  ]);
}

const TAKEN = `
select from session_entries where session_id = $1 and parent_id is not distinct from $2 and name = $3 and id <> $4`;

/** Whether the new parent lies within the moved entry, and how many levels come together. */
const LEVELS = `
with recursive down as (
  select id, 1 as level from session_entries where id = $1
  union all select e.id, down.level + 1 from session_entries e join down on e.parent_id = down.id),
up as (
  select id, parent_id, 1 as level from session_entries where id = $2
  union all select e.id, e.parent_id, up.level + 1 from session_entries e join up on e.id = up.parent_id)
select (select coalesce(max(level), 0) from up) as above, (select max(level) from down) as below,
  exists (select from down where id = $2) as is_inside`;
