import type { StoredFile } from '../../db/files/readFiles.ts';

/** A file as agents know it. */
export function presentFile(file: StoredFile) {
  return {
    id: file.id,
    object: 'file',
    purpose: file.purpose,
    filename: file.filename,
    media_type: file.mediaType,
    size_bytes: file.sizeBytes,
    created_at: file.createdAt.toISOString(),
    expires_at: file.expiresAt?.toISOString() ?? null,
  };
}

/** A file as OpenAI's clients know it. There is nothing to wait for: it is processed when it is there. */
export function presentOpenAiFile(file: StoredFile) {
  return {
    id: file.id,
    object: 'file',
    bytes: file.sizeBytes,
    created_at: secondsOf(file.createdAt),
    expires_at: file.expiresAt && secondsOf(file.expiresAt),
    filename: file.filename,
    purpose: file.purpose,
    status: 'processed',
    status_details: null,
  };
}

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000);
