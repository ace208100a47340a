import { setTimeout as sleep } from 'node:timers/promises';
import type { InferEntity } from '@mikro-orm/core';
import { createPlaces } from '../../base/places.ts';
import type { File } from '../entities/session.ts';
import { RETRY_DELAY_MS } from '../postgres/databaseErrors.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';
import { isUnknownPlace, readPage, type PageQuery } from '../postgres/page.ts';
import type { Bound, Rows, Transaction, AnyTransaction } from '../postgres/rows.ts';
import { listObjects, readObjects, removeObjects } from './fileObjects.ts';
import { ObjectStoreFailed } from '../objects/objectStore.ts';
import { countChange, lockSession, refuseBusy } from './sessionFiles.ts';
import { CHUNK_BYTES, fileNotFound, StorageRefused } from './upload.ts';

export type StoredFile = InferEntity<typeof File>;

// One read of the database: large enough that round trips do not matter, small enough for one buffer per reader.
const CHUNKS_PER_READ = 4;
// Many downloads at once take turns, so that connections are left for short statements. No workspace takes all turns.
const reads = createPlaces({ atOnce: 3, perCaller: 2 });
// The voice routes list these themselves.
const VOICE_PURPOSES = ['speech', 'voice_sample'];

/**
 * A file of the workspace. Throws `file_not_found` for a file that is unknown, of another workspace, deleted or expired; `param` is the
 * parameter with its id.
 */
export function findFile(rows: Rows, id: string, param?: string): Promise<StoredFile> {
  return rows.statement(async (tx) => {
    const [file] = await readFiles(tx, [id]);
    if (!file) throw fileNotFound(id, param);
    return file;
  });
}

/** The files with these ids that the workspace can see. */
export function readFiles({ em, File, unexpired }: Bound, ids: string[]): Promise<StoredFile[]> {
  return em.find(File, { id: ids, deletedAt: null, ...unexpired() });
}

/**
 * A page of the workspace's files that belong to no session. Throws `file_not_found` when `after` is no file's id; that file may be gone.
 */
export function readFilePage(
  rows: Rows,
  {
    purpose = null,
    visiblePurposes,
    placeParam,
    ...page
  }: PageQuery & {
    /** Null: every purpose except those of the voice routes. */
    purpose?: string | null;
    /** Only these are listed. */
    visiblePurposes: string[];
    /** The parameter with the id of `after`. */
    placeParam: string;
  },
): Promise<{ rows: StoredFile[]; hasMore: boolean }> {
  const isWanted = (one: string) => (purpose === null ? !VOICE_PURPOSES.includes(one) : one === purpose);
  return rows.transaction(async (tx) => {
    const { File, unexpired } = tx;
    if (page.after !== null && (await isUnknownPlace(tx, File, page.after))) throw fileNotFound(page.after, placeParam);
    const purposes = visiblePurposes.filter(isWanted);
    return readPage(tx, File, { sessionId: null, deletedAt: null, purpose: purposes, ...unexpired() }, page);
  });
}

// A file may move to the other place and back during one read.
const MOVES_MAX = 2;

/**
 * The bytes of a file from `from` to `to` (exclusive), in parts. When they move between the database and the store, the rest is read from
 * the other place. Throws when they are deleted during the read, and `ObjectStoreFailed`.
 */
export async function* readBytes(
  rows: Rows,
  { id, from, to }: { id: string; from: number; to: number },
): AsyncGenerator<Uint8Array> {
  let missing: ObjectStoreFailed | undefined;
  for (let at = from, moves = 0; at < to; moves += 1) {
    if (moves > MOVES_MAX) throw missing ?? new Error(`the bytes of ${id} ended before their size`);
    // Without a store, files are in the database, except those of an earlier setting.
    const objects = rows.objects || moves > 0 ? await listObjects(rows, id) : [];
    const parts =
      objects.length > 0 ? readObjects(rows, objects, { from: at, to }) : readChunks(rows, { id, from: at, to });
    try {
      for await (const part of parts) {
        at += part.length;
        yield part;
      }
    } catch (error) {
      if (!(error instanceof ObjectStoreFailed && error.isMissing)) throw error;
      missing = error;
    }
  }
}

/** All bytes of a file, as `readBytes` reads them. */
export const readWhole = async (rows: Rows, { id, sizeBytes }: Pick<StoredFile, 'id' | 'sizeBytes'>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(readBytes(rows, { id, from: 0, to: sizeBytes })));

async function* readChunks(
  rows: Rows,
  { id, from, to }: { id: string; from: number; to: number },
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    const position = Math.floor(at / CHUNK_BYTES);
    const read = () => reads.run(() => readSome(rows, id, position), { caller: rows.workspaceId });
    const bytes = await (at === from ? read() : readAgain(read));
    const start = position * CHUNK_BYTES;
    if (start + bytes.length <= at) return;
    const end = Math.min(to, start + bytes.length);
    yield bytes.subarray(at - start, end - start);
    at = end;
  }
}

// A connection that breaks in the middle of a download would cut it: what is read is the same on the next one.
async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    await sleep(RETRY_DELAY_MS);
    return read();
  }
}

/** Begins to read: failures are thrown here, while an answer can still be an error. */
export async function beginReading(
  rows: Rows,
  range: { id: string; from: number; to: number },
): Promise<AsyncGenerator<Uint8Array>> {
  const bytes = readBytes(rows, range);
  const first = await bytes.next();
  return (async function* all() {
    if (first.done) return;
    yield first.value;
    yield* bytes;
  })();
}

// Read as plain rows: entities would copy the bytes.
function readSome(rows: Rows, fileId: string, position: number): Promise<Uint8Array> {
  return rows.statement(async ({ em, FileChunk, workspaceId }) => {
    const chunks = em
      .qb(FileChunk)
      .select('bytes')
      .where({ fileId, workspaceId, position: { $gte: position, $lt: position + CHUNKS_PER_READ } })
      .orderBy({ position: 'asc' });
    const found = await chunks.execute<{ bytes: Buffer }[]>('all', false);
    return found.length === 1 ? found[0]!.bytes : Buffer.concat(found.map(({ bytes }) => bytes));
  });
}

/**
 * Deletes a file and removes it from every session that contains it. Throws `file_not_found`, and `session_busy` while a run of such a
 * session has not ended.
 */
export function removeFile(rows: Rows, id: string): Promise<void> {
  return rows.transaction(async (tx) => {
    const { em, File, SessionEntry, sql, unexpired } = tx;
    const holders = await em.find(SessionEntry, { fileId: id }, { orderBy: { sessionId: 'asc' } });
    // Locks sessions before the file, ordered by id, as everywhere else.
    for (const sessionId of new Set(holders.map((entry) => entry.sessionId))) await removeFrom(tx, sessionId, id);
    const deleted = await em.nativeUpdate(
      File,
      { id, deletedAt: null, ...unexpired() },
      { deletedAt: sql.now(), expiresAt: sql.now() },
    );
    if (deleted === 0) throw fileNotFound(id);
    if ((await em.count(SessionEntry, { fileId: id })) > 0)
      throw new StorageRefused('session_busy', 'A session takes this file at this moment. Try again.');
  });
}

async function removeFrom(tx: Transaction, sessionId: string, fileId: string): Promise<void> {
  const { em, File, SessionEntry } = tx;
  const session = await lockSession(tx, { sessionId });
  await refuseBusy(tx, sessionId);
  const removed = await em.nativeDelete(SessionEntry, { sessionId, fileId });
  const { sizeBytes } = await em.findOneOrFail(File, { id: fileId });
  if (removed > 0) await countChange(tx, session, { addedBytes: -removed * sizeBytes });
}

const FILES_PER_ROUND = 50;
// As many as the database deletes well within a statement's time: the bytes of one large file.
const CHUNKS_PER_ROUND = 1_000;

/**
 * Removes expired files, deleted files and unfinished uploads, also from sessions. Returns how many files and chunks it removed; a positive
 * number means that there may be more.
 */
export async function pruneFiles(everywhere: Rows<undefined>): Promise<number> {
  const expired = await everywhere.statement(({ client }) => client.query(EXPIRED_ENTRIES, [FILES_PER_ROUND]));
  for (const { session_id: sessionId } of expired.rows)
    await everywhere.transaction((tx) => removeExpired(tx, sessionId));
  const limits = [FILES_PER_ROUND, CHUNKS_PER_ROUND];
  const chunks = await everywhere.statement(({ client }) => client.query(REMOVE_CHUNKS, limits));
  const files = await everywhere.statement(({ client }) => client.query(REMOVE_FILES, [FILES_PER_ROUND]));
  return (chunks.rowCount ?? 0) + (files.rowCount ?? 0);
}

async function removeExpired(tx: AnyTransaction, sessionId: string): Promise<void> {
  const session = await lockSession(tx, { sessionId });
  const { rows } = await tx.client.query(REMOVE_ENTRIES, [sessionId]);
  const bytes = rows.reduce((sum, { size_bytes: size }) => sum + Number(size), 0);
  if (rows.length > 0) await countChange(tx, session, { addedBytes: -bytes });
}

// Raw: deletions that join other tables, return the deleted rows, and skip rows locked by another sweep.
const EXPIRED_ENTRIES = `
select distinct e.session_id from files f join session_entries e on e.file_id = f.id
where f.expires_at < now() limit $1`;

const REMOVE_ENTRIES = `
delete from session_entries e using files f
where e.session_id = $1 and f.id = e.file_id and f.expires_at < now() returning f.size_bytes`;

/** Deleted files that no session and no batch uses any more, the oldest first. */
const DELETED = `
from files f where expires_at < now() and not exists (select from session_entries e where e.file_id = f.id)
  and not exists (select from batches b where b.input_file_id = f.id and b.ended_at is null)`;

// Files with objects wait until the store has removed them: it may be down.
const GONE = `
gone as (
  select id ${DELETED} and not exists (select from file_objects o where o.file_id = f.id)
  order by expires_at limit $1 for update skip locked)`;

const REMOVE_CHUNKS = `
with ${GONE},
doomed as (select c.file_id, c.position from gone join file_chunks c on c.file_id = gone.id limit $2)
delete from file_chunks c using doomed d where c.file_id = d.file_id and c.position = d.position`;

const REMOVE_FILES = `
with ${GONE},
revisions as (delete from entry_revisions r using gone where r.file_id = gone.id)
delete from files f using gone where f.id = gone.id and not exists (select from file_chunks c where c.file_id = f.id)`;

// Unlocked: removing an object twice is harmless.
const GONE_WITH_OBJECTS = `
select f.id ${DELETED} and exists (select from file_objects o where o.file_id = f.id) order by expires_at limit $1`;

/** Removes the objects of files that `pruneFiles` will remove. Returns how many; 0: there are none. Throws `ObjectStoreFailed`. */
export async function pruneObjects(everywhere: Rows<undefined>): Promise<number> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ id: string }>(GONE_WITH_OBJECTS, [FILES_PER_ROUND]),
  );
  return removeObjects(everywhere, { fileId: rows.map(({ id }) => id) });
}
