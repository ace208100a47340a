import type { InferEntity } from '@mikro-orm/core';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { File } from '../entities/session.ts';
import { inWorkspace, type Entities, type EntityManager } from '../postgres/tenant.ts';
import { CHUNK_BYTES, fileNotFound } from './upload.ts';

/** A file as the workspace that it belongs to sees it. */
export interface StoredFile {
  id: string;
  purpose: string;
  filename: string;
  mediaType: string;
  sizeBytes: number;
  sha256: Uint8Array;
  createdAt: Date;
  expiresAt: Date | null;
}

// One read of the database: large enough that its round trips do not count, small enough to be held for every reader.
const CHUNKS_PER_READ = 4;

/** A file of the workspace. Throws `file_not_found` for one that is unknown, another's, deleted or expired. */
export function findFile(orm: LazyOrm, workspaceId: string, id: string): Promise<StoredFile> {
  return inWorkspace(orm, workspaceId, async (em, entities) => {
    const [file] = await readFiles(em, entities, workspaceId, [id]);
    if (!file) throw fileNotFound(id);
    return file;
  });
}

/** Files by their ids, those that the workspace can see, in the order of the ids. */
export async function readFiles(
  em: EntityManager,
  { File, unexpired }: Entities,
  workspaceId: string,
  ids: string[],
): Promise<StoredFile[]> {
  const rows = await em.find(File, {
    id: ids,
    workspaceId,
    deletedAt: null,
    ...unexpired(),
  });
  const byId = new Map(rows.map((row) => [row.id, storedFileOf(row)]));
  return ids.map((id) => byId.get(id)).filter((file) => file !== undefined);
}

/**
 * Files of the workspace that belong to no session, `limit` of them after the file `after`, and whether more follow. What the voice routes
 * keep is theirs to list, and is left out unless it is asked for. Throws
 * `file_not_found` when there is no such file to go on from.
 */
export function listFiles(
  orm: LazyOrm,
  {
    workspaceId,
    purpose = null,
    visiblePurposes,
    after = null,
    limit,
    isOldestFirst = false,
  }: {
    workspaceId: string;
    purpose?: string | null;
    /** No others are listed. */
    visiblePurposes: string[];
    after?: string | null;
    limit: number;
    isOldestFirst?: boolean;
  },
): Promise<{ files: StoredFile[]; hasMore: boolean }> {
  return inWorkspace(orm, workspaceId, async (em, entities) => {
    if (after !== null && (await em.count(entities.File, { id: after, workspaceId })) === 0) throw fileNotFound(after);
    const rows = await em.execute<{ id: string }[]>(listing(isOldestFirst), [
      workspaceId,
      purpose,
      purpose,
      JSON.stringify(visiblePurposes),
      after,
      after,
      limit + 1,
    ]);
    const files = await readFiles(
      em,
      entities,
      workspaceId,
      rows.slice(0, limit).map(({ id }) => id),
    );
    return { files, hasMore: rows.length > limit };
  });
}

const listing = (isOldestFirst: boolean) => `
select id from files
where workspace_id = ? and session_id is null and deleted_at is null and (expires_at is null or expires_at > now())
  and case when ?::text is null then purpose not in ('speech', 'voice_sample') else purpose = ? end
  and purpose in (select jsonb_array_elements_text(?::jsonb))
  and (?::text is null or (created_at, id) ${isOldestFirst ? '>' : '<'} (select created_at, id from files where id = ?))
order by created_at ${isOldestFirst ? '' : 'desc'}, id ${isOldestFirst ? '' : 'desc'} limit ?`;

/** The bytes of a file from `from` up to, but without, `to`, a part at a time. Throws when they are gone before the end. */
export async function* readBytes(
  orm: LazyOrm,
  { workspaceId, id, from, to }: { workspaceId: string; id: string; from: number; to: number },
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    const position = Math.floor(at / CHUNK_BYTES);
    const bytes = await readChunks(orm, workspaceId, id, position);
    const start = position * CHUNK_BYTES;
    if (start + bytes.length <= at) throw new Error(`the bytes of ${id} ended before their size`);
    const end = Math.min(to, start + bytes.length);
    yield bytes.subarray(at - start, end - start);
    at = end;
  }
}

// Not as entities, which are copied to see later whether they have changed.
function readChunks(orm: LazyOrm, workspaceId: string, fileId: string, position: number): Promise<Uint8Array> {
  return inWorkspace(orm, workspaceId, async (em) => {
    const values = [fileId, workspaceId, position, position + CHUNKS_PER_READ];
    const rows = await em.execute<{ bytes: Buffer }[]>(CHUNKS, values);
    return rows.length === 1 ? rows[0]!.bytes : Buffer.concat(rows.map(({ bytes }) => bytes));
  });
}

const CHUNKS = `
select bytes from file_chunks where file_id = ? and workspace_id = ? and position >= ? and position < ? order by position`;

function storedFileOf(row: InferEntity<typeof File>): StoredFile {
  const { id, purpose, filename, mediaType, sha256, createdAt, expiresAt = null } = row;
  return { id, purpose, filename, mediaType, sizeBytes: Number(row.sizeBytes), sha256, createdAt, expiresAt };
}
