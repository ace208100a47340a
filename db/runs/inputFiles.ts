import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { inWorkspace } from '../postgres/tenant.ts';

/** What an agent must be able to take. */
export interface InputFileKind {
  mediaType: string;
  sizeBytes: number;
}

/** The workspace's files among these ids, by id. A file that is unknown, another's, deleted or expired is missing. */
export function findInputFiles(
  orm: LazyOrm,
  workspaceId: string,
  fileIds: string[],
): Promise<Map<string, InputFileKind>> {
  return inWorkspace(orm, workspaceId, async (em, { File, unexpired }) => {
    const files = await em.find(
      File,
      {
        workspaceId,
        id: fileIds,
        deletedAt: null,
        ...unexpired(),
      },
      { fields: ['mediaType', 'sizeBytes'] },
    );
    return new Map(files.map(({ id, mediaType, sizeBytes }) => [id, { mediaType, sizeBytes: Number(sizeBytes) }]));
  });
}
