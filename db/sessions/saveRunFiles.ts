import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { fileNameOf } from '../files/fileName.ts';
import {
  FILE_BYTES_MAX,
  openUpload,
  type StoredBytes,
  type Upload,
  fileTooLarge,
  sessionNotFound,
  StorageRefused,
} from '../files/upload.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { writeEntry } from './writeEntry.ts';

/** Files that a step of a run writes into its session. */
export interface RunFileSave {
  workspaceId: string;
  sessionId: string;
  runId: string;
  /** The step, by the id under which its events name it: one step saves once. */
  stepId: string;
  files: { path: string; bytes: Uint8Array; mediaType: string }[];
}

type SaveResult =
  { outcome: 'saved'; files: RunFile[] } | { outcome: 'refused'; error: { code: string; message: string } };

/**
 * Saves a step's files: all of them or none, and once, however often it is called for the step. Directories are made where paths need
 * them, and a file that is there is replaced: the older one stays readable by its id for `RETENTION_DAYS`. What the session refuses is an outcome;
 * when the database fails, the save operation says so and the next call tries again.
 */
export async function saveRunFiles(pool: Pool, save: RunFileSave): Promise<SaveResult> {
  const operationId = idOf('save', save.runId, save.stepId);
  const state = await beginSave(pool, operationId, save);
  if (state.state === 'failed') return refusedFor(state.error);
  if (state.state === 'saved') return { outcome: 'saved', files: await readSaved(pool, save) };
  try {
    return await storeAndCommit(pool, operationId, save);
  } catch (error) {
    const isRefusal = error instanceof StorageRefused;
    const told = isRefusal ? error : { code: 'save_failed', message: 'The files could not be saved.' };
    await failSave(pool, operationId, { code: told.code, message: told.message, isFinal: isRefusal }).catch(() => {});
    if (!isRefusal) throw error;
    return refusedFor(error);
  }
}

const refusedFor = ({ code, message }: { code: string; message: string }): SaveResult => ({
  outcome: 'refused',
  error: { code, message },
});

type SaveState =
  { state: 'saving' } | { state: 'saved' } | { state: 'failed'; error: { code: string; message: string } };

/** Opens the step's operation, or takes up what an earlier call left. A refusal is final, a failure is tried again. */
async function beginSave(pool: Pool, id: string, save: RunFileSave): Promise<SaveState> {
  const { rows } = await pool.query(BEGIN, [id, save.workspaceId, save.sessionId, save.runId, save.stepId]);
  if (rows.length > 0) return { state: 'saving' };
  const { rows: ended } = await pool.query('select state, error from save_operations where id = $1', [id]);
  if (ended.length === 0) throw sessionNotFound(save.sessionId);
  return ended[0].state === 'saved' ? { state: 'saved' } : { state: 'failed', error: ended[0].error };
}

async function storeAndCommit(pool: Pool, operationId: string, save: RunFileSave): Promise<SaveResult> {
  const files = save.files.map((file) => ({ ...file, parts: file.path.split('/').map(fileNameOf) }));
  const uploads: Upload[] = [];
  try {
    const stored: StoredBytes[] = [];
    for (const { bytes } of files) stored.push(await store(pool, save.workspaceId, bytes, uploads));
    await inTransaction(pool, async (client) => {
      if (!(await claimSave(client, operationId))) return;
      for (const [at, { parts, mediaType }] of files.entries())
        await writeEntry(client, save, { parts, mediaType, bytes: stored[at]!, fileId: fileIdOf(save, at) });
      await client.query(COMMIT, [operationId, save.sessionId]);
    });
  } finally {
    // What has become no file: refused, or saved by another call for the step. The sweep takes what is left when this fails.
    await Promise.allSettled(uploads.map((upload) => upload.drop()));
  }
  return { outcome: 'saved', files: await readSaved(pool, save) };
}

async function store(pool: Pool, workspaceId: string, bytes: Uint8Array, uploads: Upload[]): Promise<StoredBytes> {
  if (bytes.length > FILE_BYTES_MAX) throw fileTooLarge(FILE_BYTES_MAX);
  const upload = await openUpload(pool, { workspaceId });
  uploads.push(upload);
  await upload.write(bytes);
  return upload.end();
}

// Two calls for one step meet here: the second finds what the first has saved.
async function claimSave(client: ClientBase, operationId: string): Promise<boolean> {
  const { rows } = await client.query('select state from save_operations where id = $1 for update', [operationId]);
  return rows[0].state !== 'saved';
}

async function failSave(
  pool: Pool,
  operationId: string,
  { code, message, isFinal }: { code: string; message: string; isFinal: boolean },
): Promise<void> {
  const error = { message, type: isFinal ? 'invalid_request_error' : 'api_error', param: null, code };
  await pool.query(FAIL, [operationId, JSON.stringify(error), isFinal ? 'none' : 'required']);
}

/** What the step has saved: its files have ids that follow from it, and stay readable when a later step replaces them. */
async function readSaved(pool: Pool, save: RunFileSave): Promise<RunFile[]> {
  const ids = save.files.map((_, at) => fileIdOf(save, at));
  const { rows } = await pool.query(SAVED, [ids, save.sessionId]);
  return save.files.flatMap(({ path }, at) => {
    const row = rows.find(({ id }) => id === ids[at]);
    const { entry_id: entryId = null, media_type: mediaType, size_bytes: size } = row ?? {};
    return row ? [{ path, entryId, fileId: ids[at]!, mediaType, sizeBytes: Number(size) }] : [];
  });
}

const fileIdOf = ({ runId, stepId }: RunFileSave, at: number) => idOf('file', runId, stepId, String(at));

function idOf(prefix: string, ...of: string[]): string {
  return `${prefix}_${createHash('sha256').update(of.join(' ')).digest('hex').slice(0, 32)}`;
}

const BEGIN = `
insert into save_operations (id, workspace_id, session_id, run_id, tool_step_id, last_committed_generation)
select $1, $2, $3, $4, $5, directory_generation from sessions where id = $3 and workspace_id = $2
on conflict (id) do update set state = 'saving', recovery = 'retrying', error = null, updated_at = now()
  where save_operations.state = 'saving' or save_operations.recovery = 'required'
returning id`;

const COMMIT = `
update save_operations set state = 'saved', recovery = 'none', error = null, updated_at = now(),
  last_committed_generation = (select directory_generation from sessions where id = $2)
where id = $1`;

const FAIL = `
update save_operations set state = 'failed', error = $2, recovery = $3, updated_at = now() where id = $1 and state = 'saving'`;

const SAVED = `
select f.id, f.media_type, f.size_bytes, e.id as entry_id
from files f left join session_entries e on e.file_id = f.id and e.session_id = $2 where f.id = any($1)`;

/** A file of a session as a run sees it. Paths are relative, their parts separated by '/'. */
export interface RunFile {
  path: string;
  entryId: string;
  fileId: string;
  mediaType: string;
  sizeBytes: number;
}

/** All files of a session, by path; none for a session that is another workspace's or deleted. */
export async function sessionFilesOf(
  pool: Pool,
  { workspaceId, sessionId }: { workspaceId: string; sessionId: string },
): Promise<RunFile[]> {
  const query = { name: 'session_files', text: FILES, values: [sessionId, workspaceId] };
  return (await pool.query<RunFile>(query)).rows;
}

/** The whole content of a file of a session's size, or undefined when the workspace has no such file (any more). */
export async function readFileBytes(pool: Pool, workspaceId: string, fileId: string): Promise<Buffer | undefined> {
  const { rows } = await pool.query({ name: 'file_bytes', text: BYTES, values: [fileId, workspaceId] });
  return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ bytes }) => bytes ?? Buffer.alloc(0)));
}

const VISIBLE = 'f.deleted_at is null and (f.expires_at is null or f.expires_at > now())';

/** The files of a session as a query, whose columns are named as `RunFile`'s. Both arguments are SQL. */
export const filesQuery = (sessionId: string, workspaceId: string): string => `
with recursive tree as (
  select id, file_id, name as path from session_entries where session_id = ${sessionId} and workspace_id = ${workspaceId} and parent_id is null
  union all select e.id, e.file_id, tree.path || '/' || e.name from session_entries e join tree on e.parent_id = tree.id)
select tree.path, tree.id as "entryId", f.id as "fileId", f.media_type as "mediaType", f.size_bytes::float8 as "sizeBytes"
from tree join files f on f.id = tree.file_id where ${VISIBLE} order by tree.path`;

const FILES = filesQuery('$1', '$2');

const BYTES = `
select c.bytes from files f left join file_chunks c on c.file_id = f.id
where f.id = $1 and f.workspace_id = $2 and ${VISIBLE} order by c.position`;
