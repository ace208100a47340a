import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileTooLarge } from '../../db/files/upload.ts';
import { makeTemporaryFolder } from '../../base/temporaryFiles.ts';

/** Bytes stored on disk for the duration of a request. `drop` removes them. */
export interface SpooledFile {
  sizeBytes: number;
  /** Starts at the beginning; may be read repeatedly. */
  read(): Readable;
  /** The whole file as a blob that reads from disk. */
  blob(): Promise<Blob>;
  drop(): Promise<void>;
}

/** Writes bytes to disk as they arrive, in a folder named by `kind`. On excess removes the file and throws 413 `file_too_large`. */
export async function spoolFile(
  bytes: AsyncIterable<Uint8Array>,
  bytesMax: number,
  kind: 'ledgerline-sound' | 'ledgerline-bodies' = 'ledgerline-sound',
): Promise<SpooledFile> {
  const folder = await makeTemporaryFolder(kind);
  const path = join(folder, 'bytes');
  const drop = () => rm(folder, { recursive: true, force: true });
  let sizeBytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const part of bytes) {
      sizeBytes += part.length;
      if (sizeBytes > bytesMax) throw fileTooLarge(bytesMax);
      yield part;
    }
  }
  try {
    await pipeline(counted, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await drop();
    throw error;
  }
  return { sizeBytes, read: () => createReadStream(path), blob: () => openAsBlob(path), drop };
}
