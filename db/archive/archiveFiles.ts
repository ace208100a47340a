import type { AsyncBuffer } from 'hyparquet';
import { createFolderStore } from '../objects/folderStore.ts';
import { createObjectStore, type FileStore, type ObjectStore } from '../objects/objectStore.ts';
import type { ParquetFile } from './parquetFile.ts';

/** A file of the archive as its row says. */
export interface ArchiveFile {
  key: string;
  month: string;
  dataset: string;
  part: number;
  rows: number;
  bytes: number;
  sha256: string;
  firstValue: string;
  lastValue: string;
  /** When the last of its calls was settled, or of its entries posted; null: not known. */
  lastAt: Date | null;
}

/** The setting of the archive: a folder, or the store of files. */
export type ArchiveStore = { folder: string } | FileStore;

/** Opens the archive. */
export const openArchiveFiles = (place: ArchiveStore): ArchiveFiles =>
  createArchiveFiles('folder' in place ? createFolderStore(place.folder) : createObjectStore(place));

const OPEN_MAX = 64;

/**
 * Opens files of a store. Footers of the last files are kept in memory: a read then fetches only its row groups. Objects never change, so
 * what is kept is never stale. The libraries of Parquet are loaded with the first file: 50 modules that most processes never need.
 */
function createArchiveFiles(store: ObjectStore) {
  const open = new Map<string, Promise<ParquetFile>>();
  return {
    store,
    open({ key, bytes }: Pick<ArchiveFile, 'key' | 'bytes'>): Promise<ParquetFile> {
      const known = open.get(key);
      const opened =
        known ?? openFile({ byteLength: bytes, slice: (from, to = bytes) => readRange(store, key, from, to) });
      open.delete(key);
      open.set(key, opened);
      if (open.size > OPEN_MAX) open.delete(open.keys().next().value!);
      // A failure is not kept: the store may answer the next time.
      opened.catch(() => open.delete(key));
      return opened;
    },
  };
}

export type ArchiveFiles = ReturnType<typeof createArchiveFiles>;

async function openFile(file: AsyncBuffer): Promise<ParquetFile> {
  const { openParquet } = await import('./parquetFile.ts');
  return openParquet(file);
}

async function readRange(store: ObjectStore, key: string, from: number, to: number): Promise<ArrayBuffer> {
  const whole = new Uint8Array(to - from);
  let at = 0;
  for await (const part of store.read(key, { from, to })) {
    whole.set(part, at);
    at += part.length;
  }
  if (at !== whole.length) throw new Error(`${key} has ${at} of ${whole.length} bytes from ${from}`);
  return whole.buffer;
}
