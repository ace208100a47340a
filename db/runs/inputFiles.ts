import type { MikroORM } from '@mikro-orm/postgresql';
import { File } from '../entities/File.ts';
import { inWorkspace } from '../tenant.ts';

/** The media types of the workspace's files among these ids. A file that is unknown, another's, deleted or expired is missing. */
export function findMediaTypes(orm: MikroORM, workspaceId: string, fileIds: string[]): Promise<Map<string, string>> {
  return inWorkspace(orm, workspaceId, async (em) => {
    const files = await em.find(
      File,
      {
        workspaceId,
        id: fileIds,
        deletedAt: null,
        $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }],
      },
      { fields: ['mediaType'] },
    );
    return new Map(files.map(({ id, mediaType }) => [id, mediaType]));
  });
}
