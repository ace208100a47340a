import { defineEntity, p } from '@mikro-orm/core';

/**
 * An uploaded or produced file. Its bytes lie in `file_chunks`; a session's entry or a run's input names it by id. Until its last byte has
 * come it is marked as deleted: so nobody sees it, and one that never comes to its end is removed as a deleted one is.
 */
export const File = defineEntity({
  name: 'File',
  tableName: 'files',
  indexes: [
    {
      name: 'files_workspace_index',
      expression: 'create index files_workspace_index on files (workspace_id, created_at, id)',
    },
    {
      name: 'files_expiry_index',
      expression: 'create index files_expiry_index on files (expires_at) where expires_at is not null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    /** The session that it was uploaded to or made in: it goes with the last entry that names it. Null: it stays until it is deleted. */
    sessionId: p.text().nullable(),
    purpose: p.text(),
    filename: p.text(),
    mediaType: p.text(),
    sizeBytes: p.bigint(),
    sha256: p.blob(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    deletedAt: p.datetime().nullable(),
  },
});
