import type { InferEntity } from '@mikro-orm/core';
import type { FileUpload } from '../entities/session.ts';
import type { Bound, Rows } from '../postgres/rows.ts';
import type { StoredFile } from './files.ts';
import { takeTurn } from '../postgres/transaction.ts';
import { publishUpload, StorageRefused, turnOfFiles, type StoredBytes } from './upload.ts';

export type PartedUpload = InferEntity<typeof FileUpload>;

/** The purpose of a part: parts are not files to callers, so no list or route shows them. A part lives until its upload expires. */
const PART_PURPOSE = 'upload_part';
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

/** The parts of an upload that have arrived, in no order. */
export const listParts = (rows: Rows, upload: PartedUpload): Promise<StoredFile[]> =>
  rows.statement(({ em, File }) => em.find(File, partsOf(upload, rows)));

/** The most parts of one upload. */
export const PARTS_MAX = 10_000;

/** Whether an upload has as many parts as it may have. */
export const isFull = (rows: Rows, upload: PartedUpload): Promise<boolean> =>
  rows.statement(async ({ em, File }) => (await em.count(File, partsOf(upload, rows))) >= PARTS_MAX);

// Parts are newer than their upload: there is an index of a workspace's newest files.
const partsOf = ({ id, createdAt }: PartedUpload, { workspaceId }: Pick<Rows, 'workspaceId'>) => ({
  purpose: PART_PURPOSE,
  filename: id,
  deletedAt: null,
  createdAt: { $gte: createdAt },
  workspaceId,
});

/** Publishes stored bytes as a part of an upload. False: it is full. Throws `upload_ended` when the upload ended while they arrived. */
export function publishPart(
  rows: Rows,
  upload: PartedUpload,
  { id, stored }: { id: string; stored: StoredBytes },
): Promise<boolean> {
  const { id: uploadId, expiresAt } = upload;
  return rows.transaction(async (tx) => {
    const { em, FileUpload: Table, LockMode } = tx;
    // An end of the upload waits, and then deletes this part too.
    const lock = { lockMode: LockMode.PESSIMISTIC_READ };
    if (!(await em.findOne(Table, { id: uploadId, status: 'pending' }, lock)))
      throw uploadEnded(await find(tx, uploadId));
    // Makes the count exact: other parts wait.
    await takeTurn(tx.client, turnOfFiles(tx.workspaceId));
    if (await isFull(tx, upload)) return false;
    const about = { purpose: PART_PURPOSE, filename: uploadId, mediaType: 'application/octet-stream' };
    const expiresInSeconds = Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1_000));
    await publishUpload(tx, stored, { id, sessionId: null, ...about, expiresInSeconds, ifRoom: true });
    return true;
  });
}

/** Publishes the joined bytes as the file of an upload, and ends it. Throws `upload_ended` when it has ended before. */
export const completeWith = (
  rows: Rows,
  uploadId: string,
  { stored, file }: { stored: StoredBytes; file: Parameters<typeof publishUpload>[2] },
): Promise<PartedUpload> =>
  rows.transaction(async (tx) => {
    await publishUpload(tx, stored, file);
    return endUpload(tx, uploadId, { status: 'completed', fileId: file.id });
  });

/**
 * Ends an upload, once: with its file, or as cancelled. Its parts are deleted with it, by one statement: no session holds parts. Throws
 * `upload_ended` when it has ended before.
 */
export function endUpload(
  rows: Rows,
  id: string,
  end: { status: 'completed'; fileId: string } | { status: 'cancelled' },
): Promise<PartedUpload> {
  return rows.transaction(async (tx) => {
    const { em, File, FileUpload: Table, sql } = tx;
    const ended = await em.nativeUpdate(Table, { id, status: 'pending' }, end);
    const upload = await find(tx, id);
    if (ended === 0) throw uploadEnded(upload);
    await em.nativeUpdate(File, partsOf(upload, tx), { deletedAt: sql.now(), expiresAt: sql.now() });
    return upload;
  });
}
