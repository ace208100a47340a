import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { archiveDirOf } from '../archive.ts';

/** The description of a backup: written last, so that a folder without it is not a backup. */
export interface Manifest {
  /** The name of its folder. */
  name: string;
  startedAt: string;
  /** The backup can be restored to any time from here on. */
  finishedAt: string;
  /** The first part of the log that the backup needs. */
  firstLogFile: string;
  /** The log position at its end. */
  endPosition?: string;
  files: { path: string; sizeBytes: number; sha256: string }[];
}

export const MANIFEST = 'manifest.json';

/** The complete backups in a folder, oldest first. */
export async function listBackups(backupDir: string): Promise<Manifest[]> {
  const names = await readdir(backupDir).catch(() => []);
  const found = await Promise.all(names.map((name) => readManifest(join(backupDir, name))));
  return found
    .filter((manifest) => manifest !== undefined)
    .toSorted((a, b) => a.finishedAt.localeCompare(b.finishedAt));
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Manifest);
}

/** Deletes all but the newest `keep` backups, and the log that only those needed. Returns the names of the deleted backups. */
export async function pruneBackups(backupDir: string, keep: number): Promise<string[]> {
  const backups = await listBackups(backupDir);
  const kept = backups.slice(-keep);
  const old = backups.slice(0, -keep);
  for (const { name } of old) await rm(join(backupDir, name), { recursive: true });
  const first = kept.map(({ firstLogFile }) => logPosition(firstLogFile)).toSorted()[0];
  const archiveDir = archiveDirOf(backupDir);
  const parts = first === undefined ? [] : await readdir(archiveDir);
  for (const part of parts.filter((name) => isLogFile(name) && logPosition(name) < first!))
    await rm(join(archiveDir, part));
  return old.map(({ name }) => name);
}

const isLogFile = (name: string): boolean => /^[0-9A-F]{24}/.test(name);

/** The position of a part of the log, without its timeline: parts of an earlier timeline are needed until their position has passed. */
const logPosition = (name: string): string => name.slice(8, 24);

/** Copies a file and returns its size and checksum; undefined if it is gone. */
export async function copyHashed(from: string, to: string): Promise<{ sizeBytes: number; sha256: string } | undefined> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await pipeline(createReadStream(from), count, createWriteStream(to, { mode: 0o600, flush: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
