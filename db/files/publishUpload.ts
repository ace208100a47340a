import type { ClientBase } from 'pg';
import type { StoredBytes } from './openUpload.ts';

/** What an upload becomes. */
export interface NewFile {
  id: string;
  workspaceId: string;
  /** The session that it is made for, and goes with. */
  sessionId: string | null;
  purpose: string;
  filename: string;
  mediaType: string;
  expiresInSeconds: number | null;
}

/**
 * Makes stored bytes a file that can be seen, under its final id, in the caller's transaction. An id that is already a file stays as it is:
 * then an earlier try has come this far, and the upload is left to be dropped.
 */
export async function publishUpload(
  client: ClientBase,
  { uploadId, sizeBytes, sha256 }: StoredBytes,
  file: NewFile,
): Promise<void> {
  const { rowCount } = await client.query('select from files where id = $1 and workspace_id = $2 and id <> $3', [
    file.id,
    file.workspaceId,
    uploadId,
  ]);
  if (rowCount) return;
  const { rowCount: published } = await client.query(PUBLISH, [
    uploadId,
    file.id,
    file.sessionId,
    file.purpose,
    file.filename,
    file.mediaType,
    sizeBytes,
    sha256,
    file.expiresInSeconds,
  ]);
  // Swept away in the meantime, or dropped: nothing may name bytes that are not there.
  if (published !== 1) throw new Error(`the upload ${uploadId} is gone`);
  if (file.id !== uploadId)
    await client.query('update file_chunks set file_id = $2 where file_id = $1', [uploadId, file.id]);
}

const PUBLISH = `
update files
set id = $2, session_id = $3, purpose = $4, filename = $5, media_type = $6, size_bytes = $7, sha256 = $8,
  created_at = now(), deleted_at = null, expires_at = now() + make_interval(secs => $9)
where id = $1 and deleted_at is not null`;
