import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { extensionOf, fileNameOf } from '../../db/files/fileName.ts';
import { removeFile } from '../../db/files/files.ts';
import { FILE_BYTES_MAX, publishUpload } from '../../db/files/upload.ts';
import { newId } from '../../db/ids.ts';
import type { Context } from '../context.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { readableTypeOf, takeUpload } from '../files/newFile.ts';
import type { Services } from '../services.ts';

/** A file inside an agent's call, instead of an uploaded file's id. */
export interface SentFile {
  base64: string;
  filename?: string | undefined;
  mediaType?: string | undefined;
  /** Its path in the call, for errors. */
  place: (string | number)[];
}

/**
 * Stores the files of a call, as `POST /v1/files` would, and passes their ids to `work`. If `work` fails, the files are deleted. Throws 422
 * for invalid base64, 413 `file_too_large`, and 415 for types that no agent can read.
 */
export async function withSentFiles<T>(
  ctx: Context,
  { db }: Pick<Services, 'db'>,
  files: SentFile[],
  work: (fileIds: string[]) => Promise<T>,
): Promise<T> {
  const rows = db.write(ctx.state.key.workspaceId);
  const fileIds: string[] = [];
  try {
    for (const [at, file] of files.entries()) fileIds.push(await store(rows, file, at + 1));
    return await work(fileIds);
  } catch (error) {
    // Files left when the database is down belong to the workspace, which can delete them.
    for (const id of fileIds) await removeFile(rows, id).catch(() => {});
    throw error;
  }
}

async function store(rows: Parameters<typeof takeUpload>[0], file: SentFile, number: number): Promise<string> {
  const bytes = bytesOf(file);
  const filename = nameOf(file, number);
  const arrived = await takeUpload(rows, Readable.from([bytes]), FILE_BYTES_MAX);
  try {
    const id = newId('file');
    const mediaType = readableTypeOf({ filename, head: arrived.head }, file.place.join('.'));
    const about = { purpose: 'agent_input', filename, mediaType, expiresInSeconds: null };
    await publishUpload(rows, arrived, { id, sessionId: null, ...about, ifRoom: true });
    return id;
  } finally {
    await arrived.drop().catch(() => {});
  }
}

// Buffer skips invalid base64, so fewer bytes come out.
function bytesOf({ base64, place }: SentFile): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  const digits = base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
  if (base64 === '' || (bytes.length > 0 && bytes.length === Math.floor((digits * 3) / 4))) return bytes;
  throw validationErrorAt(['body', ...place.map(String)], 'must be base64 of a file');
}

/** The given name, or a numbered one. The extension decides between the types of text. */
function nameOf({ filename, mediaType = '' }: SentFile, number: number): string {
  const name = fileNameOf(filename?.trim() ? filename : `file-${number}`);
  return extname(name) === '' ? name + extensionOf(mediaType) : name;
}
