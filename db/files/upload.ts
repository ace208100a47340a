import { createHash } from 'node:crypto';
import type { Pool, ClientBase } from 'pg';
import { GIB, MIB } from '../../base/limits.ts';
import { newId } from '../ids.ts';

/** The largest file that a session, and so a run, takes. */
export const FILE_BYTES_MAX = 25 * MIB;
/** The largest list of calls for a batch, after OpenAI's limit. */
export const BATCH_FILE_BYTES_MAX = 200 * MIB;
export const ICON_BYTES_MAX = MIB;
/** All files of one session together. */
export const SESSION_BYTES_MAX = 512 * MIB;
/** All files of one workspace together. Uploads that run at the same moment may pass it by their own size. */
export const WORKSPACE_BYTES_MAX = 20 * GIB;
/** Files and directories of one session. */
export const SESSION_ENTRIES_MAX = 5_000;
/** Directories within each other. */
export const DIRECTORY_DEPTH_MAX = 16;

export type StorageRefusal =
  | 'file_not_found'
  | 'session_not_found'
  | 'entry_not_found'
  | 'not_a_directory'
  | 'directory_cycle'
  | 'directory_changed'
  | 'invalid_name'
  | 'name_conflict'
  | 'file_too_large'
  | 'storage_limit_exceeded'
  | 'session_busy';

/** A refusal by files or a session, with a sentence for the caller. Nothing was changed. */
export class StorageRefused extends Error {
  readonly code: StorageRefusal;
  /** With `directory_changed`: where the session's directories are now. */
  readonly generation: number | undefined;

  constructor(code: StorageRefusal, message: string, generation?: number) {
    super(message);
    this.name = 'StorageRefused';
    this.code = code;
    this.generation = generation;
  }
}

export const fileNotFound = (id: string) => new StorageRefused('file_not_found', `No file with the id '${id}'.`);

export const sessionNotFound = (id: string) =>
  new StorageRefused('session_not_found', `No session with the id '${id}'.`);

export const entryNotFound = (id: string) =>
  new StorageRefused('entry_not_found', `No file or directory with the id '${id}' in this session.`);

export const fileTooLarge = (limitBytes: number) =>
  new StorageRefused('file_too_large', `The file is larger than ${limitBytes} bytes.`);

export const nameConflict = (name: string) =>
  new StorageRefused('name_conflict', `There is already something named '${name}' in this directory.`);

/** Every chunk of a file but its last has this size. */
export const CHUNK_BYTES = 256 * 1024;

// Longer than the largest upload may take at the slowest pace.
const UPLOAD_HOURS_MAX = 2;

/** Stored bytes that are invisible until they are published as a file. */
export interface StoredBytes {
  uploadId: string;
  sizeBytes: number;
  sha256: Buffer;
}

/** Bytes on their way into the database. */
export interface Upload {
  /** Resolves when what came so far is stored but for a part of a chunk. One call at a time. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<StoredBytes>;
  /** Removes what was stored, unless it has been published. */
  drop(): Promise<void>;
}

/**
 * Begins to store a file's bytes, a chunk at a time, so that no transaction waits for a sender and no file is held whole. What a dead
 * process leaves is removed by `pruneFiles`. Throws `storage_limit_exceeded` when the workspace is full.
 */
export async function openUpload(pool: Pool, { workspaceId }: { workspaceId: string }): Promise<Upload> {
  const uploadId = newId('file');
  const { rowCount } = await pool.query(OPEN, [uploadId, workspaceId, UPLOAD_HOURS_MAX, WORKSPACE_BYTES_MAX]);
  if (rowCount === 0) throw new StorageRefused('storage_limit_exceeded', 'The workspace has no room for more files.');
  const hash = createHash('sha256');
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let sizeBytes = 0;
  let position = 0;

  async function write(bytes: Uint8Array): Promise<void> {
    hash.update(bytes);
    sizeBytes += bytes.length;
    pending.push(bytes);
    pendingBytes += bytes.length;
    if (pendingBytes >= CHUNK_BYTES) await flush();
  }

  async function flush(): Promise<void> {
    const joined = Buffer.concat(pending);
    let from = 0;
    for (; joined.length - from >= CHUNK_BYTES; from += CHUNK_BYTES)
      await store(joined.subarray(from, from + CHUNK_BYTES));
    pending = [joined.subarray(from)];
    pendingBytes = joined.length - from;
  }

  async function store(chunk: Buffer): Promise<void> {
    await pool.query({ name: 'file_chunks_add', text: ADD, values: [uploadId, position, workspaceId, chunk] });
    position += 1;
  }

  async function end(): Promise<StoredBytes> {
    if (pendingBytes > 0) await store(Buffer.concat(pending));
    pending = [];
    return { uploadId, sizeBytes, sha256: hash.digest() };
  }

  async function drop(): Promise<void> {
    pending = [];
    await pool.query(DROP, [uploadId]);
  }

  return { write, end, drop };
}

const OPEN = `
insert into files (id, workspace_id, purpose, filename, media_type, size_bytes, sha256, deleted_at, expires_at)
select $1, $2, '', '', '', 0, '', now(), now() + make_interval(hours => $3)
where (select coalesce(sum(size_bytes), 0) from files where workspace_id = $2) < $4::bigint`;

const ADD = 'insert into file_chunks (file_id, position, workspace_id, bytes) values ($1, $2, $3, $4)';

const DROP = `
with dropped as (delete from files where id = $1 and deleted_at is not null returning id)
delete from file_chunks where file_id in (select id from dropped)`;

/** What an upload becomes. */
interface NewFile {
  id: string;
  workspaceId: string;
  /** The session that it is made for, and goes with. */
  sessionId: string | null;
  purpose: string;
  filename: string;
  mediaType: string;
  expiresInSeconds: number | null;
}

/**
 * Makes stored bytes a file that can be seen, under its final id, in the caller's transaction. An id that is already a file stays as it is:
 * then an earlier try has come this far, and the upload is left to be dropped.
 */
export async function publishUpload(
  client: ClientBase,
  { uploadId, sizeBytes, sha256 }: StoredBytes,
  file: NewFile,
): Promise<void> {
  const { rowCount } = await client.query('select from files where id = $1 and workspace_id = $2 and id <> $3', [
    file.id,
    file.workspaceId,
    uploadId,
  ]);
  if (rowCount) return;
  const { rowCount: published } = await client.query(PUBLISH, [
    uploadId,
    file.id,
    file.sessionId,
    file.purpose,
    file.filename,
    file.mediaType,
    sizeBytes,
    sha256,
    file.expiresInSeconds,
  ]);
  // Swept away in the meantime, or dropped: nothing may name bytes that are not there.
  if (published !== 1) throw new Error(`the upload ${uploadId} is gone`);
  if (file.id !== uploadId)
    await client.query('update file_chunks set file_id = $2 where file_id = $1', [uploadId, file.id]);
}

const PUBLISH = `
update files
set id = $2, session_id = $3, purpose = $4, filename = $5, media_type = $6, size_bytes = $7, sha256 = $8,
  created_at = now(), deleted_at = null, expires_at = now() + make_interval(secs => $9)
where id = $1 and deleted_at is not null`;
