import type { AnyRows, Rows, Transaction } from '../postgres/rows.ts';
import { ObjectStoreFailed, type ObjectStore } from '../objects/objectStore.ts';

/** The size of every object of a file but the last: an upload's memory. */
export const OBJECT_BYTES = 8 * 1024 * 1024;

/** A part of a file's bytes in the store. */
interface FileObject {
  fileId: string;
  position: number;
  key: string;
  sizeBytes: number;
}

/**
 * Stores a part of a file. The row is written before the object: a process that dies in between leaves a row, by which the object is
 * removed, never an object without a row. Throws when the upload was removed, for example that of a process stopped for hours.
 */
export async function storeObject(
  rows: Rows,
  { uploadId, position, bytes }: { uploadId: string; position: number; bytes: Buffer },
): Promise<void> {
  // None of the workspace's text: only the database has file names.
  const key = `${uploadId}/${position}`;
  const { rowCount } = await rows.statement(({ client, workspaceId }) =>
    client.query({ name: 'file_objects_add', text: ADD, values: [uploadId, position, workspaceId, key, bytes.length] }),
  );
  if (rowCount !== 1) throw new Error(`the upload ${uploadId} is gone`);
  await storeOf(rows).put(key, bytes);
}

// Raw: one statement adds it if the upload exists, and blocks the sweep of the upload.
const ADD = `
insert into file_objects (file_id, position, workspace_id, key, size_bytes)
select id, $2, workspace_id, $4, $5 from files where id = $1 and workspace_id = $3 and deleted_at is not null for share`;

/** The parts of a file in the store, in order. None if the database holds the bytes. */
export async function listObjects(rows: AnyRows, fileId: string): Promise<FileObject[]> {
  return rows.statement(({ em, FileObject: Table }) => em.find(Table, { fileId }, { orderBy: { position: 'asc' } }));
}

/** The bytes of these parts from `from` to `to` (exclusive), as they arrive. */
export async function* readObjects(
  rows: AnyRows,
  objects: FileObject[],
  { from, to }: { from: number; to: number },
): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const { key, sizeBytes } of objects) {
    const range = { from: Math.max(0, from - start), to: Math.min(sizeBytes, to - start) };
    if (range.from < range.to) yield* storeOf(rows).read(key, range);
    start += sizeBytes;
  }
  if (start < to) throw new Error('the parts of a file ended before its size');
}

const OBJECTS_PER_ROUND = 100;
const REMOVED_AT_ONCE = 8;

/** Removes objects of files or of a workspace, then their rows. Returns how many; 0: none are left. Throws `ObjectStoreFailed`. */
export async function removeObjects(
  rows: AnyRows,
  of: { fileId: string[] } | { workspaceId: string },
): Promise<number> {
  const found = await rows.statement(({ em, FileObject: Table }) => em.find(Table, of, { limit: OBJECTS_PER_ROUND }));
  for (let from = 0; from < found.length; from += REMOVED_AT_ONCE)
    await Promise.all(found.slice(from, from + REMOVED_AT_ONCE).map((object) => remove(rows, object)));
  return found.length;
}

async function remove(rows: AnyRows, { fileId, position, key }: FileObject): Promise<void> {
  await storeOf(rows).remove(key);
  await rows.statement(({ em, FileObject: Table }) => em.nativeDelete(Table, { fileId, position, key }));
}

/** Hands an upload's objects over to its file. */
export async function moveObjects({ em, FileObject: Table }: Transaction, fromId: string, toId: string): Promise<void> {
  await em.nativeUpdate(Table, { fileId: fromId }, { fileId: toId });
}

function storeOf({ objects }: AnyRows): ObjectStore {
  if (objects) return objects;
  throw new ObjectStoreFailed('files are in a store, but FILES_S3_URL is not set');
}
