import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Ledgerline, Schemas, UploadOptions } from '../../src/index.ts';
import { usageError } from '../failure.ts';
import { bytes } from '../format.ts';
import { statusLine } from '../terminal/statusLine.ts';

/** Uploads a file of this machine, with a bar on a terminal. Its bytes are read as they are sent. */
export async function uploadFile(
  client: Ledgerline,
  path: string,
  options: Omit<UploadOptions, 'onProgress'> = {},
): Promise<Schemas['File']> {
  await checkFile(path);
  const filename = options.filename ?? basename(path);
  const status = statusLine();
  const onProgress: UploadOptions['onProgress'] = ({ doneBytes, totalBytes }) =>
    status.progress(`uploading ${filename}`, doneBytes, totalBytes, bytes(totalBytes));
  try {
    return await client.files.upload(await openAsBlob(path), { ...options, filename, onProgress });
  } finally {
    status.clear();
  }
}

/** Throws before anything is sent when a file cannot be read. */
export async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(
      error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${error.message}`,
    );
  });
  if (!found.isFile()) throw usageError(`${path} is not a file.`);
}
