import type { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { HEAD_BYTES } from '../../db/files/fileName.ts';
import { openUpload, type StoredBytes, fileTooLarge } from '../../db/files/upload.ts';

/** Stored bytes of an upload, and the first of them, which identify the type. */
export interface ArrivedBytes extends StoredBytes {
  head: Buffer;
  drop(): Promise<void>;
}

/** Stores bytes as they come. Nothing of them stays when they break off, or are more than `bytesMax`, which is 413 `file_too_large`. */
export async function takeUpload(
  pool: Pool,
  bytes: Readable,
  { workspaceId, bytesMax }: { workspaceId: string; bytesMax: number },
): Promise<ArrivedBytes> {
  const upload = await openUpload(pool, { workspaceId });
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  try {
    for await (const part of bytes as AsyncIterable<Buffer>) {
      sizeBytes += part.length;
      if (sizeBytes > bytesMax) throw fileTooLarge(bytesMax);
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, part]).subarray(0, HEAD_BYTES);
      await upload.write(part);
    }
    return { ...(await upload.end()), head, drop: () => upload.drop() };
  } catch (error) {
    // Left behind when the database is away: then the sweep removes it.
    await upload.drop().catch(() => {});
    throw error;
  }
}
