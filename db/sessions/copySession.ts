import type { ClientBase } from 'pg';
import { newId } from '../ids.ts';

/** The files of a session's copy: those of the time `at`, without the contents in `withoutFileIds`. */
interface SessionState {
  workspaceId: string;
  sessionId: string;
  /** The run with the session to copy. */
  runId: string;
  at: Date | string;
  withoutFileIds: string[];
}

/**
 * Copies a session as it was, within the caller's transaction: its title, and its directories and files with the contents of that time.
 * The copies share the bytes. Names and places are the present ones. Returns the new session's id, and the files with content that is no
 * longer kept.
 */
export async function copySession(
  client: ClientBase,
  { workspaceId, sessionId, runId, at, withoutFileIds }: SessionState,
): Promise<{ id: string; missing: string[] }> {
  const { rows } = await client.query<CopiedEntry>(AT_TIME, [sessionId, at, withoutFileIds]);
  const fileIds = rows.map(({ fileId }) => fileId).filter((id) => id !== null);
  await client.query(LOCK_CONTENTS, [fileIds]);
  const missing = await missingFiles(client, workspaceId, fileIds);
  const id = newId('ses');
  const ids = new Map(rows.map((row) => [row.id, newId('ent')]));
  const entries = rows.map(({ id: from, parentId, name, kind, fileId }) => ({
    id: ids.get(from),
    parent: parentId === null ? null : ids.get(parentId),
    name,
    kind,
    file: fileId,
    revision: newId('rev'),
  }));
  await client.query(INSERT, [id, workspaceId, sessionId, runId, JSON.stringify(entries)]);
  // An earlier content was kept for a time; now an entry refers to it again.
  await client.query(KEEP, [fileIds]);
  return { id, missing };
}

interface CopiedEntry {
  id: string;
  parentId: string | null;
  name: string;
  kind: string;
  fileId: string | null;
}

/** Locks the files against their deletion, and returns the ids of files that can no longer be read. */
export async function missingFiles(client: ClientBase, workspaceId: string, fileIds: string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(KEPT, [fileIds, workspaceId]);
  const kept = new Set(rows.map(({ id }) => id));
  return fileIds.filter((id) => !kept.has(id));
}

// A file has its last revision of that time. The directories of the files come with them, even newer ones.
const AT_TIME = `
with recursive content as (
  select distinct on (v.entry_id) v.entry_id, v.file_id from entry_revisions v
  where v.session_id = $1 and v.created_at <= $2 and v.file_id <> all ($3)
  order by v.entry_id, v.created_at desc, v.id desc),
kept as (
  select e.id, e.parent_id, e.name, e.kind, c.file_id from session_entries e left join content c on c.entry_id = e.id
  where e.session_id = $1 and (c.entry_id is not null or (e.kind = 'directory' and e.created_at <= $2))
  union
  select p.id, p.parent_id, p.name, p.kind, null from kept k join session_entries p on p.id = k.parent_id)
select id, parent_id as "parentId", name, kind, file_id as "fileId" from kept`;

// They are changed below: with shared locks two copies would wait for each other.
const LOCK_CONTENTS = `
select from files where id = any ($1) and session_id is not null order by id for no key update`;

const KEEP =
  'update files set expires_at = null where id = any ($1) and session_id is not null and expires_at is not null';

const KEPT = `
select id from files where id = any ($1) and workspace_id = $2 and deleted_at is null and (expires_at is null or expires_at > ledger_now(workspace_id))
order by id for share`;

const INSERT = `
with copied as (
  select * from jsonb_to_recordset($5::jsonb) e(id text, parent text, name text, kind text, file text, revision text)),
entries as (
  insert into session_entries (id, workspace_id, session_id, parent_id, name, kind, file_id, revision_id)
  select id, $2, $1, parent, name, kind, file, revision from copied),
revisions as (
  insert into entry_revisions (id, workspace_id, session_id, entry_id, file_id)
  select revision, $2, $1, id, file from copied where file is not null)
insert into sessions (id, workspace_id, title, metadata, origin_run_id, directory_generation, stored_bytes)
select $1, $2, title, metadata, $4, case when exists (select from copied) then 1 else 0 end,
  (select coalesce(sum(f.size_bytes), 0) from copied join files f on f.id = copied.file)
from sessions where id = $3 and workspace_id = $2`;
