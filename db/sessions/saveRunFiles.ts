import { hash } from 'node:crypto';
import { fileNameOf } from '../files/fileName.ts';
import { readWhole } from '../files/files.ts';
import {
  FILE_BYTES_MAX,
  openUpload,
  type StoredBytes,
  type Upload,
  fileTooLarge,
  sessionNotFound,
  StorageRefused,
} from '../files/upload.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { writeEntry } from './addEntries.ts';

/** Files that a step of a run writes into its session. */
export interface RunFileSave {
  sessionId: string;
  runId: string;
  /** The step, by the id in its events: a step saves once. */
  stepId: string;
  files: { path: string; bytes: Uint8Array; mediaType: string }[];
}

type SaveResult =
  { outcome: 'saved'; files: RunFile[] } | { outcome: 'refused'; error: { code: string; message: string } };

/**
 * Saves a step's files: all or none, and once, however often it is called for the step. Creates missing directories and replaces existing
 * files: the older content stays readable by its id for `RETENTION_DAYS`. A refusal by the session is a result; when the database fails,
 * the save operation records it and the next call retries.
 */
export async function saveRunFiles(rows: Rows, save: RunFileSave): Promise<SaveResult> {
  const operationId = idOf('save', save.runId, save.stepId);
  const state = await beginSave(rows, operationId, save);
  if (state.state === 'failed') return refusedFor(state.error);
  if (state.state === 'saved') return { outcome: 'saved', files: await readSaved(rows, save) };
  try {
    return await storeAndCommit(rows, operationId, save);
  } catch (error) {
    const isRefusal = error instanceof StorageRefused;
    const reported = isRefusal ? error : { code: 'save_failed', message: 'The files could not be saved.' };
    await failSave(rows, operationId, { code: reported.code, message: reported.message, isFinal: isRefusal }).catch(
      () => {},
    );
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

/** Starts the step's operation, or continues an earlier call's. A refusal is final, a failure is retried. */
function beginSave(rows: Rows, id: string, { sessionId, runId, stepId }: RunFileSave): Promise<SaveState> {
  return rows.transaction(async ({ client, em, SaveOperation, workspaceId }) => {
    const begun = await client.query(BEGIN, [id, workspaceId, sessionId, runId, stepId]);
    if (begun.rows.length > 0) return { state: 'saving' };
    const ended = await em.findOne(SaveOperation, { id });
    if (!ended) throw sessionNotFound(sessionId);
    return ended.state === 'saved' ? { state: 'saved' } : { state: 'failed', error: ended.error! };
  });
}

async function storeAndCommit(rows: Rows, operationId: string, save: RunFileSave): Promise<SaveResult> {
  const { sessionId } = save;
  const files = save.files.map((file) => ({ ...file, parts: file.path.split('/').map(fileNameOf) }));
  const uploads: Upload[] = [];
  try {
    const stored: StoredBytes[] = [];
    for (const { bytes } of files) stored.push(await store(rows, bytes, uploads));
    await rows.transaction(async (tx) => {
      if (!(await claimSave(tx, operationId))) return;
      for (const [at, { parts, mediaType }] of files.entries())
        await writeEntry(tx, sessionId, { parts, mediaType, bytes: stored[at]!, fileId: fileIdOf(save, at) });
      await endSave(tx, operationId, sessionId);
    });
  } finally {
    // Removes the uploads that did not become files: refused, or saved by another call for the step. If this fails, the sweep removes
    // them.
    await Promise.allSettled(uploads.map((upload) => upload.drop()));
  }
  return { outcome: 'saved', files: await readSaved(rows, save) };
}

async function store(rows: Rows, bytes: Uint8Array, uploads: Upload[]): Promise<StoredBytes> {
  if (bytes.length > FILE_BYTES_MAX) throw fileTooLarge(FILE_BYTES_MAX);
  const upload = await openUpload(rows);
  uploads.push(upload);
  await upload.write(bytes);
  return upload.end();
}

// Serializes two calls for one step: the second finds the files saved by the first.
async function claimSave({ em, SaveOperation, LockMode }: Transaction, id: string): Promise<boolean> {
  const operation = await em.findOneOrFail(SaveOperation, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return operation.state !== 'saved';
}

async function endSave({ em, SaveOperation, Session, sql }: Transaction, id: string, sessionId: string): Promise<void> {
  const { directoryGeneration } = await em.findOneOrFail(Session, { id: sessionId });
  await em.nativeUpdate(
    SaveOperation,
    { id },
    {
      state: 'saved',
      recovery: 'none',
      error: null,
      updatedAt: sql.now(),
      lastCommittedGeneration: directoryGeneration,
    },
  );
}

async function failSave(
  rows: Rows,
  id: string,
  { code, message, isFinal }: { code: string; message: string; isFinal: boolean },
): Promise<void> {
  const error = { message, type: isFinal ? 'invalid_request_error' : 'api_error', param: null, code };
  const recovery = isFinal ? 'none' : 'required';
  await rows.statement(({ em, SaveOperation, sql }) =>
    em.nativeUpdate(SaveOperation, { id, state: 'saving' }, { state: 'failed', error, recovery, updatedAt: sql.now() }),
  );
}

/** The files saved by the step: their ids follow from the step, and they stay readable when a later step replaces them. */
function readSaved(rows: Rows, save: RunFileSave): Promise<RunFile[]> {
  const { sessionId } = save;
  const ids = save.files.map((_, at) => fileIdOf(save, at));
  return rows.transaction(async ({ em, File, SessionEntry }) => {
    const files = new Map((await em.find(File, { id: ids })).map((file) => [file.id, file]));
    const entries = await em.find(SessionEntry, { sessionId, fileId: ids });
    const entryIds = new Map(entries.map(({ id, fileId }) => [fileId, id]));
    return save.files.flatMap(({ path }, at) => {
      const file = files.get(ids[at]!);
      if (!file) return [];
      const { id, mediaType, sizeBytes } = file;
      return [{ path, entryId: entryIds.get(id) ?? null, fileId: id, mediaType, sizeBytes }];
    });
  });
}

const fileIdOf = ({ runId, stepId }: Pick<RunFileSave, 'runId' | 'stepId'>, at: number) =>
  idOf('file', runId, stepId, String(at));

function idOf(prefix: string, ...of: string[]): string {
  return `${prefix}_${hash('sha256', of.join(' '), 'hex').slice(0, 32)}`;
}

// Raw: one statement that inserts it or continues it, and does neither when it has ended.
const BEGIN = `
insert into save_operations (id, workspace_id, session_id, run_id, tool_step_id, last_committed_generation)
select $1, $2, $3, $4, $5, directory_generation from sessions where id = $3 and workspace_id = $2
on conflict (id) do update set state = 'saving', recovery = 'retrying', error = null, updated_at = now()
  where save_operations.state = 'saving' or save_operations.recovery = 'required'
returning id`;

/** A session file as a run sees it. Paths are relative, their parts separated by '/'. */
export interface RunFile {
  path: string;
  /** Null for a file that a later step replaced. */
  entryId: string | null;
  fileId: string;
  mediaType: string;
  sizeBytes: number;
}

/** All files of a session, by path; none for a session that is deleted or of another workspace. */
export async function sessionFilesOf(rows: Rows, sessionId: string): Promise<RunFile[]> {
  const query = { name: 'session_files', text: FILES };
  const found = await rows.statement(({ client, workspaceId }) =>
    client.query<RunFile>({ ...query, values: [sessionId, workspaceId] }),
  );
  return found.rows;
}

/** The whole content of a session's file, or undefined when the workspace has no such file (any more). */
export async function readFileBytes(rows: Rows, fileId: string): Promise<Buffer | undefined> {
  const query = { name: 'file_bytes', text: BYTES };
  const found = await rows.statement(({ client, workspaceId }) =>
    client.query<{ bytes: Buffer | null; size: number }>({ ...query, values: [fileId, workspaceId] }),
  );
  const [first] = found.rows;
  if (!first) return undefined;
  if (first.bytes === null && first.size > 0) return readWhole(rows, { id: fileId, sizeBytes: first.size });
  return Buffer.concat(found.rows.map(({ bytes }) => bytes ?? Buffer.alloc(0)));
}

// Raw: the ORM has no recursive queries of entities.
const VISIBLE = 'f.deleted_at is null and (f.expires_at is null or f.expires_at > ledger_now(f.workspace_id))';

/**
 * The files of a session as a query, with columns named as `RunFile`'s. Both arguments are SQL. `coalesce`: a plan must begin with the
 * session, not with the entries without a parent, which every session has.
 */
export const filesQuery = (sessionId: string, workspaceId: string): string => `
with recursive tree as (
  select id, file_id, name as path from session_entries where session_id = ${sessionId} and workspace_id = ${workspaceId}
    and coalesce(parent_id, '') = ''
  union all select e.id, e.file_id, tree.path || '/' || e.name from session_entries e join tree on e.parent_id = tree.id)
select tree.path, tree.id as "entryId", f.id as "fileId", f.media_type as "mediaType", f.size_bytes::float8 as "sizeBytes"
from tree join files f on f.id = tree.file_id where ${VISIBLE} order by tree.path`;

const FILES = filesQuery('$1', '$2');

// Raw: a search tool reads thousands of files, each with one statement.
const BYTES = `
select c.bytes, f.size_bytes::float8 as size from files f left join file_chunks c on c.file_id = f.id
where f.id = $1 and f.workspace_id = $2 and ${VISIBLE} order by c.position`;
