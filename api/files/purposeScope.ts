import type { Database } from '../../db/database.ts';
import { findFile, type StoredFile } from '../../db/files/files.ts';
import type { Key } from '../../db/keys.ts';
import type { Context } from '../context.ts';
import { scopeNotAllowed } from '../errors/keyErrors.ts';
import { hasScope, type Scope } from '../guard/key.ts';

/** The scopes each of which opens the files of a purpose, the usual one first. */
const SCOPES: Record<string, [Scope, ...Scope[]]> = {
  agent_input: ['agents'],
  agent_output: ['agents'],
  agent_icon: ['publisher', 'agents'],
  user_data: ['agents'],
  batch: ['batch'],
  speech: ['voice'],
  voice_sample: ['voice'],
};

/** Every scope that opens the files of some purpose. */
export const FILE_SCOPES = ['agents', 'publisher', 'batch', 'voice'] as const satisfies Scope[];

/** Throws 403 `scope_not_allowed` unless a key may make, read and delete files of a purpose. What has no such purpose opens to no key. */
export function checkPurpose(key: Key, purpose: string): void {
  if (!canRead(key, purpose)) throw scopeNotAllowed(SCOPES[purpose]?.[0] ?? 'agents');
}

/** The purposes whose files a key may see. */
export function purposesOf(key: Key): string[] {
  return Object.keys(SCOPES).filter((purpose) => canRead(key, purpose));
}

function canRead(key: Key, purpose: string): boolean {
  return Object.hasOwn(SCOPES, purpose) && SCOPES[purpose]!.some((scope) => hasScope(key, scope));
}

/** The file that the path names. Throws 404 `file_not_found`, and 403 `scope_not_allowed` when the key is not for its purpose. */
export async function findCallersFile({ read }: Pick<Database, 'read'>, { state }: Context): Promise<StoredFile> {
  const file = await findFile(read(state.key.workspaceId), state.params.file_id!);
  checkPurpose(state.key, file.purpose);
  return file;
}
