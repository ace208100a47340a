import { extname } from 'node:path';
import { RETENTION_DAYS } from '../../base/limits.ts';
import { type StoredBytes, publishUpload, fileNotFound, nameConflict } from '../files/upload.ts';
import { countChange, lockSession, type LockedSession } from '../files/sessionFiles.ts';
import { releaseFiles } from './sessions.ts';
import { newId } from '../ids.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { addEntry, checkDirectory, insertEntry, recordRevision } from './changeEntries.ts';

/**
 * Writes one file of a run at a path of its session: creates missing directories, and replaces an existing file. Throws `StorageRefused`.
 */
export async function writeEntry(
  tx: Transaction,
  sessionId: string,
  { parts, mediaType, bytes, fileId }: { parts: string[]; mediaType: string; bytes: StoredBytes; fileId: string },
): Promise<void> {
  const session = await lockSession(tx, { sessionId });
  const name = parts.at(-1)!;
  const parentId = await ensureDirectories(tx, session, parts.slice(0, -1));
  const file = { id: fileId, sessionId, purpose: 'agent_output', filename: name, mediaType };
  await publishUpload(tx, bytes, { ...file, expiresInSeconds: null, ifRoom: true });
  const old = await findChild(tx, sessionId, parentId, name);
  if (old?.kind === 'directory') throw nameConflict(name);
  const oldFile = old && (await tx.em.findOne(tx.File, { id: old.fileId! }));
  if (old) await replace(tx, session, { entryId: old.id, fileId, oldFileId: old.fileId! });
  else await insertEntry(tx, session, { id: newId('ent'), parentId, name, fileId });
  await countChange(tx, session, { addedBytes: bytes.sizeBytes - (oldFile?.sizeBytes ?? 0) });
}

async function ensureDirectories(tx: Transaction, session: LockedSession, names: string[]): Promise<string | null> {
  let parentId: string | null = null;
  for (const name of names) {
    const existing = await findChild(tx, session.id, parentId, name);
    if (existing?.kind === 'file') throw nameConflict(name);
    const id: string = existing?.id ?? newId('ent');
    if (!existing) await insertEntry(tx, session, { id, parentId, name, fileId: null });
    parentId = id;
  }
  await checkDirectory(tx, session.id, parentId);
  return parentId;
}

const findChild = ({ em, SessionEntry }: Transaction, sessionId: string, parentId: string | null, name: string) =>
  em.findOne(SessionEntry, { sessionId, parentId, name });

async function replace(
  tx: Transaction,
  session: LockedSession,
  { entryId, fileId, oldFileId }: { entryId: string; fileId: string; oldFileId: string },
): Promise<void> {
  const { em, SessionEntry, sql } = tx;
  const revisionId = await recordRevision(tx, session, { entryId, fileId });
  await em.nativeUpdate(SessionEntry, { id: entryId }, { fileId, revisionId, updatedAt: sql.now() });
  await releaseFiles(tx, [oldFileId], { keepDays: RETENTION_DAYS });
}

/** The place and name of a new entry. The caller chooses `id`: a retry with the same id creates nothing. */
interface Place {
  sessionId: string;
  id: string;
  parentId: string | null;
  name: string;
  /** Set when the caller requires an unchanged directory. */
  ifGeneration?: number;
}

/** Puts an existing file or, with null, a new directory into a session. Throws the errors of `addEntry` and `lockSession`. */
export function addSessionEntry(rows: Rows, { fileId, ...place }: Place & { fileId: string | null }): Promise<void> {
  return rows.transaction(async (tx) => {
    const session = await lockForEntry(tx, place);
    await addEntry(tx, session, { ...place, fileId });
  });
}

/** Puts uploaded bytes into a session as a new file. Throws the errors of `addEntry` and `lockSession`. */
export function addSessionFile(
  rows: Rows,
  { bytes, mediaType, ...place }: Place & { bytes: StoredBytes; mediaType: string },
): Promise<void> {
  return rows.transaction(async (tx) => {
    const session = await lockForEntry(tx, place);
    const { sessionId, name: filename } = place;
    const file = { id: fileIdOf(place.id), sessionId, filename, mediaType };
    await publishUpload(tx, bytes, { ...file, purpose: 'agent_input', expiresInSeconds: null, ifRoom: true });
    await addEntry(tx, session, { ...place, fileId: file.id });
  });
}

// An existing entry has already changed the directories, so a retry compares with the state before it.
async function lockForEntry(tx: Transaction, { id, sessionId, ifGeneration }: Place): Promise<LockedSession> {
  const isMade = ifGeneration !== undefined && (await tx.em.count(tx.SessionEntry, { id })) > 0;
  return lockSession(tx, isMade ? { sessionId } : { sessionId, ifGeneration });
}

// A retried entry has the same file id.
const fileIdOf = (entryId: string) => entryId.replace(/^[a-z]+_/, 'file_');

/** A file of a run's input, and its path in the session. */
export interface InputFile {
  fileId: string;
  entryId: string;
  name: string;
}

/**
 * Puts the files of a run's input into its session: at the top, under a unique name, unless the session has them already. Throws
 * `StorageRefused` with `session_not_found`, `file_not_found`, `file_too_large`, `storage_limit_exceeded`.
 */
export async function attachInputFiles(
  tx: Transaction,
  { sessionId, fileIds }: { sessionId: string; fileIds: string[] },
): Promise<InputFile[]> {
  const attached: InputFile[] = [];
  for (const fileId of new Set(fileIds))
    attached.push((await findAttached(tx, sessionId, fileId)) ?? (await attach(tx, sessionId, fileId)));
  return attached;
}

async function findAttached(
  { em, File, SessionEntry, unexpired }: Transaction,
  sessionId: string,
  fileId: string,
): Promise<InputFile | undefined> {
  if ((await em.count(File, { id: fileId, deletedAt: null, ...unexpired() })) === 0) return undefined;
  const [entry] = await em.find(SessionEntry, { sessionId, fileId }, { limit: 1 });
  return entry && { fileId, entryId: entry.id, name: entry.name };
}

async function attach(tx: Transaction, sessionId: string, fileId: string): Promise<InputFile> {
  const file = await tx.em.findOne(tx.File, { id: fileId });
  if (!file) throw fileNotFound(fileId);
  const name = await freeName(tx, sessionId, file.filename);
  const entryId = newId('ent');
  // Locked again for each file, because the previous one reduced the remaining space.
  const session = await lockSession(tx, { sessionId });
  await addEntry(tx, session, { id: entryId, parentId: null, name, fileId });
  return { fileId, entryId, name };
}

async function freeName({ em, SessionEntry }: Transaction, sessionId: string, filename: string): Promise<string> {
  const entries = await em.find(SessionEntry, { sessionId, parentId: null });
  const taken = new Set(entries.map(({ name }) => name));
  const extension = extname(filename);
  const stem = filename.slice(0, filename.length - extension.length);
  let name = filename;
  for (let count = 2; taken.has(name); count += 1) name = `${stem} (${count})${extension}`;
  return name;
}
