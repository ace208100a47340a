import type { Database } from '../db/database.ts';
import { findFile, type StoredFile } from '../db/files/files.ts';
import type { Key } from '../db/keys/keys.ts';
import { scopeNotAllowed } from '../base/errors/keyErrors.ts';
import { PURPOSES, scopeMissingFor } from '../db/keys/filePurposes.ts';
import type { Scope } from '../db/keys/scopes.ts';

/** Every scope for files of some purpose. */
export const FILE_SCOPES = ['agents', 'publisher', 'batch', 'voice', 'manage'] as const satisfies Scope[];

/**
 * Throws 403 `scope_not_allowed` unless a key may create, read and delete files of a purpose. An unknown purpose is refused for every key.
 */
export function checkPurpose(key: Key, purpose: string): void {
  const missing = scopeMissingFor(key, purpose);
  if (missing) throw scopeNotAllowed(missing);
}

/** The purposes of the files that a key may read. */
export function purposesOf(key: Key): string[] {
  return PURPOSES.filter((purpose) => scopeMissingFor(key, purpose) === undefined);
}

/**
 * A file of the key's workspace. Throws 404 `file_not_found`, and 403 `scope_not_allowed` when the key has no
 * scope for its purpose. `param` is the parameter with its id.
 */
export async function findCallersFile(
  { read }: Pick<Database, 'read'>,
  key: Key,
  id: string,
  param?: string,
): Promise<StoredFile> {
  const file = await findFile(read(key.workspaceId), id, param);
  checkPurpose(key, file.purpose);
  return file;
}
