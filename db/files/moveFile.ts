import type { Rows, Transaction } from '../postgres/rows.ts';
import { moveObjects } from './fileObjects.ts';
import { readBytes } from './files.ts';
import { openUpload, type FilePlace, type StoredBytes } from './upload.ts';

/** A file to move. */
export interface MovingFile {
  id: string;
  workspaceId: string;
  sizeBytes: number;
  sha256: Buffer;
}

const FILES_PER_PAGE = 100;
const TABLES = { database: 'file_chunks', store: 'file_objects' } as const;

const otherThan = (place: FilePlace): FilePlace => (place === 'store' ? 'database' : 'store');

/** Files with bytes in another place, after the file with this id, in the order of their ids. */
export async function listFilesOutside(
  everywhere: Rows<undefined>,
  place: FilePlace,
  afterId: string,
): Promise<MovingFile[]> {
  // Unfinished uploads are left alone.
  const sql = `
    select f.id, f.workspace_id as "workspaceId", f.size_bytes::float8 as "sizeBytes", f.sha256 from files f
    where f.id > $1 and f.deleted_at is null and exists (select from ${TABLES[otherThan(place)]} p where p.file_id = f.id)
    order by f.id limit $2`;
  const { rows } = await everywhere.statement(({ client }) => client.query<MovingFile>(sql, [afterId, FILES_PER_PAGE]));
  return rows;
}

/**
 * Moves the bytes of a file into this place, while the service reads them. They are copied as an upload, which then swaps bytes with the
 * file: a process that dies in between leaves an upload, which the sweep removes. False: the file was deleted, or moved by another
 * process. `rows`: writable rows of the file's workspace.
 */
export async function moveFile(rows: Rows, file: MovingFile, place: FilePlace): Promise<boolean> {
  const upload = await openUpload(rows, { hasRoom: true, place });
  try {
    for await (const part of readBytes(rows, { id: file.id, from: 0, to: file.sizeBytes })) await upload.write(part);
    const copy = await upload.end();
    if (!copy.sha256.equals(file.sha256)) throw new Error(`the bytes of ${file.id} are not those that were uploaded`);
    return await rows.transaction((tx) => changePlaces(tx, { id: file.id, copy, place }));
  } finally {
    await upload.drop().catch(() => undefined);
  }
}

async function changePlaces(
  tx: Transaction,
  { id, copy: { uploadId }, place }: { id: string; copy: StoredBytes; place: FilePlace },
): Promise<boolean> {
  const { em, File, LockMode } = tx;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const upload = await em.findOne(File, { id: uploadId, deletedAt: { $ne: null } }, lock);
  // The sweep removed it: the copy took hours.
  if (!upload) throw new Error(`the upload ${uploadId} is gone`);
  const file = await em.findOne(File, { id, deletedAt: null }, lock);
  if (!file || (await countParts(tx, otherThan(place), id)) === 0) return false;
  const [from, to] = place === 'store' ? [uploadId, id] : [id, uploadId];
  await moveObjects(tx, from, to);
  await em.nativeUpdate(tx.FileChunk, { fileId: to }, { fileId: from });
  return true;
}

const countParts = ({ em, FileChunk, FileObject }: Transaction, place: FilePlace, fileId: string): Promise<number> =>
  place === 'store' ? em.count(FileObject, { fileId }) : em.count(FileChunk, { fileId });
