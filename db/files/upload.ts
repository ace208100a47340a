import { createHash } from 'node:crypto';
import { GIB, MIB } from '../../base/limits.ts';
import { newId } from '../ids.ts';
import { moveObjects, OBJECT_BYTES, removeObjects, storeObject } from './fileObjects.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { takeTurn } from '../postgres/transaction.ts';

/** The size limit of a file in a session, and so in a run. */
export const FILE_BYTES_MAX = 25 * MIB;
/** The size limit of a batch's list of calls, as in OpenAI's API. */
export const BATCH_FILE_BYTES_MAX = 200 * MIB;
export const ICON_BYTES_MAX = MIB;
/** All files of one session together. */
export const SESSION_BYTES_MAX = 512 * MIB;
/** All files of one workspace together. Paid results may exceed it. */
export const WORKSPACE_BYTES_MAX = 20 * GIB;
/** Files and directories of one session. */
export const SESSION_ENTRIES_MAX = 5_000;
/** Nesting depth of directories. */
export const DIRECTORY_DEPTH_MAX = 16;

export type StorageRefusal =
  | 'file_not_found'
  | 'upload_not_found'
  | 'upload_ended'
  | 'session_not_found'
  | 'entry_not_found'
  | 'not_a_directory'
  | 'directory_cycle'
  | 'directory_changed'
  | 'state_changed'
  | 'state_too_large'
  | 'state_version_not_found'
  | 'invalid_name'
  | 'name_conflict'
  | 'file_too_large'
  | 'storage_limit_exceeded'
  | 'session_busy';

/** A refusal by files or a session, with a message for the caller. Nothing was changed. */
export class StorageRefused extends Error {
  readonly code: StorageRefusal;
  /** With `directory_changed`: the current generation of the session's directories. With `state_changed`: the version of its state. */
  readonly generation: number | undefined;
  /** The parameter that names what does not exist; undefined where the path does. */
  readonly param: string | undefined;

  constructor(code: StorageRefusal, message: string, generation?: number, param?: string) {
    super(message);
    this.name = 'StorageRefused';
    this.code = code;
    this.generation = generation;
    this.param = param;
  }
}

export const notDirectory = (name: string) =>
  new StorageRefused('not_a_directory', `'${name}' is a file.`, undefined, 'parent_id');

export const fileNotFound = (id: string, param?: string) =>
  new StorageRefused('file_not_found', `No file with the id '${id}'.`, undefined, param);

export const sessionNotFound = (id: string) =>
  new StorageRefused('session_not_found', `No session with the id '${id}'.`);

export const entryNotFound = (id: string, param?: string) =>
  new StorageRefused('entry_not_found', `No file or directory with the id '${id}' in this session.`, undefined, param);

export const fileTooLarge = (limitBytes: number) =>
  new StorageRefused('file_too_large', `The file is larger than ${limitBytes} bytes.`);

export const nameConflict = (name: string) =>
  new StorageRefused('name_conflict', `There is already something named '${name}' in this directory.`);

/** Every chunk of a file but its last has this size. */
export const CHUNK_BYTES = 256 * 1024;

// Longer than the largest upload may take at the slowest permitted rate.
const UPLOAD_HOURS_MAX = 2;

/** Where the bytes of a file are. */
export type FilePlace = 'database' | 'store';

const placeOfNew = ({ objects }: Rows): FilePlace => (objects?.takesNew ? 'store' : 'database');

/** Stored bytes that are invisible until they are published as a file. */
export interface StoredBytes {
  uploadId: string;
  sizeBytes: number;
  sha256: Buffer;
}

/** Bytes being written to the database or the object store. */
export interface Upload {
  /** Resolves when all bytes so far are stored, except for a partial chunk. One call at a time. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<StoredBytes>;
  /** Removes the stored bytes unless they were published. */
  drop(): Promise<void>;
}

/**
 * Starts to store a file's bytes in chunks, so that no transaction waits for a sender and no file is held in memory. `pruneFiles` removes
 * the bytes of a dead process. Throws `storage_limit_exceeded` when the workspace is full. `hasRoom`: stored all the same, because it is
 * paid for, or takes the place of other files.
 */
export async function openUpload(
  rows: Rows,
  { hasRoom = false, place = placeOfNew(rows) }: { hasRoom?: boolean; place?: FilePlace } = {},
): Promise<Upload> {
  const uploadId = newId('file');
  await rows.transaction(async (tx) => {
    if (!hasRoom) await refuseFullStorage(tx);
    await begin(tx, uploadId);
  });
  const partBytes = place === 'store' ? OBJECT_BYTES : CHUNK_BYTES;
  const hash = createHash('sha256');
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let sizeBytes = 0;
  let position = 0;
  let hasFailed = false;

  async function write(bytes: Uint8Array): Promise<void> {
    hash.update(bytes);
    sizeBytes += bytes.length;
    pending.push(bytes);
    pendingBytes += bytes.length;
    if (pendingBytes >= partBytes) await flush();
  }

  async function flush(): Promise<void> {
    const joined = Buffer.concat(pending);
    let from = 0;
    for (; joined.length - from >= partBytes; from += partBytes) await store(joined.subarray(from, from + partBytes));
    pending = [joined.subarray(from)];
    pendingBytes = joined.length - from;
  }

  async function store(bytes: Buffer): Promise<void> {
    hasFailed = true;
    if (place === 'store') await storeObject(rows, { uploadId, position, bytes });
    else await storeChunk(rows, { uploadId, position, chunk: bytes });
    hasFailed = false;
    position += 1;
  }

  async function end(): Promise<StoredBytes> {
    if (pendingBytes > 0) await store(Buffer.concat(pending));
    pending = [];
    return { uploadId, sizeBytes, sha256: hash.digest() };
  }

  async function drop(): Promise<void> {
    pending = [];
    // A store that did not answer may still store the object: the sweep removes it later.
    if (place === 'store' && hasFailed) return;
    // After a move, an upload to the database has the file's earlier objects.
    if (rows.objects && (await isUnpublished(rows, uploadId))) await removeObjects(rows, { fileId: [uploadId] });
    await rows.transaction(async ({ em, File, FileChunk }) => {
      const dropped = await em.nativeDelete(File, { id: uploadId, deletedAt: { $ne: null } });
      if (dropped > 0) await em.nativeDelete(FileChunk, { fileId: uploadId });
    });
  }

  return { write, end, drop };
}

const isUnpublished = async (rows: Rows, id: string): Promise<boolean> =>
  (await rows.statement(({ em, File }) => em.count(File, { id, deletedAt: { $ne: null } }))) > 0;

/** Throws `storage_limit_exceeded` when the workspace has no room for so many more bytes. */
export async function refuseFullStorage(
  { em, File, sql, workspaceId }: Transaction,
  { bytes = 1 }: { bytes?: number } = {},
): Promise<void> {
  const total = sql`coalesce(sum(size_bytes), 0)`.as('usedBytes');
  const used = await em.qb(File).select(total).where({ workspaceId }).execute<{ usedBytes: string }>('get', false);
  if (Number(used.usedBytes) + bytes > WORKSPACE_BYTES_MAX)
    throw new StorageRefused('storage_limit_exceeded', 'The workspace has no room for more files.');
}

async function begin({ em, File, sql, workspaceId }: Transaction, uploadId: string): Promise<void> {
  await em.insert(File, {
    id: uploadId,
    workspaceId,
    purpose: '',
    filename: '',
    mediaType: '',
    sizeBytes: 0,
    sha256: Buffer.alloc(0),
    deletedAt: sql.now(),
    expiresAt: sql`now() + make_interval(hours => ${UPLOAD_HOURS_MAX})`,
  });
}

// Raw: sends the chunk as binary, not in a statement of twice its size.
const ADD = 'insert into file_chunks (file_id, position, workspace_id, bytes) values ($1, $2, $3, $4)';

async function storeChunk(
  rows: Rows,
  { uploadId, position, chunk }: { uploadId: string; position: number; chunk: Buffer },
): Promise<void> {
  await rows.statement(({ client, workspaceId }) =>
    client.query({ name: 'file_chunks_add', text: ADD, values: [uploadId, position, workspaceId, chunk] }),
  );
}

/** The file of an upload. */
interface NewFile {
  id: string;
  /** The session that it belongs to and is deleted with. */
  sessionId: string | null;
  purpose: string;
  filename: string;
  mediaType: string;
  expiresInSeconds: number | null;
  /** Refused when the workspace has no room for it: others may have filled it since its upload began. */
  ifRoom?: boolean;
}

/** The name of the turn in which a workspace's new files are counted. */
export const turnOfFiles = (workspaceId: string): string => `files of ${workspaceId}`;

/**
 * Publishes stored bytes as a file under its final id. An existing file of that id stays unchanged: an earlier attempt has published it,
 * and the caller drops this upload. Throws `storage_limit_exceeded` `ifRoom`.
 */
export function publishUpload(
  rows: Rows,
  { uploadId, sizeBytes, sha256 }: StoredBytes,
  { id, sessionId, purpose, filename, mediaType, expiresInSeconds, ifRoom = false }: NewFile,
): Promise<void> {
  return rows.transaction(async (tx) => {
    const { em, client, File, FileChunk, sql, workspaceId } = tx;
    if (id !== uploadId && (await em.count(File, { id })) > 0) return;
    if (ifRoom) {
      // Makes the sum exact: the workspace's other new files wait. Many uploads may have begun with the same room.
      await takeTurn(client, turnOfFiles(workspaceId));
      await refuseFullStorage(tx, { bytes: sizeBytes });
    }
    const row = { id, sessionId, purpose, filename, mediaType, sizeBytes, sha256 };
    const expiresAt =
      expiresInSeconds === null ? null : sql`ledger_now(${workspaceId}) + make_interval(secs => ${expiresInSeconds})`;
    const published = await em.nativeUpdate(
      File,
      { id: uploadId, deletedAt: { $ne: null } },
      { ...row, expiresAt, createdAt: sql.now(), deletedAt: null },
    );
    // The sweep has removed the bytes, or they were dropped: no row may refer to missing bytes.
    if (published !== 1) throw new Error(`the upload ${uploadId} is gone`);
    if (id === uploadId) return;
    await em.nativeUpdate(FileChunk, { fileId: uploadId }, { fileId: id });
    await moveObjects(tx, uploadId, id);
  });
}
