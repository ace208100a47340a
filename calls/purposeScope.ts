import type { Database } from '../db/database.ts';
import { findFile, type StoredFile } from '../db/files/files.ts';
import type { Key } from '../db/keys/keys.ts';
import { scopeNotAllowed } from '../base/errors/keyErrors.ts';
import { hasScope, type Scope } from '../db/keys/scopes.ts';

/** The scopes for files of a purpose; the most common scope is first. */
const SCOPES: Record<string, [Scope, ...Scope[]]> = {
  agent_input: ['agents'],
  agent_output: ['agents'],
  agent_icon: ['publisher', 'agents'],
  user_data: ['agents'],
  batch: ['batch'],
  batch_output: ['batch'],
  speech: ['voice'],
  voice_sample: ['voice'],
  workspace_logo: ['manage'],
};

/** Every scope for files of some purpose. */
export const FILE_SCOPES = ['agents', 'publisher', 'batch', 'voice', 'manage'] as const satisfies Scope[];

/**
 * Throws 403 `scope_not_allowed` unless a key may create, read and delete files of a purpose. An unknown purpose is refused for every key.
 */
export function checkPurpose(key: Key, purpose: string): void {
  if (!canRead(key, purpose)) throw scopeNotAllowed(SCOPES[purpose]?.[0] ?? 'agents');
}

/** The purposes of the files that a key may read. */
export function purposesOf(key: Key): string[] {
  return Object.keys(SCOPES).filter((purpose) => canRead(key, purpose));
}

function canRead(key: Key, purpose: string): boolean {
  return Object.hasOwn(SCOPES, purpose) && SCOPES[purpose]!.some((scope) => hasScope(key, scope));
}

/**
 * A file of the key's workspace. Throws 404 `file_not_found`, and 403 `scope_not_allowed` when the key has no
 * scope for its purpose.
 */
export async function findCallersFile({ read }: Pick<Database, 'read'>, key: Key, id: string): Promise<StoredFile> {
  const file = await findFile(read(key.workspaceId), id);
  checkPurpose(key, file.purpose);
  return file;
}
