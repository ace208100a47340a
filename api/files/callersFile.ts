import type { Database } from '../../db/database.ts';
import { findFile, type StoredFile } from '../../db/files/readFiles.ts';
import type { Context } from '../context.ts';
import { checkPurpose } from './purposeScope.ts';

/** The file that the path names. Throws 404 `file_not_found`, and 403 `scope_not_allowed` when the key is not for its purpose. */
export async function findCallersFile({ orm }: Pick<Database, 'orm'>, { state }: Context): Promise<StoredFile> {
  const file = await findFile(orm, state.key.workspaceId, state.params.file_id!);
  checkPurpose(state.key, file.purpose);
  return file;
}
