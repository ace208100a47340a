import { defineEntity, p } from '@mikro-orm/core';

/**
 * A part of a file's bytes, each but the last of the same size, so that a range is read without the rest.
 */
export const FileChunk = defineEntity({
  name: 'FileChunk',
  tableName: 'file_chunks',
  properties: {
    fileId: p.text().primary(),
    position: p.integer().primary(),
    workspaceId: p.text(),
    bytes: p.blob(),
  },
});
