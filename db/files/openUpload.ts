import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { WORKSPACE_BYTES_MAX } from './limits.ts';
import { StorageRefused } from './storageRefused.ts';

/** Every chunk of a file but its last has this size. */
export const CHUNK_BYTES = 256 * 1024;

// Longer than the largest upload may take at the slowest pace.
const UPLOAD_HOURS_MAX = 2;

/** Bytes that are stored, and that nobody sees until they are published as a file. */
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
