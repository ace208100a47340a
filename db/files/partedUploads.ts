import type { InferEntity } from '@mikro-orm/core';
import type { FileUpload } from '../entities/session.ts';
import type { Bound, Rows } from '../postgres/rows.ts';
import { removeFile, type StoredFile } from './files.ts';
import { StorageRefused } from './upload.ts';

export type PartedUpload = InferEntity<typeof FileUpload>;

/** The purpose of a part: parts are not files to callers, so no list or route shows them. */
export const PART_PURPOSE = 'upload_part';
/** OpenAI's lifetime of an upload. Its parts expire with it. */
const UPLOAD_SECONDS = 3_600;

const uploadNotFound = (id: string) => new StorageRefused('upload_not_found', `No upload with the id '${id}'.`);

const uploadEnded = ({ status }: PartedUpload) =>
  new StorageRefused('upload_ended', `The upload is ${status}: it takes no more parts.`);

/** Begins an upload in parts, and removes some that have expired. */
export async function insertPartedUpload(
  rows: Rows,
  about: Pick<PartedUpload, 'id' | 'purpose' | 'filename' | 'sizeBytes' | 'expiresInSeconds'>,
): Promise<PartedUpload> {
  return rows.transaction(async (tx) => {
    const { em, FileUpload: Table, sql, workspaceId, client } = tx;
    await client.query(PRUNE);
    const expiresAt = sql`now() + make_interval(secs => ${UPLOAD_SECONDS})`;
    await em.insert(Table, { ...about, workspaceId, status: 'pending', fileId: null, expiresAt });
    return find(tx, about.id);
  });
}

// Raw: a bounded deletion. Uploads stay readable for a day after their end.
const PRUNE = `
delete from file_uploads where id in
  (select id from file_uploads where expires_at < now() - interval '1 day' order by expires_at limit 100 for update skip locked)`;

/** An upload. Throws `upload_not_found`, also when it has expired. */
export const findUpload = (rows: Rows, id: string): Promise<PartedUpload> => rows.statement((tx) => find(tx, id));

/** An upload that still accepts parts. Throws `upload_not_found`, also when it has expired, and `upload_ended`. */
export async function findPendingUpload(rows: Rows, id: string): Promise<PartedUpload> {
  const upload = await findUpload(rows, id);
  if (upload.status !== 'pending') throw uploadEnded(upload);
  return upload;
}

async function find({ em, FileUpload: Table, sql }: Bound, id: string): Promise<PartedUpload> {
  const upload = await em.findOne(Table, { id, expiresAt: { $gt: sql`now()` } });
  if (!upload) throw uploadNotFound(id);
  return upload;
}

/** How long a part lives: until its upload expires. */
export const partSecondsOf = ({ expiresAt }: PartedUpload): number =>
  Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1_000));

/** The parts of an upload that have arrived, in no order. */
export function listParts(rows: Rows, { id }: PartedUpload): Promise<StoredFile[]> {
  return rows.statement(({ em, File }) => em.find(File, { purpose: PART_PURPOSE, filename: id, deletedAt: null }));
}

/** How many parts of an upload have arrived. Parts are newer than their upload, of which there is an index. */
export function countParts(rows: Rows, { id, createdAt }: PartedUpload): Promise<number> {
  const after = { createdAt: { $gte: createdAt }, workspaceId: rows.workspaceId };
  return rows.statement(({ em, File }) =>
    em.count(File, { purpose: PART_PURPOSE, filename: id, deletedAt: null, ...after }),
  );
}

/** Ends an upload, once: with its file, or as cancelled. Throws `upload_ended` when it has ended before. Its parts are deleted. */
export async function endUpload(
  rows: Rows,
  id: string,
  end: { status: 'completed'; fileId: string } | { status: 'cancelled' },
): Promise<PartedUpload> {
  const upload = await rows.transaction(async (tx) => {
    const { em, FileUpload: Table } = tx;
    const ended = await em.nativeUpdate(Table, { id, status: 'pending' }, end);
    const found = await find(tx, id);
    if (ended === 0) throw uploadEnded(found);
    return found;
  });
  for (const part of await listParts(rows, upload)) await removeFile(rows, part.id);
  return upload;
}
